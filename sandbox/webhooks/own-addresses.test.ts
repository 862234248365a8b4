import { describe, expect, it } from "vitest";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { addWorldToAddress, followOwnAddresses, isOwnAddress, noteOwnAddresses } from "./own-addresses.ts";

const LOCAL = "http://127.0.0.1:4026";
const PUBLIC = "https://sandbox.example.com";

describe("an address of the service itself", () => {
  it.each([
    ["http://127.0.0.1:4026/__webhooks/sink", LOCAL],
    ["http://localhost:4026/__webhooks/sink?of=somebody", LOCAL],
    ["http://[::1]:4026/__receiver/abc", LOCAL],
    ["http://0.0.0.0:4026/__receiver/abc?world=team", LOCAL],
    ["https://sandbox.example.com/__webhooks/sink", PUBLIC],
    ["https://sandbox.example.com:443/__receiver/abc", PUBLIC],
  ])("is %s at %s", (address, origin) => expect(isOwnAddress(address, origin)).toBe(true));

  it.each([
    ["http://127.0.0.1:4027/__webhooks/sink", LOCAL],
    ["https://127.0.0.1:4026/__webhooks/sink", LOCAL],
    ["http://127.0.0.1:4026/hooks", LOCAL],
    ["http://127.0.0.1:4026/__webhooks/sink/more", LOCAL],
    ["http://127.0.0.1:4026/__webhooks/subscribe", LOCAL],
    ["https://other.example.com/__webhooks/sink", PUBLIC],
    ["https://sandbox.example.com:8443/__webhooks/sink", PUBLIC],
    ["http://127.0.0.1/__webhooks/sink", PUBLIC],
    ["https://127.0.0.1/__webhooks/sink", PUBLIC],
    ["http://192.0.2.1:4026/__webhooks/sink", LOCAL],
  ])("is not %s at %s", (address, origin) => expect(isOwnAddress(address, origin)).toBe(false));
});

it("a notification to the test receiver names its world, and no other does", () => {
  const named = (address: string) => addWorldToAddress(address, "my world", LOCAL);
  expect(named(`${LOCAL}/__webhooks/sink?of=me`)).toBe(`${LOCAL}/__webhooks/sink?of=me&world=my+world`);
  for (const other of ["http://127.0.0.1:4027/__webhooks/sink", `${LOCAL}/__receiver/abc`, `${PUBLIC}/hooks`])
    expect(named(other)).toBe(other);
});

describe("subscriptions after the service's address changed", () => {
  const urls = (known: DeliveringWorld) => known.world.stores.subscriptions.list().map(({ url }) => url);

  it("are unchanged in a world without earlier own addresses", () => {
    const known = new DeliveringWorld();
    known.subscribe("s", "http://127.0.0.1:4026/__webhooks/sink");
    followOwnAddresses(known.world, "http://127.0.0.1:5000");
    expect(urls(known)).toEqual(["http://127.0.0.1:4026/__webhooks/sink"]);
  });

  it("follow it once, with their pending deliveries", () => {
    const known = new DeliveringWorld();
    known.subscribe("sink", "http://localhost:4026/__webhooks/sink");
    known.subscribe("other", "http://127.0.0.1:4027/__webhooks/sink");
    noteOwnAddresses(known.world, LOCAL);
    const [waiting = ""] = known.queue("sink");
    followOwnAddresses(known.world, "http://127.0.0.1:5000");
    expect(urls(known)).toEqual(["http://127.0.0.1:5000/__webhooks/sink", "http://127.0.0.1:4027/__webhooks/sink"]);
    expect(known.delivery(waiting).url).toBe("http://127.0.0.1:5000/__webhooks/sink");
    followOwnAddresses(known.world, PUBLIC);
    expect(urls(known)[0]).toBe(`${PUBLIC}/__webhooks/sink`);
    followOwnAddresses(known.world, "https://new.example.com");
    expect(urls(known)[0]).toBe("https://new.example.com/__webhooks/sink");
  });

  it("are written only if the address or the world's name changed", () => {
    const known = new DeliveringWorld();
    const changes = (): unknown => known.world.db.get("SELECT total_changes() AS n");
    known.subscribe("sink", `${LOCAL}/__webhooks/sink?world=${known.world.name}`);
    noteOwnAddresses(known.world, LOCAL);
    const before = changes();
    followOwnAddresses(known.world, LOCAL);
    expect(changes()).toEqual(before);
  });

  it("name the world of a copy", () => {
    const known = new DeliveringWorld();
    known.subscribe("sink", `${LOCAL}/__webhooks/sink?world=original`);
    known.world.stores.settings.set("own_addresses", `${LOCAL} original`);
    followOwnAddresses(known.world, LOCAL);
    expect(urls(known)).toEqual([`${LOCAL}/__webhooks/sink?world=${known.world.name}`]);
  });

  it("stay if the new address is already subscribed", () => {
    const known = new DeliveringWorld();
    known.subscribe("old", `${LOCAL}/__webhooks/sink`);
    known.subscribe("new", "http://127.0.0.1:5000/__webhooks/sink");
    noteOwnAddresses(known.world, LOCAL);
    followOwnAddresses(known.world, "http://127.0.0.1:5000");
    expect(urls(known)).toEqual([`${LOCAL}/__webhooks/sink`, "http://127.0.0.1:5000/__webhooks/sink"]);
  });
});
