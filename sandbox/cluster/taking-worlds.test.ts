import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { NotDurableError } from "../storage/writer.ts";
import { temporaryFolder } from "../testing/harness.ts";
import type { World } from "../worlds/world.ts";
import { Cluster, getCallDeadline, type Shared } from "./cluster.ts";
import { DatabaseError } from "./database.ts";
import type { HeldWorld } from "./held-world.ts";
import type { Claim, OwnedEpochs, Owner, Ownership } from "./ownership.ts";
import { NotHeldError, type WorldStore } from "./world-store.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const entryOf = (name: string) => ({
  ...{ name, created_at: 1, last_active_at: 2, pinned: false, due_at: null, closed: null },
});
const other: Owner = { node: "other", address: "http://other" };

/** A node in a database where every world is free and stored. */
const createNode = () => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  /** Epochs of this node's worlds, by the database. */
  const owned = new Map<string, number>();
  const wanted: string[] = [];
  let epoch = 1;
  const ownership = {
    ...{ node: "us", isFresh: true, failure: null as DatabaseError | null, drains: false },
    ...{ clock: { isOff: false, aheadMs: 3_000 }, ageMs: 1_000, latencyMs: 2_000 },
    beat: vi.fn(async (_address: string, found: (now: OwnedEpochs | null) => void) => found(Object.fromEntries(owned))),
    claim: vi.fn(async (name: string, _asks: boolean): Promise<Claim | Owner | number> => {
      epoch += 1;
      owned.set(name, epoch);
      return { name, owner: "us", epoch, seq: 1, entry: entryOf(name), isTakeover: false };
    }),
    release: vi.fn(async (name: string, _epoch: number, _entry?: unknown, _to?: string) => void owned.delete(name)),
    listOwned: vi.fn(async () => ({ owned: Object.fromEntries(owned), wanted: wanted.splice(0) })),
    ...{ listDue: vi.fn(async () => ["due"]), listAlive: vi.fn(async () => new Set(["other"])) },
    ...{ countElsewhere: async () => 3, offerWorlds: vi.fn(async () => undefined), stop: vi.fn(async () => undefined) },
    publishEntry: vi.fn(async () => undefined),
  };
  const store = {
    ...{ refused: 4, appended: 5, exists: vi.fn(async (name: string) => name !== "absent") },
    load: vi.fn(async (_name: string, file: string): Promise<number | null> => {
      fs.writeFileSync(file, "stored");
      return 10;
    }),
    rebase: vi.fn(async () => undefined),
  };
  const here = new Set<string>();
  const worlds = {
    ...{ getFilePath: (name: string) => path.join(folder, `${name}.sqlite`), has: (name: string) => here.has(name) },
    ...{ getEntry: (name: string) => (here.has(name) ? entryOf(name) : undefined), getBytes: () => 6 },
    ...{ withIntactWorld: vi.fn(), withOpenWorld: vi.fn(), resetsAt: () => null },
    admin: {
      takeOver: vi.fn(({ name }: { readonly name: string }) => void here.add(name)),
      leave: vi.fn(async (name: string) => void here.delete(name)),
    },
  };
  const shared = {
    ...{ worlds, log: vi.fn(), address: "http://us", deliveries: false },
    ...{ files: { leave: vi.fn() }, access: { pull: vi.fn(async () => 1) }, database: { clear: vi.fn(async () => 1) } },
    forwarding: { sent: 7, stop: vi.fn(), endDead: vi.fn(async (alive: () => Promise<unknown>) => alive()) },
  };
  const onError = vi.fn();
  const cluster = new Cluster(store as unknown as WorldStore, ownership as unknown as Ownership, onError);
  return {
    ...{ cluster, ownership, store, shared, worlds, onError, owned, wanted, folder },
    join: (given: Partial<Shared> = {}) => cluster.join({ ...(shared as unknown as Shared), ...given }),
    hold: (name = "acme") => cluster.hold(name, getCallDeadline(), true),
    figure: (name: string) => cluster.figures.find(([known]) => known === name)?.[2](),
  };
};
const joined = async (given: Partial<Shared> = {}) => {
  const node = createNode();
  await node.join(given);
  return node;
};
const settle = () => vi.advanceTimersByTimeAsync(0);
const outcome = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe("a node", () => {
  test("beats before it is ready, then does everything again at its time", async () => {
    const { ownership, shared, store, cluster } = await joined();
    const counts = () => [
      ...[ownership.beat, ownership.listOwned, ownership.listAlive].map(({ mock }) => mock.calls.length),
      ...[shared.access.pull, shared.database.clear].map(({ mock }) => mock.calls.length),
    ];
    expect([counts(), ownership.beat.mock.lastCall?.[0]]).toEqual([[1, 0, 0, 0, 0], "http://us"]);
    await vi.advanceTimersByTimeAsync(999);
    expect(counts()).toEqual([1, 9, 0, 0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(counts()).toEqual([2, 10, 1, 1, 0]);
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(counts().at(-1)).toBe(1);
    expect(ownership.listDue).not.toHaveBeenCalled();
    await cluster.stop();
    const before = counts();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([counts(), store.load.mock.calls]).toEqual([before, []]);
    expect([shared.forwarding.stop.mock.calls.length, ownership.stop.mock.calls.length]).toEqual([1, 1]);
  });

  test("does nothing twice at once, and continues after a failure", async () => {
    const { ownership, onError } = await joined();
    const slow = Promise.withResolvers<never>();
    ownership.listOwned.mockReturnValueOnce(slow.promise);
    await vi.advanceTimersByTimeAsync(500);
    expect(ownership.listOwned).toHaveBeenCalledTimes(1);
    const failure = new DatabaseError();
    slow.reject(failure);
    await vi.advanceTimersByTimeAsync(100);
    expect(ownership.listOwned).toHaveBeenCalledTimes(2);
    expect(onError.mock.calls).toEqual([[failure]]);
  });

  test("has no worlds before it has joined", async () => {
    const { cluster } = createNode();
    expect(() => cluster.shared).toThrow(NotHeldError);
    expect([cluster.owns("acme"), cluster.positions]).toEqual([false, []]);
    for (const act of [() => cluster.changing("acme"), () => cluster.indexed("acme", [])])
      expect(act).toThrow(NotHeldError);
    await expect(cluster.replicate({ name: "acme" } as World)).rejects.toThrow(NotHeldError);
    await cluster.stop();
  });

  test("does the due work of worlds that nobody has, if it delivers", async () => {
    const { worlds, cluster, ownership } = await joined({ deliveries: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(worlds.withIntactWorld.mock.lastCall?.[0]).toBe("due");
    expect([cluster.owns("due"), cluster.positions[0]]).toMatchObject([true, { name: "due", users: 0 }]);
    // Another node that has it meanwhile does it itself.
    ownership.listDue.mockResolvedValue(["others"]);
    ownership.claim.mockResolvedValue(other);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([worlds.withIntactWorld.mock.calls.length, cluster.owns("others")]).toEqual([1, false]);
  });

  test("counts what it took, sent on and stored", async () => {
    const { hold, ownership, figure } = await joined();
    await hold("acme");
    ownership.claim.mockImplementationOnce(async (name) => {
      return { name, owner: "us", epoch: 9, seq: 1, entry: entryOf(name), isTakeover: true };
    });
    await hold("lost");
    const names = ["worlds_held", "claims_total", "takeovers_total", "forwarded_total", "refused_appends_total"];
    const further = ["appended_bytes_total", "lease_age_seconds", "database_seconds", "clock_offset_seconds"];
    expect([...names, ...further].map((name) => figure(`sandbox_${name}`))).toEqual([2, 2, 1, 7, 4, 5, 1, 2, 3]);
    expect(createNode().figure("sandbox_forwarded_total")).toBe(0);
  });
});

describe("a call to a world", () => {
  test("gets its stored content, with the current access, and its log entry", async () => {
    const { hold, folder, shared, worlds, cluster } = await joined();
    const held = await hold();
    expect(fs.readdirSync(folder)).toEqual(["acme.sqlite"]);
    expect([held.users, (await hold()).users, cluster.owns("acme")]).toEqual([1, 2, true]);
    expect(worlds.admin.takeOver.mock.calls).toEqual([[entryOf("acme")]]);
    expect(shared.access.pull).toHaveBeenCalledTimes(1);
    expect(shared.log.mock.calls).toEqual([["took a world", { world: "acme", epoch: 2 }]]);
    expect(cluster.others).toBe(0);
  });

  test("may create it; otherwise its name is given back", async () => {
    const { hold, store, shared, worlds, cluster, ownership } = await joined();
    store.load.mockResolvedValue(null);
    const held = await hold("new");
    expect([worlds.admin.takeOver.mock.calls, shared.log.mock.calls, cluster.others]).toEqual([[], [], 3]);
    await hold("new");
    cluster.done(held);
    expect(held.phase).toBe("here");
    cluster.done(held);
    await settle();
    expect([cluster.owns("new"), shared.log.mock.calls]).toEqual([false, []]);
    expect(ownership.release.mock.calls).toMatchObject([["new", 2, null, undefined]]);
    const created = await hold("created");
    worlds.admin.takeOver({ name: "created" });
    cluster.done(created);
    const replaced = await hold("replaced");
    replaced.changing();
    cluster.done(replaced);
    expect([created.phase, replaced.phase]).toEqual(["here", "here"]);
  });

  test("fails with its reason if it can't be loaded, and gives it back", async () => {
    const { hold, store, folder, ownership, cluster } = await joined();
    const failure = new Error("a gap");
    store.load.mockImplementationOnce(async (_name, file) => {
      fs.writeFileSync(file, "half");
      throw failure;
    });
    expect(await outcome(hold())).toBe(failure);
    expect([ownership.release.mock.calls, fs.readdirSync(folder), cluster.owns("acme")]).toEqual([
      ...[[["acme", 2]], [], false],
    ]);
    expect((await hold()).epoch).toBe(3);
  });

  test("fails if the node counted as dead while it loaded", async () => {
    const { hold, store, ownership, cluster } = await joined();
    const slow = Promise.withResolvers<number>();
    store.load.mockReturnValueOnce(slow.promise);
    const call = outcome(hold());
    await settle();
    ownership.beat.mockImplementationOnce(async (_address, found) => found(null));
    await vi.advanceTimersByTimeAsync(1_000);
    slow.resolve(1);
    expect([await call, cluster.owns("acme")]).toEqual([expect.any(NotHeldError), false]);
    expect(ownership.release).toHaveBeenCalledWith("acme", 2);
  });

  test("fails with the reason if the lease of this node is over", async () => {
    const { hold, ownership, cluster } = await joined();
    const held = await hold();
    ownership.isFresh = false;
    expect(await outcome(hold())).toBeInstanceOf(DatabaseError);
    ownership.failure = new DatabaseError();
    expect(await outcome(hold())).toBe(ownership.failure);
    expect(await outcome(cluster.confirm("acme"))).toBe(ownership.failure);
    expect(held.users).toBe(1);
  });

  test("learns its owner once a second, unless that has given it away", async () => {
    const { cluster, ownership } = await joined();
    ownership.claim.mockResolvedValue(other);
    const ask = () => cluster.hold("acme", getCallDeadline(), false);
    expect([await ask(), await ask(), cluster.findCachedOwner("acme")]).toEqual([other, other, other]);
    expect(ownership.claim.mock.calls).toEqual([["acme", false]]);
    cluster.dropCachedOwner("acme");
    await ask();
    expect(ownership.claim).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cluster.findCachedOwner("acme")).toBeUndefined();
  });

  test("that needs it here asks its owner until the deadline, even when another asked before", async () => {
    const { cluster, hold, ownership } = await joined();
    const slow = Promise.withResolvers<Owner>();
    ownership.claim.mockReturnValueOnce(slow.promise);
    const looks = cluster.hold("acme", getCallDeadline(), false);
    const needs = hold();
    slow.resolve(other);
    expect(await looks).toBe(other);
    await vi.advanceTimersByTimeAsync(5);
    expect((await needs).name).toBe("acme");
    expect(ownership.claim.mock.calls.map(([, asks]) => asks)).toEqual([false, true]);
    ownership.claim.mockResolvedValue(60);
    const began = performance.now();
    const waits = outcome(hold("busy"));
    await vi.advanceTimersByTimeAsync(6_900);
    expect(ownership.claim.mock.calls.length).toBeGreaterThan(100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await waits).toBeInstanceOf(NotHeldError);
    expect(performance.now() - began).toBeLessThanOrEqual(7_000);
  });

  test("whose world loads too slowly gets 503 in time, and a later one finds it", async () => {
    const { hold, ownership, store } = await joined();
    const comes = Promise.withResolvers<null>();
    store.load.mockReturnValue(comes.promise);
    const call = outcome(hold());
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await call).toBeInstanceOf(NotHeldError);
    comes.resolve(null);
    expect((await hold()).name).toBe("acme");
    // The world was claimed and loaded once.
    expect([ownership.claim.mock.calls.length, store.load.mock.calls.length]).toEqual([1, 1]);
  });

  test("that may be missing looks once a second for each key", async () => {
    const { cluster, store, hold, ownership } = await joined();
    const looks = async (name: unknown, key?: string) => [
      await cluster.canExist(name, key),
      store.exists.mock.calls.length,
    ];
    expect([await looks("absent"), await looks("absent")]).toEqual([...[[false, 1]], [false, 1]]);
    expect([await looks("absent", "key"), await looks("stored")]).toEqual([...[[false, 2]], [true, 3]]);
    for (const name of ["stored", "n!", undefined]) expect(await looks(name)).toEqual([true, 4]);
    await hold("absent");
    expect(await looks("absent")).toEqual([true, 4]);
    ownership.claim.mockResolvedValueOnce(other);
    await cluster.hold("others", getCallDeadline(), false);
    expect(await looks("others")).toEqual([true, 4]);
    await looks("absent", "another");
    await vi.advanceTimersByTimeAsync(1_000);
    store.exists.mockClear();
    await cluster.canExist("gone");
    expect(store.exists).toHaveBeenCalledTimes(1);
  });
});

describe("a world that leaves", () => {
  const leftWith = ({ ownership, worlds, shared }: ReturnType<typeof createNode>) => [
    ownership.release.mock.calls.map(([name, epoch, entry, to]) => [name, epoch, entry !== undefined, to]),
    worlds.admin.leave.mock.calls.map(([name]) => name),
    shared.files.leave.mock.calls.map(([name]) => name),
    shared.log.mock.calls.filter(([what]) => what !== "took a world"),
  ];

  test("waits for its calls, takes no new ones, and is stored before the next node gets it", async () => {
    const node = await joined();
    const held = await node.hold();
    node.wanted.push("acme");
    await vi.advanceTimersByTimeAsync(100);
    expect([held.phase, node.cluster.owns("acme"), leftWith(node)[0]]).toEqual(["leaving", true, []]);
    const next = node.hold();
    await vi.advanceTimersByTimeAsync(50);
    expect(held.users).toBe(1);
    node.cluster.done(held);
    await vi.advanceTimersByTimeAsync(5);
    expect(leftWith(node)).toEqual([
      ...[[["acme", 2, true, undefined]], ["acme"], ["acme"]],
      [["released a world", { world: "acme", epoch: 2 }]],
    ]);
    await vi.advanceTimersByTimeAsync(5);
    expect(await next).toMatchObject({ epoch: 3, users: 1 });
  });

  test("doesn't wait longer than two seconds for its calls, which then fail", async () => {
    const { hold, wanted, cluster } = await joined();
    const held = await hold();
    wanted.push("acme");
    await vi.advanceTimersByTimeAsync(2_095);
    expect(held.phase).toBe("leaving");
    await vi.advanceTimersByTimeAsync(10);
    expect(held.phase).toBe("gone");
    expect(await outcome(cluster.confirm("acme", held))).toBeInstanceOf(NotHeldError);
    expect(await outcome(cluster.confirm("acme"))).toBeInstanceOf(NotHeldError);
  });

  test("is lost without a word to the database if another node has it", async () => {
    const node = await joined();
    const [held, kept] = [await node.hold(), await node.hold("kept")];
    node.ownership.listOwned.mockReturnValue(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(node.cluster.owns("acme")).toBe(true);
    node.owned.set("acme", 9);
    const slow = Promise.withResolvers<undefined>();
    node.worlds.admin.leave.mockReturnValueOnce(slow.promise);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([held.phase, kept.phase, node.cluster.owns("acme")]).toEqual(["gone", "here", false]);
    // Its file is still being closed.
    expect(node.cluster.positions).toEqual([kept]);
    expect(() => node.cluster.changing("acme")).toThrow(NotHeldError);
    node.cluster.done(held);
    expect(held.phase).toBe("gone");
    expect(leftWith(node)).toEqual([...[[], ["acme"], ["acme"]], [["lost a world", { world: "acme", epoch: 2 }]]]);
  });

  test("is lost as soon as the node finds another owner, without a heartbeat", async () => {
    const { hold, owned, ownership, cluster } = await joined();
    ownership.beat.mockReturnValue(new Promise(() => undefined));
    const [held, kept] = [await hold(), await hold("kept")];
    owned.set("acme", 9);
    await vi.advanceTimersByTimeAsync(100);
    expect([held.phase, kept.phase, ownership.release.mock.calls]).toEqual(["gone", "here", []]);
    expect(cluster.positions).toEqual([kept]);
  });

  test("is lost with all others if the node counted as dead", async () => {
    const { hold, ownership, cluster, owned } = await joined();
    const held = [await hold(), await hold("other")];
    owned.clear();
    ownership.beat.mockImplementationOnce(async (_address, found) => found(null));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([held.map(({ phase }) => phase), cluster.positions]).toEqual([["gone", "gone"], []]);
    expect(ownership.release).not.toHaveBeenCalled();
  });

  test("is left even if it can't be stored or deleted, with the reasons in the log", async () => {
    const { hold, wanted, worlds, cluster, onError, ownership } = await joined();
    const held = await hold();
    cluster.done(held);
    const failures = [new Error("stores"), new Error("leaves")];
    worlds.withOpenWorld.mockRejectedValueOnce(failures[0]);
    worlds.admin.leave.mockRejectedValueOnce(failures[1]);
    wanted.push("acme");
    await vi.advanceTimersByTimeAsync(100);
    expect([onError.mock.calls.flat(), ownership.release.mock.calls]).toEqual([failures, []]);
    expect(cluster.owns("acme")).toBe(false);
    expect((await hold()).phase).toBe("here");
  });

  test("goes to the node that sends at least two thirds of its calls", async () => {
    const { hold, cluster, ownership } = await joined();
    const calls = { even: [5, 5], few: [4, 6], most: [2, 4], own: [9, 1], none: [0, 0] } as const;
    const held: HeldWorld[] = [];
    for (const [name, [ours, others]] of Object.entries(calls)) {
      const one = await hold(name);
      for (const [from, many] of [["us", ours] as const, ["other", others] as const])
        if (many > 0) one.calls.set(from, many);
      cluster.done(one);
      held.push(one);
    }
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ownership.release).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ownership.release.mock.calls.map(([name, , , to]) => [name, to])).toEqual([["most", "other"]]);
    expect(held.map((one) => one.calls.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("that this node doesn't know is given back, or taken if nobody else wants it", async () => {
    const { owned, wanted, ownership, cluster, worlds } = await joined();
    owned.set("asked-for", 6).set("given", 7);
    wanted.push("asked-for");
    await vi.advanceTimersByTimeAsync(100);
    expect(ownership.release.mock.calls).toEqual([["asked-for", 6]]);
    expect([cluster.owns("given"), worlds.withIntactWorld.mock.calls.map(([name]) => name)]).toEqual([
      ...[true, expect.arrayContaining(["given"])],
    ]);
  });
});

test("the entry of a world is published after what it has stored, and not once the world has left", async () => {
  const { hold, cluster, ownership, worlds } = await joined();
  worlds.withOpenWorld.mockImplementation(() => undefined);
  const held = await hold("w0");
  await cluster.publishEntry(held);
  expect(ownership.publishEntry.mock.calls).toEqual([[held.epoch, { ...entryOf("w0"), bytes: 6 }]]);
  await worlds.admin.leave("w0");
  await cluster.publishEntry(held);
  expect(ownership.publishEntry).toHaveBeenCalledTimes(1);
});

describe("a node that is to have no worlds", () => {
  test.each(["is drained", "has a wrong clock"] as const)(
    "because it %s gives them away, refuses calls, and recovers",
    async (why) => {
      const { cluster, ownership, hold, shared, onError, owned } = await joined({ deliveries: true });
      const held = await hold();
      cluster.done(held);
      ownership.listDue.mockResolvedValue([]);
      cluster.checkedAt = Date.now() + 1_000;
      const set = (on: boolean): void => {
        if (why === "is drained") ownership.drains = on;
        else ownership.clock.isOff = on;
      };
      set(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([cluster.drainReason, ownership.offerWorlds.mock.calls.length, held.phase]).toEqual([why, 1, "here"]);
      await vi.advanceTimersByTimeAsync(2_600);
      expect([held.phase, cluster.positions]).toEqual(["gone", []]);
      expect(await outcome(hold())).toMatchObject({
        message: expect.stringMatching(/its worlds move to other nodes\. Try/),
      });
      expect(await outcome(hold())).toBeInstanceOf(NotDurableError);
      // Logged once; a drain that an operator asked for is not an error.
      await vi.advanceTimersByTimeAsync(3_000);
      const told = shared.log.mock.calls.filter(([what]) => String(what).includes("worlds move"));
      expect([told.length, onError.mock.calls.length]).toEqual(why === "is drained" ? [1, 0] : [0, 1]);
      ownership.listDue.mockClear();
      owned.set("given", 3);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([ownership.listDue.mock.calls, cluster.owns("given")]).toEqual([[], false]);
      set(false);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([cluster.drainReason, (await hold()).phase]).toEqual([null, "here"]);
    },
  );

  test("because its disk is full gives them away at once if no balancer checks it", async () => {
    const { cluster, hold, onError, ownership } = await joined();
    const held = await hold();
    cluster.done(held);
    vi.spyOn(fs, "statfsSync").mockReturnValue({ bavail: 1, bsize: 1024 * 1024 - 1 } as unknown as fs.StatsFs &
      fs.BigIntStatsFs);
    await vi.advanceTimersByTimeAsync(1_000);
    await settle();
    expect([cluster.drainReason, held.phase, ownership.offerWorlds.mock.calls]).toEqual(["is full", "gone", []]);
    expect(String(onError.mock.lastCall)).toContain("The disk of this node is full");
    vi.spyOn(fs, "statfsSync").mockReturnValue({ bavail: 1, bsize: 1024 * 1024 } as unknown as fs.StatsFs &
      fs.BigIntStatsFs);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cluster.drainReason).toBeNull();
  });

  test("because it stops stays until balancers know and its calls have ended, at most eight seconds", async () => {
    const { cluster, hold, ownership } = await joined();
    const [held, idle] = [await hold(), await hold("idle")];
    cluster.done(idle);
    let isOver = false;
    cluster.checkedAt = Date.now() - 5_000;
    const left = cluster.leave().then(() => {
      isOver = true;
    });
    expect(cluster.drainReason).toBe("stops");
    await vi.advanceTimersByTimeAsync(2_600);
    expect([isOver, ownership.offerWorlds.mock.calls.length]).toEqual([false, 1]);
    // A drain that ends meanwhile doesn't change that.
    cluster.done(held);
    await vi.advanceTimersByTimeAsync(10);
    expect([isOver, cluster.drainReason]).toEqual([true, "stops"]);
    await left;
    // A waiting call counts as well.
    ownership.claim.mockResolvedValue(60);
    const waits = outcome(cluster.hold("busy", performance.now() + 60_000, true));
    cluster.checkedAt = Date.now();
    isOver = false;
    void cluster.leave().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(2_500 + 7_990);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(isOver).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    await waits;
    cluster.checkedAt = Date.now() - 5_001;
    await cluster.leave();
    expect(ownership.offerWorlds).toHaveBeenCalledTimes(2);
  });

  test("stores and releases them all when it stops, then leaves", async () => {
    const { cluster, hold, ownership } = await joined();
    for (const name of ["a", "b"]) cluster.done(await hold(name));
    const slow = Promise.withResolvers<undefined>();
    ownership.release.mockReturnValueOnce(slow.promise);
    const stopped = cluster.stop();
    await vi.advanceTimersByTimeAsync(50);
    expect([ownership.release.mock.calls.length, ownership.stop.mock.calls.length]).toEqual([2, 0]);
    slow.resolve(undefined);
    await vi.advanceTimersByTimeAsync(5);
    await stopped;
    expect([cluster.positions, ownership.stop.mock.calls.length]).toEqual([[], 1]);
  });
});
