import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../new-id.ts";
import { BusyWorld } from "../testing/busy-world.ts";
import { exchangeRecord } from "../testing/exchanges.ts";
import { KEPT_EXCHANGES } from "./retention.ts";

const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const MEBIBYTE = 1024 * 1024;
/** When what waited is looked at again, once most of it is settled. */
const LOOK_BACK_SOON = 10_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const setUp = (limits: { max_age_hours?: number; max_megabytes?: number } = {}) => {
  const busy = new BusyWorld();
  busy.world.stores.retention.set({ max_age_hours: 24, max_megabytes: 1_000, ...limits });
  return busy;
};

describe("what is too much", () => {
  it("is forgotten oldest first, down to below the limit, and no more than that", async () => {
    const busy = setUp({ max_megabytes: 1 });
    busy.subscribe("s");
    const traces: string[] = [];
    for (let count = 0; count < 100; count += 1) {
      traces.push(await busy.call(10_000));
      await busy.deliver("s", 1, 5_000);
      pass(1_000);
    }
    expect(busy.measure()).toBeGreaterThan(2 * MEBIBYTE);
    busy.forget();
    const kept = traces.map((trace) => busy.kept(trace).request);
    expect(busy.measure()).toBeLessThanOrEqual(0.8 * MEBIBYTE);
    expect(busy.measure()).toBeGreaterThan(0.6 * MEBIBYTE);
    expect(kept).toEqual(kept.toSorted());
    const first = traces[kept.indexOf(true)] ?? "";
    expect(busy.kept(first).deliveries + busy.kept(traces[kept.indexOf(true) + 1] ?? "").deliveries).toBeGreaterThan(0);
    const steps = busy.forget();
    expect(steps).toBe(1);
  });

  it("is also what was settled just now, when it was made before all else: a backlog that was drained goes as it came", async () => {
    const busy = setUp({ max_megabytes: 1 });
    busy.subscribe("s");
    for (let count = 0; count < 100; count += 1) await busy.call(10_000);
    pass(HOUR);
    busy.forget();
    expect(busy.measure()).toBeGreaterThan(2 * MEBIBYTE);
    const { log } = busy.world.stores;
    await busy.world.write((append) => append("world", null, { what: "clock" }));
    const seen = log.lastId();
    await busy.deliver("s");
    pass(LOOK_BACK_SOON);
    busy.forget();
    expect(busy.measure()).toBeLessThan(MEBIBYTE);
    expect(busy.count("deliveries")).toBeLessThan(60);
    // The log still holds that they were delivered, and cannot tell it any more.
    expect(log.gaplessFrom()).toBeGreaterThanOrEqual(seen);
  });

  it("is also more exchanges than can be searched at once, whatever the limits say", async () => {
    const busy = setUp();
    const { requests, log } = busy.world.stores;
    await busy.world.writeBehind(() => {
      for (let count = 0; count < KEPT_EXCHANGES + 50; count += 1)
        requests.insert(exchangeRecord(`exchange ${count}`, { seq: log.take(), at: Date.now() }));
    });
    expect(busy.retention.exceeded).toBe(true);
    busy.forget();
    expect([busy.count("requests"), requests.get("exchange 49"), requests.get("exchange 50")?.id]).toEqual([
      KEPT_EXCHANGES,
      undefined,
      "exchange 50",
    ]);
    expect(busy.retention.exceeded).toBe(false);
  });

  it("is not what is in the world itself: a world full of jobs keeps its records", async () => {
    const busy = setUp({ max_megabytes: 1 });
    const trace = await busy.call();
    await busy.call();
    busy.world.db.handle.exec("CREATE TABLE large (x BLOB); INSERT INTO large VALUES (zeroblob(5000000))");
    expect(busy.retention.exceeded).toBe(true);
    busy.forget();
    expect(busy.kept(trace).request).toBe(true);
  });
});

describe("a world that is written to for long", () => {
  it("takes no more of the disk than at first, and loses nothing that waits", async () => {
    const busy = setUp({ max_megabytes: 2 });
    busy.subscribe("s");
    busy.subscribe("hangs");
    const { standing } = { standing: () => busy.world.stores.subscriptions.standing("hangs")?.pending };
    const { lane = 0 } = busy.world.stores.subscriptions.standing("hangs") ?? {};
    const used: number[] = [];
    const waiting: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      // One of each round goes to an address that acknowledges nothing.
      waiting.push(await busy.call(2_000));
      await busy.deliver("s");
      busy.world.stores.subscriptions.pause(lane, Date.now(), "person");
      for (let count = 0; count < 100; count += 1) await busy.read(newId(), 10_000);
      pass(60_000);
      busy.forget();
      used.push(busy.world.stores.retention.usedBytes());
    }
    const written = 30 * 100 * 10_000;
    expect(Math.max(...used)).toBeLessThan(written / 5);
    expect(Math.max(...used.slice(15))).toBeLessThanOrEqual(Math.max(...used.slice(0, 15)) * 1.2);
    const pages = Number(busy.world.db.handle.pragma("page_count", { simple: true }));
    expect(pages * 4_096).toBeLessThan(written / 5);
    expect(standing()).toBe(30);
    for (const trace of waiting)
      expect(busy.kept(trace)).toEqual({ request: true, log: 4, events: 1, deliveries: 2, attempts: 1 });
  });
});
