import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { setRealTime } from "../storage/real-time.ts";
import type { WorldEntry } from "../storage/service-database.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { DatabaseError, SharedDatabase } from "./database.ts";
import { type Claim, Ownership } from "./ownership.ts";

const postgres = await TestPostgres.start();
afterEach(() => setRealTime(null));

describe("nodes that share worlds", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const database = new SharedDatabase(postgres?.url ?? "", 4, () => undefined);
  beforeAll(async () => {
    if (postgres) await database.prepare("");
  });
  afterEach(async () => {
    if (postgres) await database.run("TRUNCATE sandbox_nodes, sandbox_worlds");
  });
  afterAll(async () => {
    await database.close();
    await postgres?.end();
  });

  const join = async (address = "http://127.0.0.1:1"): Promise<Ownership> => {
    const node = new Ownership(database, database);
    await node.beat(address, () => undefined);
    return node;
  };
  const join3 = async () => [await join(), await join(), await join()] as const;
  const rowOf = async (name: string) => (await database.run("SELECT * FROM sandbox_worlds WHERE name = $1", [name]))[0];
  const store = (name: string, columns: Readonly<Record<string, unknown>> = {}) => {
    const row = { name, epoch: 4, seq: 7, snapshot: "some", ...columns };
    const insert = "INSERT INTO sandbox_worlds SELECT (json_populate_record(NULL::sandbox_worlds, $1)).*";
    return database.run(insert, [JSON.stringify({ base_seq: 0, ...row })]);
  };
  const silence = ({ node }: Ownership, ms: number) =>
    database.run("UPDATE sandbox_nodes SET beat = now() - $2 * interval '1 ms' WHERE id = $1", [node, ms]);
  const entry = { name: "acme", created_at: 1, last_active_at: 2, pinned: true, due_at: 5, closed: null };

  test("take a free world, which keeps its entry and its count of changes", async () => {
    const node = await join();
    const claim = await node.claim("new", false);
    expect(claim).toMatchObject({ name: "new", owner: node.node, epoch: 1, seq: 0, isTakeover: false });
    expect((claim as Claim).entry).toMatchObject({ name: "new", pinned: false, due_at: null, closed: null });
    expect(Math.abs((claim as Claim).entry.created_at - Date.now())).toBeLessThan(10_000);
    await store("acme", { entry: JSON.stringify({ ...entry, name: "another" }), wanted_by: node.node });
    expect(await node.claim("acme", false)).toEqual({
      ...{ name: "acme", owner: node.node, epoch: 5, seq: 7, entry, isTakeover: false },
    });
    expect(await rowOf("acme")).toMatchObject({ owner: node.node, wanted_by: null, due_at: "0" });
    // A node that lost its copy takes its own world again.
    expect(await node.claim("acme", true)).toMatchObject({ epoch: 6, isTakeover: false });
  });

  test("that ask at once get a world once", async () => {
    const nodes = await join3();
    await store("acme");
    const answers = await Promise.all(nodes.map((node) => node.claim("acme", true)));
    expect(answers.filter((one) => typeof one === "object")).toHaveLength(1);
    expect(await rowOf("acme")).toMatchObject({ epoch: "5" });
  });

  test("learn of an owner that lives, and request its world only to move it", async () => {
    const [owner, other, third] = await join3();
    await owner.claim("acme", true);
    expect(await other.claim("acme", false)).toEqual({ node: owner.node, address: "http://127.0.0.1:1" });
    expect(await owner.listOwned()).toEqual({ owned: { acme: 1 }, wanted: [] });
    for (const node of [other, third]) expect(await node.claim("acme", true)).toBeLessThan(100);
    expect((await rowOf("acme"))?.wanted_by).toBe(other.node);
    expect([await owner.listOwned(), await other.listOwned()]).toEqual([
      { owned: { acme: 1 }, wanted: ["acme"] },
      { owned: {}, wanted: [] },
    ]);
  });

  test("request a world that is offered, even if its owner could be called", async () => {
    const [owner, other, third] = await join3();
    await owner.claim("acme", true);
    await third.claim("kept", true);
    await owner.offerWorlds();
    expect(await other.claim("acme", false)).toBeLessThan(100);
    expect(await other.claim("kept", false)).toMatchObject({ node: third.node });
    expect((await rowOf("acme"))?.wanted_by).toBe(other.node);
  });

  test("wait for a silent owner, and take its world when it counts as dead", async () => {
    const [owner, other] = await join3();
    await owner.claim("acme", true);
    await silence(owner, 1_500);
    expect(await other.claim("acme", false)).toMatchObject({ node: owner.node });
    await silence(owner, 2_500);
    expect(await other.claim("acme", true)).toBe(500);
    await silence(owner, 4_700);
    expect(await other.claim("acme", true)).toBeLessThanOrEqual(300);
    expect((await rowOf("acme"))?.wanted_by).toBeNull();
    expect(await other.listAlive()).toContain(owner.node);
    await silence(owner, 5_100);
    expect(await other.listAlive()).not.toContain(owner.node);
    expect(await other.claim("acme", true)).toMatchObject({ owner: other.node, epoch: 2, isTakeover: true });
    // The database's clock was set back: nobody knows how long this node has been silent.
    await silence(other, -5_100);
    expect(await owner.listAlive()).not.toContain(other.node);
  });

  test("release a world with its entry, to the next owner, the one that asked, or none", async () => {
    const [node, other, third] = await join3();
    const release = async (given: WorldEntry | null | undefined, to: string | null, wanted: string | null) => {
      await database.run("DELETE FROM sandbox_worlds");
      const old = JSON.stringify({ ...entry, pinned: false });
      await store("acme", { owner: node.node, wanted_by: wanted, due_at: 3, entry: old });
      await node.release("acme", 4, given, to);
      const row = await rowOf("acme");
      return [row?.owner, row?.wanted_by, row?.due_at, JSON.parse(String(row?.entry)).pinned];
    };
    expect(await release(entry, null, null)).toEqual([null, null, "5", true]);
    expect(await release({ ...entry, due_at: null }, null, other.node)).toEqual([other.node, null, null, true]);
    expect(await release(null, third.node, other.node)).toEqual([third.node, null, null, false]);
    expect(await release(undefined, null, null)).toEqual([null, null, "0", false]);
    await third.stop();
    expect(await release(entry, third.node, null)).toEqual([null, null, "5", true]);
  });

  test("release a name that was never stored without a trace, and nothing of a later owner", async () => {
    const [node, other] = await join3();
    await node.claim("named", true);
    await node.release("named", 1);
    expect(await rowOf("named")).toBeUndefined();
    await store("acme", { owner: node.node });
    await node.release("acme", 3, entry);
    await other.release("acme", 4, entry);
    await node.publishEntry(3, entry);
    expect(await rowOf("acme")).toMatchObject({ owner: node.node, entry: null });
    await node.publishEntry(4, entry);
    expect(JSON.parse(String((await rowOf("acme"))?.entry))).toEqual(entry);
  });

  test("find due worlds without a live owner, the longest overdue first", async () => {
    const [node, dead, other] = await join3();
    await silence(dead, 6_000);
    const now = Date.now();
    await store("free", { due_at: now - 20 });
    await store("lost", { due_at: now - 30, owner: dead.node });
    await store("later", { due_at: now + 60_000 });
    await store("later-lost", { due_at: now + 60_000, owner: dead.node });
    await store("others", { due_at: 1, owner: other.node });
    await store("nothing-due");
    await store("../outside", { due_at: 1 });
    expect(await node.listDue()).toEqual(["lost", "free"]);
  });

  test("know the worlds of others, but no name without content", async () => {
    const [node, other] = await join3();
    await store("own", { owner: node.node });
    await store("named", { owner: other.node, snapshot: null });
    expect([await node.countElsewhere(), await node.elsewhere()]).toEqual([0, []]);
    await store("free", { entry: JSON.stringify({ pinned: true }) });
    await store("others", { owner: other.node });
    expect(await node.countElsewhere()).toBe(2);
    const found = (await node.elsewhere()).toSorted((one, next) => (one.name < next.name ? -1 : 1));
    expect(found).toMatchObject([
      { name: "free", pinned: true, node: null },
      { name: "others", pinned: false, node: other.node },
    ]);
  });

  test("are listed with their state, and drained by an operator", async () => {
    const [node, dead] = [await join("http://a"), await join("http://b")];
    await node.claim("acme", true);
    await silence(dead, 7_000);
    const listed = await node.nodes.list();
    expect(listed).toMatchObject([
      { id: node.node, address: "http://a", state: "serves", worlds: 1 },
      { id: dead.node, address: "http://b", state: "dead", worlds: 0 },
    ]);
    expect(listed.map(({ beat_seconds }) => Math.round(beat_seconds))).toEqual([0, 7]);
    expect(await dead.nodes.drain(node.node)).toMatchObject({ id: node.node, state: "drains" });
    expect(node.drains).toBe(false);
    await node.beat("http://a", () => undefined);
    expect(node.drains).toBe(true);
    expect(await node.nodes.drain("00000000-0000-4000-8000-000000000000")).toBeUndefined();
  });

  test("leave their worlds free and their name removed when they stop", async () => {
    const [node, other] = await join3();
    await node.claim("acme", true);
    await other.claim("acme", true);
    await other.claim("kept", true);
    expect(node.isFresh).toBe(true);
    await node.stop();
    expect(await rowOf("acme")).toMatchObject({ owner: null, wanted_by: null });
    expect(await rowOf("kept")).toMatchObject({ owner: other.node });
    expect(await other.listAlive()).not.toContain(node.node);
    expect(node.isFresh).toBe(false);
  });
});

describe("a node's heartbeat", () => {
  /** A node whose database answers after `takes` milliseconds. */
  const beating = () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const run = vi.fn(async () => [{ drains: false, at: Date.now(), owned: { acme: 1 } as object | null }]);
    const beats = { run } as unknown as SharedDatabase;
    const node = new Ownership(beats, beats);
    const found = vi.fn();
    return { node, run, found, beat: () => node.beat("http://a", found) };
  };

  test("gives it its worlds for three seconds from when it was sent", async () => {
    const { node, run, found, beat } = beating();
    expect(node.isFresh).toBe(false);
    run.mockImplementationOnce(async () => {
      vi.advanceTimersByTime(40);
      return [{ drains: false, at: Date.now(), owned: null }];
    });
    // Nobody knows what happened before the first one.
    found.mockImplementationOnce(() => expect(node.isFresh).toBe(false));
    await beat();
    expect([found.mock.lastCall, node.latencyMs, node.ageMs]).toEqual([[null], 40, 40]);
    vi.advanceTimersByTime(2_959);
    expect(node.isFresh).toBe(true);
    vi.advanceTimersByTime(1);
    expect(node.isFresh).toBe(false);
    await beat();
    expect([found.mock.lastCall, node.isFresh]).toEqual([[{ acme: 1 }], true]);
  });

  test("that is five seconds late loses all worlds, even if the machine slept", async () => {
    const { run, found, beat } = beating();
    await beat();
    run.mockImplementation(async () => [{ drains: false, at: Date.now(), owned: null }]);
    vi.advanceTimersByTime(4_999);
    await beat();
    expect(found).toHaveBeenLastCalledWith({});
    vi.advanceTimersByTime(5_000);
    await beat();
    expect(found).toHaveBeenLastCalledWith(null);
    // Only the wall clock advances during sleep, here by less than counts as a set clock.
    await beat();
    const at = Date.now();
    vi.advanceTimersByTime(4_500);
    vi.setSystemTime(at + 5_100);
    run.mockImplementation(async () => [{ drains: false, at: at + 5_100, owned: null }]);
    await beat();
    expect(found).toHaveBeenLastCalledWith(null);
  });

  test("that fails keeps its error until the next one succeeds", async () => {
    const { node, run, found, beat } = beating();
    const failure = new DatabaseError();
    run.mockRejectedValueOnce(failure);
    await expect(beat()).rejects.toBe(failure);
    expect([node.failure, node.isFresh, found.mock.calls]).toEqual([failure, false, []]);
    await beat();
    expect(node.failure).toBeNull();
  });
});
