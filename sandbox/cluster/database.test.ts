import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MAX_STRAY_CALLS, type StrayCall } from "../contract/control/activity-operations.ts";
import { type AuditKind, MAX_AUDIT_ENTRIES } from "../contract/control/service-operations.ts";
import { ACTIVITY_MS, MAX_ACTIVITY_ROWS } from "../storage/activity-store.ts";
import type { AuditRecord } from "../storage/audit-store.ts";
import { type IssuedEvidence, MAX_EVIDENCE } from "../storage/evidence-store.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { createQueue, SharedDatabase, unencrypted } from "./database.ts";
import { sharedActivity, sharedAudit, sharedEvidence } from "./shared-records.ts";

test.each([
  ["postgres://me:s3cret@db.example.com/box", true],
  ["postgres://me:s3cret@10.0.0.7:5433/box?sslmode=disable", true],
  ["postgres://me:s3cret@db.example.com/box?sslmode=verify-full", false],
  ["postgres://me:s3cret@localhost/box", false],
  ["postgres://me:s3cret@127.0.0.1/box", false],
  ["postgres://me:s3cret@[::1]:5432/box", false],
  ["postgres://me:s3cret@%2Frun%2Fpostgresql/box", false],
])("warns for %s about an unencrypted connection: %s", (url, isSaid) => {
  const warning = unencrypted(url);
  expect(warning !== null).toBe(isSaid);
  expect(String(warning)).not.toMatch(/s3cret|me:/);
  if (isSaid) expect(warning).toContain("sslmode=verify-full");
});

const postgres = await TestPostgres.start();

describe("the database of several nodes", () => {
  beforeEach(async (context) => {
    context.skip(postgres === null, NO_POSTGRES);
    const tables = "sandbox_audit, sandbox_evidence, sandbox_activity, sandbox_strays";
    await database.run(`TRUNCATE ${tables} RESTART IDENTITY`);
  });
  const onError = vi.fn();
  const database = new SharedDatabase(postgres?.url ?? "", 2, onError);
  beforeAll(async () => {
    if (postgres) await database.prepare("");
  });
  afterAll(async () => {
    await database.close();
    await postgres?.end();
  });
  const count = async (from: string) => Number((await database.run(`SELECT count(*) FROM ${from}`))[0]?.count);

  test("lists audited calls by world and kind, newest first, also those of earlier versions", async () => {
    const audit = sharedAudit(database);
    const of = (world: string | null, kind: AuditKind | null = null) => ({ world, kind });
    const record = (world: string, kind: AuditKind, at: number) =>
      ({ kind, world, at, operation: "worlds.pin", detail: { name: "x" } }) as unknown as AuditRecord;
    const [first, second, third] = [record("a", "change", 1), record("a", "other", 2), record("b", "change", 3)];
    for (const one of [first, second, third]) await audit.insert(one);
    const insert = "INSERT INTO sandbox_audit (record) VALUES ($1)";
    await database.run(insert, [JSON.stringify({ world: "old", detail: "id=7" })]);
    const list = await audit.list(of(null), 1_000, 10);
    expect(list).toMatchObject([{ kind: "change", detail: { text: "id=7" } }, third, second, first]);
    expect(await audit.list(of(null), list[0]?.seq ?? 0, 2)).toMatchObject([third, second]);
    expect(await audit.list(of("a"), 1_000, 10)).toMatchObject([second, first]);
    expect(await audit.list(of("a", "other"), 1_000, 10)).toMatchObject([second]);
    expect([await audit.count(of(null)), await audit.count(of("a")), await audit.count(of(null, "change"))]).toEqual([
      ...[4, 2, 3],
    ]);
  });

  test("lists evidence with its revocation, and drops the oldest of a world, but none that is revoked", async () => {
    const register = sharedEvidence(database);
    const issued = (id: string, world: string, integration_id = "i") =>
      ({ id, world, integration_id }) as unknown as IssuedEvidence;
    const list = async (world: string | null, given: object = {}, before = 1_000_000, limit = 2_000) => {
      const found = await register.list({ world, id: null, integration_id: null, ...given }, before, limit);
      return found.map(({ id }) => id);
    };
    for (const one of [issued("a1", "a"), issued("a2", "a", "j"), issued("b1", "b")]) await register.insert(one);
    expect([await list(null), await list("a"), await list(null, { id: "a2" })]).toEqual([
      ...[["b1", "a2", "a1"], ["a2", "a1"], ["a2"]],
    ]);
    expect([await list("a", { integration_id: "j" }), await list(null, {}, 1_000_000, 1)]).toEqual([["a2"], ["b1"]]);
    await register.revoke("a1", "b", 5, "another world");
    await register.revoke("a1", "a", 6, "lost");
    await register.revoke("a1", "a", 7, "again");
    const [a2, a1] = await register.list({ world: "a", id: null, integration_id: null }, 1_000, 10);
    expect([a1, a2]).toMatchObject([
      { ...issued("a1", "a"), revoked_at: 6, revoked_for: "lost" },
      { revoked_at: null, revoked_for: null },
    ]);
    expect(await list(null, {}, a2?.seq ?? 0)).toEqual(["a1"]);
    await database.run(
      "INSERT INTO sandbox_evidence (id, world, record) SELECT n, 'a', json_build_object('id', n::text) FROM generate_series(1, $1::int) n",
      [MAX_EVIDENCE - 1],
    );
    await register.insert(issued("last", "a"));
    const kept = await list("a");
    expect([kept.length, kept[0], kept.includes("a2"), kept.at(-1)]).toEqual([MAX_EVIDENCE + 1, "last", false, "a1"]);
    expect(await list("b")).toEqual(["b1"]);
  });

  test("adds up failures, lists them by world and time, and drops those of a deleted world", async () => {
    const activity = sharedActivity(database);
    const failed = (world: string, minute: number, more = {}) => ({
      ...{ minute, world, failure: { status: 500 }, count: 2, last_at: minute, last_id: "a", last_operation: null },
      ...more,
    });
    const add = (...all: object[]) => activity.add(all as never);
    const rows = (world: string | null, from = 0, after = 0, limit = 10) =>
      activity.rows({ world, from }, after, limit);
    await add(failed("a", 10), failed("b", 20));
    await add(failed("a", 10, { count: 3, last_at: 11, last_id: "b", last_operation: "x" }), failed("a", 30));
    const all = await rows(null);
    expect(all).toMatchObject([
      { world: "a", minute: 10, failure: { status: 500 }, count: 5, last_at: 11, last_id: "b", last_operation: "x" },
      ...[{ world: "b", count: 2 }, { minute: 30 }],
    ]);
    const seqOf = (at: number) => all[at]?.seq ?? 0;
    expect([await rows("a", 20), await rows(null, 0, seqOf(0), 1)]).toMatchObject([[{ minute: 30 }], [{ world: "b" }]]);
    await activity.deleteWorld("a");
    expect(await rows(null)).toMatchObject([{ world: "b" }]);
    // Entries that are too old are removed silently; a flood is logged.
    await activity.trim(20 + ACTIVITY_MS);
    expect([(await rows(null)).length, await activity.dropped()]).toEqual([1, 0]);
    await database.run(
      `INSERT INTO sandbox_activity (minute, world, failure, count, last_at, last_id)
       SELECT 100 + n, 'c', '{}', 1, 1, 'x' FROM generate_series(1, $1::int) n`,
      [MAX_ACTIVITY_ROWS],
    );
    await activity.trim(21 + ACTIVITY_MS);
    expect([await count("sandbox_activity"), await activity.dropped()]).toEqual([MAX_ACTIVITY_ROWS, 0]);
    await add(failed("c", 100));
    await activity.trim(0);
    expect([await count("sandbox_activity"), await activity.dropped()]).toEqual([MAX_ACTIVITY_ROWS, 100]);
  });

  test("keeps the newest calls to unknown worlds", async () => {
    const activity = sharedActivity(database);
    const calls = Array.from({ length: MAX_STRAY_CALLS + 1 }, (_, n) => ({ n }) as unknown as StrayCall);
    const strays = async () => (await activity.strays()).map((call) => JSON.parse(call));
    await activity.keep(calls.slice(0, 3));
    expect(await strays()).toEqual([{ n: 2 }, { n: 1 }, { n: 0 }]);
    await activity.keep(calls.slice(3));
    const kept = await strays();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([MAX_STRAY_CALLS, { n: MAX_STRAY_CALLS }, { n: 1 }]);
  });

  test("stores large contents in parts, and clears those that nothing refers to after an hour", async () => {
    const content = randomBytes(2 * 1024 * 1024 + 1);
    for (const id of ["free", "recent", "in-world", "in-file"]) await database.put(id, content);
    expect((await database.get("free")).equals(content)).toBe(true);
    expect([await count("sandbox_blobs"), (await database.get("nothing")).length]).toEqual([12, 0]);
    await database.put("even", content.subarray(0, 1024 * 1024));
    expect(await count("sandbox_blobs WHERE id = 'even'")).toBe(1);
    await database.put("short", content.subarray(0, 5));
    const run = vi.spyOn(database, "run");
    expect((await database.get("short")).equals(content.subarray(0, 5))).toBe(true);
    expect(run.mock.calls.length).toBe(1);
    expect((await database.get("even")).equals(content.subarray(0, 1024 * 1024))).toBe(true);
    run.mockRestore();
    await database.run("UPDATE sandbox_blobs SET stored_at = now() - interval '61 minutes'");
    await database.run("INSERT INTO sandbox_files VALUES ('scenarios/x', 'in-file')");
    await database.run("INSERT INTO sandbox_worlds (name, snapshot) VALUES ('w', 'in-world')");
    // Storing it again keeps it for another file.
    await database.put("recent", content);
    await database.clear();
    const left = await database.run("SELECT DISTINCT id FROM sandbox_blobs ORDER BY id");
    expect(left.map(({ id }) => id)).toEqual(["in-file", "in-world", "recent"]);
  });

  test("clears nodes that were silent for a day and have no worlds, and old audit entries of each kind", async () => {
    const node =
      "INSERT INTO sandbox_nodes VALUES (gen_random_uuid(), $1, now() - $2 * interval '1 hour') RETURNING id";
    const [first] = await database.run(node, ["has a world", 25]);
    await database.run(node, ["forgotten", 25]);
    await database.run(node, ["recent", 23]);
    await database.run("INSERT INTO sandbox_worlds (name, owner) VALUES ('its', $1)", [first?.id]);
    await database.run("DELETE FROM sandbox_audit");
    await database.run(
      `INSERT INTO sandbox_audit (record) SELECT json_build_object('kind', k, 'n', n)
       FROM unnest(ARRAY['change', 'read']) k, generate_series(1, $1::int) n WHERE k = 'change' OR n = 1 ORDER BY n`,
      [MAX_AUDIT_ENTRIES + 1],
    );
    await database.clear();
    const left = await database.run("SELECT address FROM sandbox_nodes ORDER BY address");
    expect(left.map(({ address }) => address)).toEqual(["has a world", "recent"]);
    const audit = sharedAudit(database);
    expect([await audit.count({ world: null, kind: "change" }), await count("sandbox_audit")]).toEqual([
      ...[MAX_AUDIT_ENTRIES, MAX_AUDIT_ENTRIES + 1],
    ]);
    expect(await count("sandbox_audit WHERE record ->> 'kind' = 'change' AND record ->> 'n' = '1'")).toBe(0);
  });

  test("logs why a statement failed, and says when its disk is full", async () => {
    await expect(database.run("SELECT 1 / 0")).rejects.toThrow("does not respond");
    expect(String(onError.mock.lastCall)).toContain("division by zero");
    const full = "DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$";
    await expect(database.run(full)).rejects.toThrow("is full");
  });

  test("logs a connection that the server ended while nothing used it", async () => {
    const idle = vi.fn();
    const other = new SharedDatabase(postgres?.url ?? "", 1, idle);
    onTestFinished(() => other.close());
    const [row] = await other.run("SELECT pg_backend_pid() AS pid");
    await database.run("SELECT pg_terminate_backend($1)", [row?.pid]);
    await expect.poll(() => String(idle.mock.lastCall)).toContain("terminating connection");
    expect(await other.run("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("is refused if it may lose what it has acknowledged", async () => {
    const off = new SharedDatabase(`${postgres?.url}?options=-csynchronous_commit%3Doff`, 1, onError);
    onTestFinished(() => off.close());
    await expect(off.prepare("")).rejects.toThrow("its synchronous_commit must be on");
    expect(await database.ownAddress()).toBe("127.0.0.1");
  });
});

test("work in a queue runs one after the other, whatever fails", async () => {
  const enqueue = createQueue();
  const first = Promise.withResolvers<number>();
  const began: number[] = [];
  const begin = <T>(n: number, work: Promise<T>) =>
    enqueue(() => {
      began.push(n);
      return work;
    }).catch((error: unknown) => error);
  const all = [begin(1, first.promise), begin(2, Promise.resolve("two"))];
  await new Promise(setImmediate);
  expect(began).toEqual([1]);
  first.reject("failed");
  expect([await Promise.all(all), began]).toEqual([
    ["failed", "two"],
    [1, 2],
  ]);
});
