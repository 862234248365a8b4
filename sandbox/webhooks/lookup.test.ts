import fs from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { startReceiver } from "../testing/delivering-engine.ts";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { startNameServer } from "../testing/name-server.ts";
import { DeliveryEngine } from "./engine.ts";
import { UnresolvedError } from "./failures.ts";
import { createResolver } from "./lookup.ts";

it("resolves this machine's names without a request, and others with name servers", async () => {
  const resolve = createResolver([await startNameServer()]);
  expect(await resolve("LOCALHOST.")).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
  expect(await resolve("hooks.example.com")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolve("six.example.com")).toEqual([{ address: "::1", family: 6 }]);
  await expect(createResolver(["127.0.0.1:1"])("hooks.example.com")).rejects.toThrow(/could not be looked up \(E\w+\)/);
  expect(new UnresolvedError("gone").message).toBe("the host name could not be looked up (gone)");
  expect(new UnresolvedError(new Error("gone")).message).toContain("(Error: gone)");
});

it("finds a name in the hosts file, whatever its case and comments", async () => {
  const hosts = "# 127.0.0.7 my-host\n\n 127.0.0.9\t Other  My-Host # mine\nnot-an-address my-host\n::1 my-host\r\n";
  vi.spyOn(fs.promises, "readFile").mockResolvedValue(hosts);
  expect(await createResolver(["127.0.0.1:1"])("MY-host.")).toEqual([
    { address: "127.0.0.9", family: 4 },
    { address: "::1", family: 6 },
  ]);
});

it("uses only name servers without a hosts file", async () => {
  const resolve = createResolver([await startNameServer()]);
  vi.spyOn(fs.promises, "readFile").mockRejectedValue(new Error("ENOENT"));
  expect(await resolve("hooks.example.com")).toEqual([{ address: "127.0.0.1", family: 4 }]);
});

it("D88: a hundred names with hanging name servers don't delay other receivers", async () => {
  const resolve = createResolver([await startNameServer()]);
  const [good, known] = [await startReceiver(), new DeliveringWorld()];
  const engine = new DeliveryEngine({
    ...{ enabled: true, allows: () => true, resolve, withWorld: known.withWorld },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => engine.stop());
  for (let index = 0; index < 100; index += 1) {
    known.subscribe(`hangs-${index}-of`, `http://hangs-${index}.example.com/`);
    known.queue(`hangs-${index}-of`);
  }
  // The first attempt loads the HTTP client, which must not count.
  const { port } = new URL(good.url);
  known.subscribe("first", `http://first.example.com:${port}/`);
  known.queue("first");
  engine.wake(known.world);
  await good.waitFor(1);
  known.subscribe("good", `http://good.example.com:${port}/`);
  known.queue("good");
  const began = performance.now();
  engine.wake(known.world);
  await good.waitFor(2);
  expect(performance.now() - began).toBeLessThan(1_000);
});
