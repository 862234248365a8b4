import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { tokensCreate, tokensList } from "../contract/control/service-operations.ts";
import { snapshotsList } from "../contract/control/snapshot-operations.ts";
import { worldsList, worldsPin } from "../contract/control/world-operations.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SharedDatabase } from "./database.ts";

const postgres = await TestPostgres.start();

describe("database statements of nodes", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
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

  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const stranger = { ...repairer, api_key: "isk_nobodys" };

  /** @returns a function that returns the statements since this call with one of these worlds as a value */
  const statementsAbout = (worlds: readonly string[]): (() => string[]) => {
    const run = vi.spyOn(SharedDatabase.prototype, "run");
    onTestFinished(() => run.mockRestore());
    return () =>
      run.mock.calls
        .filter(([, values = []]) => values.some((value) => worlds.some((world) => value === world)))
        .map(([text]) => text);
  };

  test("calls with an unknown key to random world names look up each name once, and create none", async () => {
    const service = await node();
    const worlds = Array.from({ length: 50 }, () => `w-${randomUUID()}`);
    const said = statementsAbout(worlds);
    const answers = await Promise.all(
      worlds.map((world) => service.call(businessesList, {}, stranger, inWorld(world))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(said().length).toBe(50);
    expect(new Set(said().map((text) => text.split(" ", 1)[0]))).toEqual(new Set(["SELECT"]));
  });

  test("a missing world is looked up once a second per key, and immediately for another key", async () => {
    const [first, second] = [await node(), await node()];
    const said = statementsAbout(["absent"]);
    for (let calls = 0; calls < 50; calls += 1) await first.call(businessesList, {}, stranger, inWorld("absent"));
    const lookups = (): number => said().filter((text) => text.startsWith("SELECT 1 ")).length;
    expect(said().length).toBe(lookups());
    expect(lookups()).toBeLessThan(5);
    expect((await second.call(businessesList, {}, repairer, inWorld("absent"))).status).toBe(200);
    const before = lookups();
    // The call waits for the second node to release the world, or fails because it moves.
    await first.call(businessesList, {}, { ...stranger, api_key: "isk_anothers" }, inWorld("absent"));
    expect(lookups()).toBe(before + 1);
  });

  test("an insert takes one statement, including the counts for others, and a pin takes one more", async () => {
    const [first, second] = [await node(), await node()];
    const repairer_site_id = await ownSite(first, inWorld("written"));
    const insert = (external: string) =>
      first.ok(jobsInsert, { identity: { external }, repairer_site_id }, repairer, inWorld("written"));
    const listed = async () => (await second.control(worldsList, {})).items.find(({ name }) => name === "written");
    await insert("a:1");
    const said = statementsAbout(["written"]);
    const writes = () => said().filter((text) => /INSERT|UPDATE/.test(text));
    const before = await listed();
    await insert("a:2");
    expect(writes().length).toBe(1);
    const after = await listed();
    expect(after?.counts.jobs).toBe(Number(before?.counts.jobs) + 1);
    await first.control(worldsPin, { world: "written", pinned: true });
    expect(writes().length).toBe(2);
    expect((await listed())?.pinned).toBe(true);
  });

  test("each second and for each call, a node reads few rows, however many worlds and files exist", async () => {
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    await database.prepare("");
    const other = randomUUID();
    const beat = () =>
      database.run(
        `INSERT INTO sandbox_nodes (id, address, beat) VALUES ($1, 'elsewhere', now())
         ON CONFLICT (id) DO UPDATE SET beat = now()`,
        [other],
      );
    await beat();
    const beats = setInterval(beat, 1_000);
    onTestFinished(() => clearInterval(beats));
    await database.run(
      `INSERT INTO sandbox_worlds (name, owner, epoch, snapshot, due_at)
       SELECT 'many-' || n, CASE WHEN n % 2 = 0 THEN $1::uuid END, 1, 'none', CASE WHEN n % 2 = 0 THEN 0 END
       FROM generate_series(1, 5000) AS n`,
      [other],
    );
    await database.run(
      "INSERT INTO sandbox_files SELECT 'media/w-many.sqlite/' || n || '.png', 'none' FROM generate_series(1, 5000) AS n",
    );
    for (const table of ["sandbox_worlds", "sandbox_files"]) await database.run(`ANALYZE ${table}`);
    const run = vi.spyOn(SharedDatabase.prototype, "run");
    const service = await node();
    await service.control(snapshotsList, { world: "default", everywhere: true });
    await service.raw(`/__media/${randomUUID()}/picture`, { method: "GET" });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const asked = new Map(run.mock.calls.map(([text, values = []]) => [text, values] as const));
    run.mockRestore();
    const walked: string[] = [];
    for (const [text, values] of asked) {
      if (!/^(SELECT .*sandbox_(worlds|files)|INSERT INTO sandbox_nodes)/s.test(text)) continue;
      // Counting all worlds happens only on creation, so a full scan is fine.
      if (text.startsWith("SELECT count(*)")) continue;
      const plan = await database.run(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, values);
      const lines = plan.map((row) => String(row["QUERY PLAN"])).join("\n");
      const rows = [...lines.matchAll(/(?:actual rows=|Rows Removed by [A-Za-z ]+: )(\d+)/g)].map(([, many]) =>
        Number(many),
      );
      if (Math.max(...rows) > 100) walked.push(`${text}\n${lines}`);
    }
    expect(walked).toEqual([]);
    // These statements run for each call of a world or picture, or every second.
    for (const part of ["sandbox_files WHERE", "sandbox_files ON", "due_at <=", "INSERT INTO sandbox_nodes"])
      expect([...asked.keys()].filter((text) => text.includes(part))).not.toEqual([]);
  });

  test("tokens created by two nodes concurrently all exist", async () => {
    const nodes = [await node(), await node()];
    const created = await Promise.all(
      nodes.flatMap((service, at) =>
        Array.from({ length: 9 }, async (_, n) => {
          const asked = { world: `tokens-${at}`, name: `Partner ${n}`, scope: "view" } as const;
          return (await service.control(tokensCreate, asked)).id;
        }),
      ),
    );
    for (const [at, service] of nodes.entries()) {
      const listed = async () =>
        (await service.control(tokensList, { world: `tokens-${at}`, everywhere: true })).items.map(({ id }) => id);
      await expect.poll(async () => (await listed()).toSorted(), { timeout: 5_000 }).toEqual(created.toSorted());
    }
  });
});
