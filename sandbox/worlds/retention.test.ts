import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../new-id.ts";
import { deliveryRow } from "../storage/delivery-rows.ts";
import { BusyWorld, nothing } from "../testing/busy-world.ts";

const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const MEBIBYTE = 1024 * 1024;
/** What was looked at is looked at again after this. */
const LOOK_BACK = 600_000;
const LOOK_BACK_SOON = 10_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const setUp = (limits: { max_age_hours?: number; max_megabytes?: number } = {}) => {
  const busy = new BusyWorld();
  busy.world.stores.retention.set({ max_age_hours: 24, max_megabytes: 1_000, ...limits });
  return busy;
};

describe("what is too old", () => {
  it("is forgotten: the exchange, what it told, its events, deliveries and their tries", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const [old, read] = [await busy.call(), await busy.read()];
    await busy.deliver("s");
    pass(12 * HOUR);
    const young = await busy.call();
    await busy.deliver("s");
    await busy.call();
    pass(12 * HOUR);
    busy.forget();
    expect(busy.kept(old)).toEqual({ request: true, log: 3, events: 1, deliveries: 1, attempts: 1 });
    pass(1);
    busy.forget();
    expect([busy.kept(old), busy.kept(read)]).toEqual([nothing, nothing]);
    expect(busy.kept(young)).toEqual({ request: true, log: 3, events: 1, deliveries: 1, attempts: 1 });
    expect(busy.count("attempts")).toBe(1);
  });

  it("is a delivery once it was settled for so long, however long it had waited before", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const trace = await busy.call();
    pass(20 * HOUR);
    await busy.deliver("s");
    await busy.call();
    pass(20 * HOUR);
    busy.forget();
    expect(busy.kept(trace)).toMatchObject({ request: false, log: 0, events: 1, deliveries: 1, attempts: 1 });
    pass(4 * HOUR + 1);
    busy.forget();
    expect(busy.kept(trace)).toEqual(nothing);
  });

  it("is that by real time, wherever the world's clock stands", async () => {
    const busy = setUp();
    await busy.world.write(() => busy.world.stores.meta.setClockOffset(365 * 24 * HOUR));
    busy.world.reread();
    const old = await busy.call();
    await busy.world.write(() => busy.world.stores.meta.setClockOffset(0));
    busy.world.reread();
    await busy.call();
    pass(24 * HOUR + 1);
    const young = await busy.call();
    busy.forget();
    expect(busy.kept(old)).toEqual(nothing);
    expect(busy.kept(young).events).toBe(1);
  });

  it("is said to be: whoever resumes the feed from before it is told to read everything anew", async () => {
    const busy = setUp();
    for (let count = 0; count < 3; count += 1) await busy.call();
    const { log } = busy.world.stores;
    const last = log.lastId();
    pass(24 * HOUR + 1);
    const [next] = [await busy.call()];
    expect(log.gaplessFrom()).toBeLessThan(last - 5);
    busy.forget();
    expect(log.gaplessFrom()).toBe(last);
    expect(log.page(last, 10).entries.map((entry) => entry.trace_id)).toEqual([next, next, next]);
  });

  it("leaves the counts of what is kept true", async () => {
    const busy = setUp();
    busy.subscribe("s");
    for (let count = 0; count < 5; count += 1) await busy.call();
    await busy.deliver("s", 4);
    pass(25 * HOUR);
    await busy.call();
    busy.forget();
    const { outbox, subscriptions } = busy.world.stores;
    expect(subscriptions.standing("s")).toMatchObject({ pending: 2, delivered: 0, failed: 0 });
    expect(outbox.count({})).toBe(outbox.newest({}, Number.MAX_SAFE_INTEGER, 100).length);
  });

  it("takes along what the deliveries of an ended subscription shared, once none of them is kept", async () => {
    const busy = setUp();
    busy.subscribe("ended");
    await busy.call();
    await busy.deliver("ended");
    busy.world.stores.subscriptions.delete("ended");
    busy.subscribe("other");
    await busy.call();
    busy.forget();
    expect(busy.count("lanes")).toBe(2);
    pass(25 * HOUR);
    await busy.call();
    busy.forget();
    expect(busy.count("lanes")).toBe(1);
  });
});

describe("what waits to be delivered", () => {
  it("is kept with all that its trace is made of, however old and however much it is", async () => {
    const busy = setUp({ max_age_hours: 1, max_megabytes: 1 });
    busy.subscribe("hangs");
    busy.subscribe("well");
    const waiting: string[] = [];
    const reads: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      waiting.push(await busy.call(20_000));
      reads.push(await busy.read(newId(), 20_000));
    }
    await busy.deliver("well");
    pass(48 * HOUR);
    await busy.read();
    expect(busy.measure()).toBeGreaterThan(3 * MEBIBYTE);
    busy.forget();
    for (const trace of waiting)
      expect(busy.kept(trace)).toEqual({ request: true, log: 4, events: 1, deliveries: 2, attempts: 1 });
    for (const trace of reads) expect(busy.kept(trace)).toEqual(nothing);
    pass(LOOK_BACK);
    await busy.deliver("hangs", 30);
    pass(HOUR + 1);
    await busy.call();
    busy.forget();
    for (const trace of waiting.slice(0, 30)) expect(busy.kept(trace)).toEqual(nothing);
    for (const trace of waiting.slice(30)) expect(busy.kept(trace).request).toBe(true);
  });

  it("is also what was delivered before and is sent once more", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const [again, gone] = [await busy.call(), await busy.call()];
    await busy.deliver("s");
    const { outbox } = busy.world.stores;
    const original = outbox.newest({}, Number.MAX_SAFE_INTEGER, 2).find(({ event }) => event.trace_id === again);
    pass(23 * HOUR);
    await busy.world.write((append) => {
      if (!original) throw new Error("there is nothing to repeat");
      const row = deliveryRow(outbox.insertRepeat(original, newId(), Date.now()));
      append("delivery", row.trace_id, row);
    });
    pass(2 * HOUR);
    await busy.call();
    busy.forget();
    expect(busy.kept(again)).toEqual({ request: true, log: 4, events: 1, deliveries: 2, attempts: 1 });
    expect(busy.kept(gone)).toEqual(nothing);
  });

  it("keeps nothing else: what happened before and after it goes", async () => {
    const busy = setUp();
    const before = await busy.call();
    busy.subscribe("s");
    const waits = await busy.call();
    busy.world.stores.subscriptions.pause(busy.world.stores.subscriptions.standing("s")?.lane ?? 0, START, "person");
    await busy.read();
    pass(25 * HOUR);
    const after = await busy.read();
    pass(25 * HOUR);
    await busy.read();
    busy.forget();
    expect([busy.kept(before), busy.kept(after)]).toEqual([nothing, nothing]);
    expect(busy.kept(waits)).toEqual({ request: true, log: 3, events: 1, deliveries: 1, attempts: 0 });
  });
});

describe("when something will be too old", () => {
  it("is known, and never when there is nothing", async () => {
    const busy = setUp();
    expect(busy.retention.nextAt()).toBeNull();
    await busy.read();
    pass(HOUR);
    await busy.read();
    expect(busy.retention.nextAt()).toBe(START + 24 * HOUR + 1);
    pass(24 * HOUR);
    await busy.read();
    busy.forget();
    expect(busy.retention.nextAt()).toBe(START + 25 * HOUR + 1);
  });

  it("is also when what waited may have been settled since it was looked at, sooner when most of it is", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const trace = await busy.call();
    await busy.call();
    pass(25 * HOUR);
    busy.forget();
    expect(busy.kept(trace).request).toBe(true);
    const looked = Date.now();
    expect(busy.retention.nextAt()).toBeNull();
    pass(1_000);
    await busy.deliver("s", 1);
    expect(busy.retention.nextAt()).toBe(looked + LOOK_BACK);
    await busy.deliver("s", 1);
    expect(busy.retention.nextAt()).toBe(looked + LOOK_BACK_SOON);
    const delivered = Date.now();
    pass(LOOK_BACK_SOON);
    busy.forget();
    expect(busy.kept(trace)).toMatchObject({ request: false, log: 0, deliveries: 1 });
    expect(busy.retention.nextAt()).toBe(delivered + 24 * HOUR + 1);
    vi.setSystemTime(delivered + 24 * HOUR + 1);
    busy.forget();
    expect(busy.kept(trace)).toEqual(nothing);
  });
});
