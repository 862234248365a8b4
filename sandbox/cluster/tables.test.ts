import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { tokensCreate, tokensCurrent } from "../contract/control/service-operations.ts";
import { jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { newKeys } from "../host/data-folder.ts";
import { StartError } from "../host/start-error.ts";
import { ACCESS_SCHEMA, AccessStore, PLANS_SCHEMA } from "../storage/access-store.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { newOwnKeys } from "../worlds/world-keys.ts";
import { SharedDatabase } from "./database.ts";
import { SharedAccess } from "./shared-access.ts";
import { migrations } from "./tables.ts";

const postgres = await TestPostgres.start();

describe("the shared tables", () => {
  beforeEach((context) => {
    context.skip(postgres === null, NO_POSTGRES);
    // Each test starts without tables.
    postgres?.tool("psql", "-c", "DROP SCHEMA public CASCADE", "-c", "CREATE SCHEMA public", postgres.url);
  });
  const running: TestService[] = [];
  const node = async (): Promise<TestService> => {
    const started = await startTestService(undefined, { cluster: postgres?.url ?? "" });
    running.push(started);
    return started;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  afterAll(() => postgres?.end());

  const connected = (): SharedDatabase => {
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    return database;
  };
  const VERSION = "SELECT value FROM sandbox_settings WHERE key = 'tables_version'";
  const versionIn = async (database: SharedDatabase): Promise<number> =>
    Number((await database.run(VERSION))[0]?.value);
  /** Adds a migration, like a node of the next version. */
  const withNext = (migration: string): void => {
    migrations.push(migration);
    onTestFinished(() => void migrations.splice(migrations.indexOf(migration), 1));
  };

  test("are created once by concurrent nodes, and recognised if older than their version", async () => {
    const nodes = Array.from({ length: 5 }, connected);
    await Promise.all(nodes.map((one) => one.prepare("")));
    const [first] = nodes;
    if (!first) throw new Error("there is none");
    expect(await versionIn(first)).toBe(migrations.length);
    await first.run("DELETE FROM sandbox_settings WHERE key = 'tables_version'");
    await first.run("INSERT INTO sandbox_worlds (name) VALUES ('before')");
    await first.prepare("");
    expect(await versionIn(first)).toBe(migrations.length);
    expect(await first.run("SELECT name FROM sandbox_worlds")).toEqual([{ name: "before" }]);
  });

  test("are unchanged by a failing migration, which says why", async () => {
    const database = connected();
    await database.prepare("");
    withNext("ALTER TABLE sandbox_nodes ADD COLUMN half text; SELECT 1 / 0");
    await expect(connected().prepare("")).rejects.toThrow(/can’t be used: division by zero/);
    expect(await versionIn(database)).toBe(migrations.length - 1);
    await expect(database.run("SELECT half FROM sandbox_nodes")).rejects.toThrow();
  });

  test("have a row for each token, world's keys and plan, including those of an older format", async () => {
    const database = connected();
    await database.prepare("");
    await database.run("DROP TABLE sandbox_access");
    await database.run("DELETE FROM sandbox_settings WHERE key = 'access_version'");
    await database.run("UPDATE sandbox_settings SET value = '1' WHERE key = 'tables_version'");
    const db = new Sqlite(":memory:");
    onTestFinished(() => void db.close());
    db.exec(ACCESS_SCHEMA + PLANS_SCHEMA);
    const store = new AccessStore(db);
    const about = { name: "P", world: "w", scope: "act", created_at: 1, expires_at: null, link_until: null } as const;
    for (const id of ["one", "two"]) store.insert({ ...about, id }, `sbw_${id}`);
    store.setKeys("w", newOwnKeys());
    const rows = store.rows();
    const of = (table: string) => [...rows].filter(([key]) => key.startsWith(`${table} `)).map(([, row]) => row);
    const older = ["tokens", "world_keys", "plans"].map((table) => `"${table}":[${of(table)}]`);
    await database.run("INSERT INTO sandbox_settings VALUES ('access', $1)", [`{${older}}`]);
    await database.prepare("");
    const keys = await database.run("SELECT key FROM sandbox_access ORDER BY key");
    expect(keys.map(({ key }) => key)).toEqual(["tokens one", "tokens two", "world_keys ", "world_keys w"]);
    store.clear();
    await new SharedAccess(database, store, newKeys()).pull();
    expect(store.rows()).toEqual(rows);
  });

  test("accept 18 tokens created by two nodes concurrently", async () => {
    const [first, second] = [await node(), await node()];
    const ids = Array.from({ length: 18 }, (_, n) => n);
    const made = await Promise.all(
      ids.map((n) =>
        [first, second][n % 2]?.control(tokensCreate, { world: `many${n % 6}`, name: `Partner ${n}`, scope: "view" }),
      ),
    );
    for (const service of [first, second])
      for (const one of made)
        await vi.waitUntil(async () => {
          const headers = { authorization: `Bearer ${one?.token}` };
          return (await service.call(tokensCurrent, {}, undefined, headers)).status === 200;
        }, 3_000);
    const rows = await connected().run("SELECT key FROM sandbox_access WHERE key LIKE 'tokens %'");
    expect(rows).toHaveLength(18);
  });

  test("keep serving nodes during a migration, and refuse an older node", async () => {
    const insert = async (service: TestService, world: string, external: string) => {
      const headers = { "x-sandbox-tenant": world };
      const job = { identity: { external }, repairer_site_id: await ownSite(service, headers) };
      return (await service.ok(jobsInsert, job, repairer, headers)).id;
    };
    const older = await node();
    const id = await insert(older, "rolling", "a:1");
    const database = connected();
    const change = "ALTER TABLE sandbox_worlds ADD COLUMN label text NOT NULL DEFAULT 'none'";
    migrations.push(change);
    const newer = await node().finally(() => migrations.splice(migrations.indexOf(change), 1));
    expect(await versionIn(database)).toBe(migrations.length + 1);
    await insert(older, "rolling", "a:2");
    await insert(older, "made-by-the-older", "a:1");
    await older.stop();
    const headers = { "x-sandbox-tenant": "rolling" };
    expect((await newer.ok(jobsGet, { identity: { id } }, repairer, headers)).id).toBe(id);
    await insert(newer, "rolling", "a:3");
    await insert(newer, "made-by-the-older", "a:2");
    const before = await database.run("SELECT * FROM sandbox_settings ORDER BY key");
    const refused = node();
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(
      `are of version ${migrations.length + 1}; this node knows them up to version ${migrations.length}.`,
    );
    expect(await database.run("SELECT * FROM sandbox_settings ORDER BY key")).toEqual(before);
  });
});
