import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { requestsList } from "../contract/control/operations.ts";
import { snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { HoldingProxy } from "../testing/holding-proxy.ts";
import { ownSite } from "../testing/order.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SilentProxy } from "../testing/silent-proxy.ts";
import { SmallDisk } from "../testing/small-disk.ts";
import { SharedDatabase } from "./database.ts";
import { Ownership } from "./ownership.ts";

const postgres = await TestPostgres.start();
const disk = SmallDisk.mount(48);
if (typeof disk === "string") console.log(`Skipped: full disks of a cluster, because ${disk}.`);
afterAll(async () => {
  await postgres?.end();
  if (typeof disk !== "string") disk.remove();
});

describe("a node in trouble", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const running: TestService[] = [];
  const node = async (url = postgres?.url ?? ""): Promise<TestService> => {
    const started = await startTestService(undefined, { cluster: url });
    running.push(started);
    return started;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const insert = (service: TestService, world: string, repairer_site_id: string, external: string) => {
    const job = { identity: { external }, repairer_site_id, claim_number: external.padEnd(200, "x") };
    return service.call(jobsInsert, job, repairer, inWorld(world));
  };
  const read = (service: TestService, world: string, external: string) =>
    service.call(jobsGet, { identity: { external } }, repairer, inWorld(world));
  const health = async (service: TestService) => (await service.raw("/__health", { method: "GET" })).status;
  const expectAll = async (service: TestService, world: string, acknowledged: readonly string[]) => {
    for (const external of acknowledged)
      expect([external, (await read(service, world, external)).status]).toEqual([external, 200]);
  };

  test("stays alive for others while its database requests wait", async () => {
    await node();
    const open = (): SharedDatabase => new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    const [claims, beats] = [open(), open()];
    onTestFinished(async () => void (await Promise.all([claims.close(), beats.close()])));
    const ownership = new Ownership(claims, beats);
    const beat = (): Promise<void> => ownership.beat("http://127.0.0.1", () => undefined);
    await beat();
    const beating = setInterval(() => void beat(), 1_000);
    onTestFinished(() => clearInterval(beating));
    const waiting = [1, 2].map(() => claims.run("SELECT pg_sleep(2)"));
    let isDone = false;
    const done = Promise.all(waiting).finally(() => {
      isDone = true;
    });
    for (; !isDone; await new Promise((resolve) => setTimeout(resolve, 50))) expect(ownership.isFresh).toBe(true);
    await done;
    await ownership.stop();
  });

  test("cut off from the database, it stops answering in time, others continue, and its copies are dropped", async () => {
    const proxy = await SilentProxy.start(Number(new URL(postgres?.url ?? "").port));
    onTestFinished(() => proxy.stop());
    const [first, second] = [await node(`postgres://sandbox@127.0.0.1:${proxy.port}/postgres`), await node()];
    const site = await ownSite(first);
    expect((await insert(first, "cut", site, "before")).status).toBe(200);
    proxy.silence();
    const cutAt = Date.now();
    const since = (): number => Date.now() - cutAt;
    const hanging = insert(first, "cut", site, "lost").then(({ status }) => ({ status, after: since() }));
    // Calls forwarded to the first node before it notices the cut get its response.
    const found = vi.waitUntil(async () => (await read(second, "cut", "before")).status === 200, 9_000);
    const elsewhere = found.then(since);
    let answeredUntil = 0;
    await vi.waitUntil(
      async () => {
        const { status } = await read(first, "cut", "before");
        if (status === 200) answeredUntil = since();
        return status === 503;
      },
      { timeout: 6_000, interval: 20 },
    );
    expect(answeredUntil).toBeLessThan(3_000);
    expect(await hanging).toEqual({ status: 503, after: expect.any(Number) });
    expect((await hanging).after).toBeLessThan(4_500);
    expect(await elsewhere).toBeLessThan(6_500);
    expect((await insert(second, "cut", site, "meanwhile")).status).toBe(200);
    expect(await health(first)).toBe(503);
    proxy.speak();
    await vi.waitUntil(async () => (await health(first)) === 200, { timeout: 10_000, interval: 50 });
    let back = await read(first, "cut", "meanwhile");
    // Connections from before the cut fail one after the other.
    for (let tries = 0; back.status === 503 && tries < 5; tries += 1) back = await read(first, "cut", "meanwhile");
    expect(back.status).toBe(200);
    expect(Number(back.headers.get("x-sandbox-position")?.split(".")[0])).toBe(2);
    expect((await read(first, "cut", "lost")).status).toBe(404);
  });

  test("with a full disk it gives its worlds away without losing acknowledged changes, and later takes calls again", async (context) => {
    if (typeof disk === "string") return context.skip(disk);
    vi.stubEnv("TMPDIR", disk.folder);
    const first = await node();
    vi.unstubAllEnvs();
    const second = await node();
    const site = await ownSite(first);
    const acknowledged = ["first"];
    expect((await insert(first, "full", site, "first")).status).toBe(200);
    const { headers } = await insert(first, "quiet", site, "first");
    const [, id] = headers.get("x-sandbox-position")?.split(" ") ?? [];
    disk.fill();
    for (let count = 0; (await health(first)) === 200 && count < 1_000; count += 1) {
      const { status, headers } = await insert(first, "full", site, `n:${count}`);
      if (status === 200) acknowledged.push(`n:${count}`);
      else expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    }
    await vi.waitUntil(async () => (await health(first)) === 404, { timeout: 3_000, interval: 50 });
    const client = new pg.Client({ connectionString: postgres?.url });
    await client.connect();
    // No other node was called.
    const owned = "SELECT name FROM sandbox_worlds WHERE owner = $1";
    await vi.waitUntil(async () => (await client.query(owned, [id])).rowCount === 0, { timeout: 8_000, interval: 50 });
    await client.end();
    await expectAll(second, "full", acknowledged);
    await expectAll(second, "quiet", ["first"]);
    disk.free();
    await vi.waitUntil(async () => (await health(first)) === 200, { timeout: 5_000, interval: 50 });
    expect((await insert(first, "fresh", site, "first")).status).toBe(200);
  });

  test("with the database's disk full, callers learn why, and nothing acknowledged is lost", async (context) => {
    if (typeof disk === "string") return context.skip(disk);
    const url = postgres?.databaseIn(disk.folder);
    const first = await node(url);
    const site = await ownSite(first);
    const acknowledged: string[] = [];
    disk.fill();
    let refusal = "";
    for (let count = 0; refusal === "" && count < 500; count += 1) {
      const { status, text } = await insert(first, "stored", site, `n:${count}`);
      if (status === 200) acknowledged.push(`n:${count}`);
      else refusal = `${status} ${text}`;
    }
    expect(refusal).toMatch(
      /^503 .*The database of this sandbox is full, so the change was not stored\. Free some space/,
    );
    disk.free();
    await vi.waitUntil(async () => (await insert(first, "stored", site, "after")).status === 200, {
      timeout: 10_000,
      interval: 100,
    });
    await first.stop();
    await expectAll(await node(url), "stored", [...acknowledged, "after"]);
  });

  test("never answers for a world that another node has taken, however regular its heartbeat", async () => {
    const first = await node();
    const site = await ownSite(first);
    expect((await insert(first, "taken", site, "first")).status).toBe(200);
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const other = "00000000-0000-4000-8000-000000000000";
    // The other node is alive and releases nothing.
    await database.run("INSERT INTO sandbox_nodes VALUES ($1, 'http://127.0.0.1:9', clock_timestamp())", [other]);
    const take = "UPDATE sandbox_worlds SET owner = $1, epoch = epoch + 1, claimed_at = clock_timestamp()";
    await database.run(`${take} WHERE name = 'taken'`, [other]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const headers = { authorization: `Bearer ${first.ready.control_token}` };
    const signal = AbortSignal.timeout(1_000);
    // The call waits for the world.
    const asked = first.call(requestsList, { world: "taken" }, undefined, headers, signal);
    await expect(asked.then(({ status }) => status)).rejects.toMatchObject({ name: "TimeoutError" });
    await database.run("DELETE FROM sandbox_nodes WHERE id = $1", [other]);
    expect((await read(first, "taken", "first")).headers.get("x-sandbox-position")).toMatch(/^3\./);
  });

  test("a delayed file statement changes nothing after another node took the world, and its caller is told", async () => {
    const proxy = await HoldingProxy.start({ host: "127.0.0.1", port: Number(new URL(postgres?.url ?? "").port) });
    onTestFinished(() => proxy.stop());
    const [first, second] = [await node(`postgres://sandbox@127.0.0.1:${proxy.port}/postgres`), await node()];
    const site = await ownSite(first);
    expect((await insert(first, "fenced", site, "first")).status).toBe(200);
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const stored = () => database.run("SELECT path, blob FROM sandbox_files ORDER BY path");
    const save = (service: TestService) => {
      const headers = { authorization: `Bearer ${service.ready.control_token}`, ...inWorld("fenced") };
      return service.call(snapshotsSave, { world: "fenced", name: "kept" }, undefined, headers);
    };
    proxy.holdBack("INSERT INTO sandbox_files");
    const heldUp = save(first);
    await vi.waitUntil(() => proxy.isHolding, { timeout: 10_000, interval: 5 });
    await database.run("UPDATE sandbox_worlds SET claimed_at = NULL WHERE name = 'fenced'");
    expect((await insert(second, "fenced", site, "second")).status).toBe(200);
    expect((await heldUp).status).toBe(503);
    expect((await save(second)).status).toBe(200);
    const before = await stored();
    expect(before.length).toBeGreaterThan(1);
    await proxy.letGo();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await stored()).toEqual(before);
  });

  test("a world's entry is stored only by its owner", async () => {
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    await database.prepare("");
    const ownership = new Ownership(database, database);
    const before = await ownership.claim("noted", false);
    if (typeof before === "number" || "address" in before) throw new Error("it is another's");
    await database.run("UPDATE sandbox_worlds SET epoch = epoch + 1 WHERE name = 'noted'");
    await ownership.publishEntry(before.epoch, { ...before.entry, pinned: true });
    expect(await database.run("SELECT entry FROM sandbox_worlds WHERE name = 'noted'")).toEqual([{ entry: null }]);
  });
});
