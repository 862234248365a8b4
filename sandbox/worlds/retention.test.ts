import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "../storage/new-id.ts";
import { BusyWorld, nothing } from "../testing/busy-world.ts";
import { Retention, Trimming } from "./retention.ts";
import type { OpenWorlds, World } from "./world.ts";

const START = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;
const MEBIBYTE = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"], now: START }));
afterEach(() => void vi.useRealTimers());
/** Options of a wait that each attempt brings closer. */
const WITHOUT_DELAY = { interval: 1 };
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const setUp = (limits: { max_age_hours?: number; max_megabytes?: number } = {}) => {
  const busy = new BusyWorld();
  busy.world.stores.settings.set("retention", { max_age_hours: 24, max_megabytes: 1_000, ...limits });
  return busy;
};
/** Records of a call whose notification was delivered. */
const whole = { request: true, log: 1, events: 1, deliveries: 1, attempts: 1 };

describe("an old record", () => {
  it("is deleted with its whole trace: exchange, log, events, deliveries and attempts", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const [old, read] = [await busy.call(), await busy.read()];
    await busy.deliver("s");
    pass(12 * HOUR);
    const young = await busy.call();
    await busy.deliver("s");
    pass(12 * HOUR);
    await busy.trimming.run();
    expect([busy.countRecords(old), busy.countRecords(read).request]).toEqual([whole, true]);
    pass(1);
    await busy.trimming.run();
    expect([busy.countRecords(old), busy.countRecords(read), busy.countRecords(young)]).toEqual([
      nothing,
      nothing,
      whole,
    ]);
    expect(busy.count("attempts")).toBe(1);
  });

  it("is dated by the newest part of its trace, such as a late delivery", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const trace = await busy.call();
    pass(20 * HOUR);
    await busy.deliver("s");
    await busy.call();
    pass(20 * HOUR);
    await busy.trimming.run();
    expect(busy.countRecords(trace)).toEqual(whole);
    pass(4 * HOUR + 1);
    await busy.trimming.run();
    expect(busy.countRecords(trace)).toEqual(nothing);
  });

  it("is deleted in slices of three milliseconds, between which others may write", async () => {
    const busy = setUp();
    for (let count = 0; count < 8; count += 1) await busy.call();
    pass(24 * HOUR + 1);
    await busy.read();
    const write = vi.spyOn(busy.world, "write");
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1.5));
    await busy.trimming.run();
    // The first entry of a slice is checked after half of its time.
    expect(write.mock.calls.length).toBeGreaterThanOrEqual(8);
  });

  it("is dated by real time, whatever the world's clock", async () => {
    const busy = setUp();
    await busy.world.write(() => busy.world.stores.settings.set("clock_offset", 365 * 24 * HOUR));
    busy.world.reread();
    const old = await busy.call();
    pass(24 * HOUR + 1);
    const young = await busy.call();
    await busy.trimming.run();
    expect([busy.countRecords(old), busy.countRecords(young).events]).toEqual([nothing, 1]);
  });

  it("makes readers that resume before the trim reload everything", async () => {
    const busy = setUp();
    for (let count = 0; count < 3; count += 1) await busy.call();
    const { log } = busy.world.stores;
    const last = log.lastId();
    pass(24 * HOUR + 1);
    const next = await busy.call();
    expect(log.gaplessFrom()).toBeLessThan(last - 5);
    await busy.trimming.run();
    expect(log.gaplessFrom()).toBe(last);
    expect(log.after(last, 10).map(({ trace_id }) => trace_id)).toEqual([next, next, next]);
  });

  it("is deleted even without a trace, and a world without old records isn't written to", async () => {
    const busy = setUp();
    await busy.world.write((append) => append("world", null, { what: "clock" }));
    pass(24 * HOUR + 1);
    const young = await busy.read();
    await busy.trimming.run();
    expect(busy.world.stores.log.after(0, 10).map(({ trace_id }) => trace_id)).toEqual([young]);
    const write = vi.spyOn(busy.world, "write");
    await busy.trimming.run();
    expect(write).not.toHaveBeenCalled();
  });

  it("keeps other counts correct, and takes its ended subscription along", async () => {
    const busy = setUp();
    busy.subscribe("ended");
    await busy.call();
    await busy.deliver("ended");
    busy.world.stores.subscriptions.end("ended");
    busy.subscribe("other");
    await busy.call();
    await busy.call();
    await busy.deliver("other", 1);
    pass(25 * HOUR);
    await busy.call();
    await busy.trimming.run();
    const { outbox, subscriptions } = busy.world.stores;
    expect(subscriptions.get("other")).toMatchObject({ pending: 2, delivered: 0, failed: 0 });
    const { rows, total } = outbox.list({}, Number.MAX_SAFE_INTEGER, 100);
    expect(total).toBe(rows.length);
    expect(busy.count("subscriptions")).toBe(1);
  });
});

describe("a pinned record", () => {
  it("stays with its trace at any age and size until it is unpinned", async () => {
    const busy = setUp({ max_megabytes: 1 });
    busy.subscribe("s");
    const [pinned, other] = [await busy.call(2 * MEBIBYTE), await busy.call()];
    await busy.deliver("s");
    const { requests } = busy.world.stores;
    requests.annotate(pinned, { pinned: true });
    pass(25 * HOUR);
    await busy.call();
    await busy.trimming.run();
    expect([busy.countRecords(pinned), busy.countRecords(other)]).toEqual([whole, nothing]);
    requests.annotate(pinned, { pinned: false });
    pass(HOUR + 1);
    await busy.trimming.run();
    expect(busy.countRecords(pinned)).toEqual(nothing);
  });
});

describe("an excess of records", () => {
  it("is deleted oldest first, down to just below the limit", async () => {
    const busy = setUp({ max_megabytes: 1 });
    busy.subscribe("s");
    const traces: string[] = [];
    for (let count = 0; count < 100; count += 1) {
      traces.push(await busy.call(10_000));
      await busy.deliver("s", 1, 5_000);
      pass(1_000);
    }
    await busy.trimming.run();
    const kept = traces.map((trace) => busy.countRecords(trace).request);
    expect(kept).toEqual(kept.toSorted());
    // Each takes about 26 kB: the call, its change and the receiver's response.
    expect(kept.filter(Boolean).length).toBeGreaterThan(20);
    expect(kept.filter(Boolean).length).toBeLessThan(40);
    const write = vi.spyOn(busy.world, "write");
    await busy.trimming.run();
    expect(write).not.toHaveBeenCalled();
  });

  it.each([1, 2, 3, 4, 5, 6])("is deleted by the next run if its world was closed after %i accesses", async (most) => {
    const busy = setUp({ max_megabytes: 1 });
    const trace = await busy.call(2 * MEBIBYTE);
    await busy.call();
    let left = most;
    const trimming = new Trimming((work) => (left-- > 0 ? work(busy.world) : undefined), 1_024);
    await trimming.run();
    expect(busy.countRecords(trace)).not.toEqual(nothing);
    left = Number.POSITIVE_INFINITY;
    await trimming.run();
    expect(busy.countRecords(trace)).toEqual(nothing);
  });

  it("doesn't include the world's own content, such as many jobs", async () => {
    const busy = setUp({ max_megabytes: 1 });
    const trace = await busy.call();
    await busy.call();
    busy.world.db.handle.exec("CREATE TABLE large (x BLOB); INSERT INTO large VALUES (zeroblob(5000000))");
    await busy.trimming.run();
    expect(busy.countRecords(trace).request).toBe(true);
  });

  it("isn't measured again until it can have grown, even if pinned records exceed the limit", async () => {
    const busy = setUp({ max_megabytes: 1 });
    const pinned = await busy.call(2 * MEBIBYTE);
    busy.world.stores.requests.annotate(pinned, { pinned: true });
    const get = vi.spyOn(busy.world.db, "get");
    const measured = async (): Promise<boolean> => {
      get.mockClear();
      await busy.trimming.run();
      return get.mock.calls.some(([text]) => text.includes("sum(bytes)"));
    };
    expect([await measured(), await measured()]).toEqual([true, false]);
    for (let count = 0; count < 30; count += 1) await busy.read(newId(), 10_000);
    expect([await measured(), await measured()]).toEqual([true, false]);
    busy.world.stores.requests.annotate(pinned, { pinned: false });
    busy.world.db.handle.exec("CREATE TABLE large (x BLOB); INSERT INTO large VALUES (zeroblob(5000000))");
    expect([await measured(), await measured()]).toEqual([true, false]);
  });

  it("makes room for new ones, so that the file stops growing", async () => {
    const busy = setUp({ max_megabytes: 2 });
    const used: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 100; count += 1) await busy.read(newId(), 10_000);
      await busy.trimming.run();
      used.push(busy.world.db.usedBytes());
    }
    expect(Math.max(...used.slice(6))).toBeLessThanOrEqual(Math.max(...used.slice(0, 6)) * 1.2);
    expect(Math.max(...used)).toBeLessThan(4 * MEBIBYTE);
  });
});

describe("a pending delivery", () => {
  it("is kept with its trace at any age and size until it ends", async () => {
    const busy = setUp({ max_age_hours: 1, max_megabytes: 1 });
    busy.subscribe("hangs");
    const waiting: string[] = [];
    const reads: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      waiting.push(await busy.call(20_000));
      reads.push(await busy.read(newId(), 20_000));
    }
    pass(48 * HOUR);
    await busy.trimming.run();
    for (const trace of waiting)
      expect(busy.countRecords(trace)).toEqual({ request: true, log: 1, events: 1, deliveries: 1, attempts: 0 });
    for (const trace of reads) expect(busy.countRecords(trace)).toEqual(nothing);
    await busy.deliver("hangs", 30);
    pass(HOUR + 1);
    await busy.trimming.run();
    for (const trace of waiting.slice(0, 30)) expect(busy.countRecords(trace)).toEqual(nothing);
    for (const trace of waiting.slice(30)) expect(busy.countRecords(trace).request).toBe(true);
  });

  it("may be a redelivery of an earlier one", async () => {
    const busy = setUp();
    busy.subscribe("s");
    const [again, gone] = [await busy.call(), await busy.call()];
    await busy.deliver("s");
    const { outbox } = busy.world.stores;
    const original = outbox.list({}, Number.MAX_SAFE_INTEGER, 2).rows.find(({ trace_id }) => trace_id === again);
    await busy.world.write(() => {
      if (!original) throw new Error("there is nothing to repeat");
      outbox.insertRepeat(original, newId(), Date.now());
    });
    pass(25 * HOUR);
    await busy.call();
    await busy.trimming.run();
    expect(busy.countRecords(again)).toEqual({ request: true, log: 1, events: 1, deliveries: 2, attempts: 1 });
    expect(busy.countRecords(gone)).toEqual(nothing);
  });
});

describe("the retention of a service", () => {
  it("covers all open worlds, and continues if one fails", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START });
    const [broken, busy] = [setUp(), setUp()];
    const trace = await busy.call();
    await busy.call();
    await broken.call();
    const failure = new Error("disk I/O error");
    vi.spyOn(broken.world.stores.settings, "get").mockImplementation(() => {
      throw failure;
    });
    const onError = vi.fn();
    const open: Record<string, World> = { broken: broken.world, busy: busy.world };
    const withOpenWorld: OpenWorlds["withOpenWorld"] = (name, work) => open[name] && work(open[name]);
    const retention = new Retention({ openNames: () => Object.keys(open), withOpenWorld }, 1_024, onError);
    retention.start();
    pass(24 * HOUR + 1);
    await busy.read();
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(busy.countRecords(trace)).toEqual(nothing));
    expect(onError.mock.calls).toEqual([[failure]]);
    retention.stop();
  });

  it("looks at the records of a world once, and again after it was closed", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START });
    const busy = setUp();
    const trace = await busy.call();
    const { requests } = busy.world.stores;
    requests.annotate(trace, { pinned: true });
    const open: Record<string, World> = { busy: busy.world };
    const openNames = vi.fn(() => Object.keys(open));
    const withOpenWorld: OpenWorlds["withOpenWorld"] = (name, work) => open[name] && work(open[name]);
    const retention = new Retention({ openNames, withOpenWorld }, 1_024, (error) => expect.unreachable(String(error)));
    onTestFinished(() => retention.stop());
    const rounds = async (count: number): Promise<void> => {
      const before = openNames.mock.calls.length;
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(1_000);
        expect(openNames.mock.calls.length).toBeGreaterThanOrEqual(before + count);
      }, WITHOUT_DELAY);
    };
    retention.start();
    pass(24 * HOUR + 1);
    await rounds(2);
    requests.annotate(trace, { pinned: false });
    await rounds(2);
    expect(busy.countRecords(trace).request).toBe(true);
    delete open.busy;
    await rounds(1);
    open.busy = busy.world;
    await rounds(2);
    expect(busy.countRecords(trace)).toEqual(nothing);
  });

  it("ends with the service, even in the middle of a round", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START });
    const openNames = vi.fn(() => ["team"]);
    const withOpenWorld = vi.fn(() => undefined);
    const create = () => new Retention({ openNames, withOpenWorld }, 1_024, vi.fn());
    const [waiting, busy] = [create(), create()];
    waiting.start();
    await vi.advanceTimersByTimeAsync(4_999);
    waiting.stop();
    busy.start();
    openNames.mockImplementation(() => {
      busy.stop();
      return ["team"];
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([openNames.mock.calls.length, withOpenWorld.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0, 0]);
  });
});
