import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { nodes } from "../command/nodes.ts";
import { token } from "../command/token.ts";
import type { ServiceConfig } from "../config.ts";
import { activityList, activityStrays } from "../contract/control/activity-operations.ts";
import { requestsExplain, searchEverywhere } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, organizationsList, requestsList } from "../contract/control/operations.ts";
import {
  type Evidence,
  evidenceList,
  evidenceRevoke,
  integrationsBoard,
  integrationsEvidence,
} from "../contract/control/readiness-operations.ts";
import { scenariosList, scenariosSave } from "../contract/control/scenario-operations.ts";
import {
  type AuditKind,
  auditList,
  type NodeRow,
  nodesDrain,
  nodesList,
  serviceLog,
  tokensCreate,
  tokensCurrent,
  tokensRevoke,
} from "../contract/control/service-operations.ts";
import {
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import {
  policiesSet,
  worldsCopy,
  worldsDelete,
  worldsList,
  worldsPin,
  worldsReset,
} from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import {
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  supplierProcurementsConfirm,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import {
  credentialHeaders,
  repairer,
  startTestService,
  type TestService,
  temporaryFolder,
} from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";
import {
  as,
  bearer,
  ownCredentials,
  post,
  SIGN_IN,
  type SignedIn,
  startWithPeople,
} from "../testing/people-service.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { SmallDisk } from "../testing/small-disk.ts";
import { SharedDatabase } from "./database.ts";
import { packFile } from "./pages.ts";
import { sharedActivity } from "./shared-records.ts";
import { WorldStore } from "./world-store.ts";

const postgres = await TestPostgres.start();
/** Offset of the user version in the header of a SQLite file. */
const USER_VERSION_AT = 60;

describe("a sandbox on several nodes", () => {
  beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
  const running: TestService[] = [];
  const node = async (config: Partial<ServiceConfig> = {}): Promise<TestService> => {
    const started = await startTestService(undefined, { cluster: postgres?.url ?? "", ...config });
    running.push(started);
    return started;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });
  afterAll(() => postgres?.end());

  /** Creates a database for credentials that no other test uses. @returns its address */
  const databaseOf = (name: string): string => {
    postgres?.tool("createdb", "--maintenance-db", postgres.url, name);
    return postgres?.url.replace(/postgres$/, name) ?? "";
  };

  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const site = async (service: TestService, world: string): Promise<string> => {
    const { items } = await retryUnavailable(() => service.call(businessesList, {}, repairer, inWorld(world)));
    return items.find(({ type }) => type === "repairer_site")?.id ?? "";
  };
  /** Retries a call while the world moves. */
  const retryUnavailable = async <T>(call: () => Promise<{ status: number; text: string; body: T }>): Promise<T> => {
    let response = await call();
    for (let tries = 0; response.status === 503 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      response = await call();
    }
    if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
    return response.body;
  };
  const insert = async (service: TestService, world: string, external: string): Promise<string> => {
    const repairer_site_id = await site(service, world);
    const body = { identity: { external }, repairer_site_id };
    return (await retryUnavailable(() => service.call(jobsInsert, body, repairer, inWorld(world)))).id;
  };
  const read = (service: TestService, world: string, id: string) =>
    retryUnavailable(() => service.call(jobsGet, { identity: { id } }, repairer, inWorld(world)));

  test("a world continues where its stopped node left it", async () => {
    const first = await node();
    const id = await insert(first, "stopped", "a:1");
    await first.stop();
    const second = await node();
    expect((await read(second, "stopped", id)).id).toBe(id);
    const response = await second.call(jobsGet, { identity: { id } }, repairer, inWorld("stopped"));
    expect(response.status).toBe(200);
    // The epoch is the second owner's; the number continues the first owner's.
    const [epoch, seq] = (response.headers.get("x-sandbox-position") ?? "").split(/[. ]/);
    expect(Number(epoch)).toBe(2);
    expect(Number(seq)).toBeGreaterThan(2);
  });

  /** Calls a world at a node until the world has moved there. */
  const moveTo = async (service: TestService, world: string, id: string): Promise<void> => {
    const nodeOf = async () => {
      const { status, headers } = await service.call(jobsGet, { identity: { id } }, repairer, inWorld(world));
      expect(status).toBe(200);
      return headers.get("x-sandbox-position")?.split(" ")[1];
    };
    const before = await nodeOf();
    await vi.waitUntil(async () => (await nodeOf()) !== before, { timeout: 12_000, interval: 20 });
  };

  test("a world moves to the node with most of its calls, and its feed continues there", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "moved", "a:1");
    const feed = await FeedReader.connect(first, 0, "moved");
    await moveTo(second, "moved", id);
    await feed.ended;
    const last = feed.messages.at(-1);
    expect(last).toMatchObject({ event: "dropped", data: { reason: expect.stringContaining("another node") } });
    const seen = feed.ids.at(-1) ?? 0;
    const resumed = await FeedReader.connect(second, seen, "moved");
    await vi.waitUntil(() => resumed.ids.length > 0);
    expect(resumed.ids[0]).toBeGreaterThan(seen);
    expect(resumed.events).not.toContain("reset");
    resumed.close();
  });

  test("every node serves a picture, and snapshots and scenarios survive their node", async () => {
    const [first, second] = [await node(), await node()];
    const body = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const { upload_url, public_url } = await first.ok(uploadsPrepare, body, repairer, inWorld("files"));
    const { pathname, search } = new URL(upload_url);
    const picture = new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(3_000_000)]));
    expect(await first.raw(pathname + search, { method: "PUT", body: picture })).toMatchObject({ status: 200 });
    const served = await fetch(second.baseUrl + new URL(public_url ?? "").pathname);
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
    await first.control(snapshotsSave, { world: "files", name: "kept" });
    const id = await insert(first, "files", "a:1");
    await first.control(scenariosSave, {
      world: "files",
      name: "ours",
      scenario: { scenario: 1, name: "Ours", steps: [{ call: { operation: "businesses.list", as: "repairer" } }] },
    });
    const everywhere = await second.control(snapshotsList, { world: "elsewhere", everywhere: true });
    const own = everywhere.items.filter(({ world }) => world === "files");
    expect(own.map(({ name, world }) => [name, world])).toEqual([["kept", "files"]]);
    await first.stop();
    const { items: scenarios } = await second.control(scenariosList, { world: "files" });
    expect(scenarios.map(({ name }) => name)).toContain("ours");
    const { items } = await second.control(snapshotsList, { world: "files" });
    expect(items.map(({ name }) => name)).toEqual(["kept"]);
    expect((await read(second, "files", id)).id).toBe(id);
    await second.control(snapshotsRestore, { world: "files", name: "kept", checkpoint: false });
    expect((await second.call(jobsGet, { identity: { id } }, repairer, inWorld("files"))).status).toBe(404);
    await second.control(snapshotsDelete, { world: "files", name: "kept" });
    await second.stop();
    const third = await node();
    expect((await third.control(snapshotsList, { world: "files" })).items).toEqual([]);
  });

  test("a snapshot imported for another world is available at that world's node", async () => {
    const [first, second] = [await node(), await node()];
    await second.make("imported");
    await first.make("exported");
    await first.control(snapshotsSave, { world: "exported", name: "kept" });
    const { document } = await first.control(snapshotsExport, { world: "exported", name: "kept" });
    await first.control(snapshotsImport, { world: "imported", name: "brought", document });
    await first.stop();
    const { items } = await second.control(snapshotsList, { world: "imported" });
    expect(items.map(({ name }) => name)).toEqual(["brought"]);
  });

  test("a token works on every node immediately, and on none soon after its revocation", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "partner", "a:1");
    const made = await first.control(tokensCreate, { world: "partner", name: "Partner", scope: "act" });
    // The world stays where it is.
    const ask = () =>
      second.call(tokensCurrent, { world: "other" }, undefined, { authorization: `Bearer ${made.token}` });
    expect((await ask()).status).toBe(200);
    await first.control(tokensRevoke, { world: "partner", id: made.id });
    const recorded = async (kind: AuditKind) =>
      (await second.control(auditList, { world: "elsewhere", everywhere: true, kind })).items;
    const items = await recorded("change");
    expect(items.map(({ operation }) => operation)).toEqual(expect.arrayContaining(["tokens.create", "tokens.revoke"]));
    expect(items.filter(({ operation }) => operation === "tokens.revoke")).toHaveLength(1);
    await vi.waitUntil(async () => (await ask()).status === 401, 5_000);
    // Reads are recorded in the background, and never displace recorded changes.
    await vi.waitUntil(async () => (await recorded("other")).some(({ by }) => by.startsWith("Partner")), 5_000);
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const read = { at: 0, by: "operator", operation: "jobs.list", world: "partner", detail: "", outcome: "ok" };
    const many = "INSERT INTO sandbox_audit (record) SELECT $1::jsonb FROM generate_series(1, 10001)";
    await database.run(many, [{ ...read, kind: "other" }]);
    // Nodes of an earlier version write this record.
    await database.run("INSERT INTO sandbox_audit (record) VALUES ($1)", [{ ...read, operation: "worlds.reset" }]);
    await database.clear();
    expect((await recorded("change")).map(({ operation }) => operation)).toEqual([
      ...["worlds.reset", ...items.map(({ operation }) => operation)],
    ]);
    const { total } = await second.control(auditList, { world: "partner", kind: "other", limit: 1 });
    expect(total).toBe(10_000);
  });

  test("every node knows the evidence of another node and its revocations", async () => {
    const [first, second] = [await node(), await node()];
    const asked = { world: "evidence", integration_id: repairer.integration_id };
    await insert(first, "evidence", "a:1");
    const { evidence } = await first.control(integrationsEvidence, asked);
    const { id } = JSON.parse(evidence) as Evidence;
    const everywhere = { everywhere: true, id };
    expect((await second.control(evidenceList, everywhere)).items).toMatchObject([{ ...asked, id, revoked_at: null }]);
    await first.control(evidenceRevoke, { world: "evidence", id, reason: "of another build" });
    expect((await second.control(evidenceList, everywhere)).items).toMatchObject([{ revoked_for: "of another build" }]);
  });

  test("a sign-in at one node works at every other immediately, with new keys of the world", async () => {
    const cluster = databaseOf("people");
    const [first, second] = [await startWithPeople("127.0.0.1", cluster), await startWithPeople("127.0.0.1", cluster)];
    running.push(first, second);
    const { body, status } = await post<SignedIn>(first.port, SIGN_IN, {}, as("cleo@acme.example", "acme"));
    expect(status).toBe(200);
    // Only the operator may read it, and no world has to move for it.
    const ask = (token: string) =>
      fetch(`http://127.0.0.1:${second.port}/__sandbox/openapi.json`, { headers: bearer(token) });
    expect((await ask(`${body.token.slice(0, -1)}_`)).status).toBe(401);
    expect((await ask(body.token)).status).toBe(403);
  });

  test("rotated keys replace those of every running node, and old signatures fail", async () => {
    const cluster = databaseOf("rotated");
    const nodes = [await startWithPeople("127.0.0.1", cluster), await startWithPeople("127.0.0.1", cluster)];
    running.push(...nodes);
    const [first, second] = nodes as [TestService, TestService];
    const { token: signedIn } = (await post<SignedIn>(first.port, SIGN_IN, {}, as("anna@example.com"))).body;
    const before = first.ready.control_token;
    const ask = async (secret: string) => {
      const to = ({ port }: TestService) => post(port, "/__sandbox/tokens.current", {}, bearer(secret));
      return (await Promise.all(nodes.map(to))).map(({ status }) => status);
    };
    expect([await ask(before), await ask(signedIn)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    let printed = "";
    const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await token(["rotate", "--cluster", cluster])).toBe(0);
    expect(stderr.mock.calls.join("")).toContain("Evidence has a new fingerprint");
    for (const spy of [stdout, stderr]) spy.mockRestore();
    const { control_token, evidence_fingerprint } = JSON.parse(printed) as Record<string, string>;
    expect(await ask(control_token ?? "")).toEqual([200, 200]);
    await vi.waitUntil(async () => String([await ask(before), await ask(signedIn)]) === "401,401,401,401", 3_000);
    const { integration_id } = ownCredentials.credentials.repairer;
    const evidence = { world: "default", integration_id };
    const path = "/__sandbox/integrations.evidence";
    const signed = await post<{ fingerprint: string }>(second.port, path, evidence, bearer(control_token ?? ""));
    expect(signed.body.fingerprint).toBe(evidence_fingerprint);
  });

  test("due deliveries of a stopped node's world are sent by another without a call", async () => {
    const came: string[] = [];
    const receiver = http.createServer((request, response) => {
      came.push(String(request.url));
      response.writeHead(came.length === 1 ? 500 : 200).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const first = await node();
    await first.control(policiesSet, { world: "due", policies: { webhook_retries: "fast" } });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/due`;
    await first.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url }, inWorld("due"));
    await insert(first, "due", "a:1");
    await vi.waitUntil(() => came.length === 1, 5_000);
    await first.stop();
    await node();
    await vi.waitUntil(() => came.length >= 2, 15_000);
    receiver.close();
  });

  test("D92, D93: another node performs the due work of a dead node once", async () => {
    const first = await node();
    const { id } = await placeOrder(first, "acts:1", inWorld("acts"), "test:confirm-after=2s");
    await first.stop();
    const second = await node();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const checkedAt = Date.now();
    const asked = { world: "acts", operation: supplierProcurementsConfirm.id, origin: "counterpart" as const };
    const { items } = await second.control(requestsList, asked);
    expect(items.map(({ procurement_id, status }) => [procurement_id, status])).toEqual([[id, 200]]);
    // The delivery happened before any call.
    expect(Date.parse(items[0]?.at ?? "")).toBeLessThan(checkedAt);
  });

  test("a world row with a path outside the data folder is ignored and writes no file", async () => {
    const first = await node();
    await insert(first, "inside", "a:1");
    await first.stop();
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const outside = `outside-${randomUUID()}`;
    // The path leads out of the folder for worlds, but not out of the temporary folder.
    const named = `x/../../../${outside}`;
    const copy = `INSERT INTO sandbox_worlds (name, epoch, seq, base_seq, snapshot, due_at, entry)
      SELECT $1, epoch, seq, base_seq, snapshot, 1, entry FROM sandbox_worlds WHERE name = 'inside'`;
    await database.run(copy, [named]);
    const second = await node();
    const written = new Set<string>();
    for (const until = Date.now() + 2_500; Date.now() < until; await new Promise(setImmediate))
      for (const file of fs.readdirSync(os.tmpdir())) if (file.startsWith(outside)) written.add(file);
    expect([...written]).toEqual([]);
    const { items } = await second.control(worldsList, { world: "default" });
    expect(items.map(({ name }) => name)).not.toContain(named);
    await database.run("DELETE FROM sandbox_worlds WHERE name = $1", [named]);
  });

  test("while the database is away calls fail, and afterwards all acknowledged changes exist", async () => {
    const first = await node();
    const id = await insert(first, "away", "a:1");
    const job = { identity: { external: "a:2" }, repairer_site_id: await site(first, "away") };
    await postgres?.stop();
    expect((await first.call(jobsInsert, job, repairer, inWorld("away"))).status).toBe(503);
    const response = () => first.call(jobsGet, { identity: { id } }, repairer, inWorld("away"));
    await vi.waitUntil(async () => (await response()).status === 503, 6_000);
    const refused = await response();
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.text).toContain("The database of this sandbox does not respond");
    await vi.waitUntil(async () => (await first.raw("/__health", { method: "GET" })).status === 503, 6_000);
    await postgres?.run();
    expect((await read(first, "away", id)).id).toBe(id);
    expect(await insert(first, "away", "a:3")).toBeDefined();
    // Each kind of failure is logged once, however often it happens.
    const { items } = await first.control(serviceLog, { world: "away" });
    const trouble = items.filter(({ level }) => level === "error").map(({ detail }) => detail?.split("\n")[0]);
    expect(trouble.length).toBeGreaterThan(0);
    expect(new Set(trouble).size).toBe(trouble.length);
    expect(trouble).not.toContain("null");
  });

  test("nodes continue from a restored dump that was made while they ran", async () => {
    const first = await node();
    const id = await insert(first, "dumped", "a:1");
    const file = path.join(temporaryFolder(), "sandbox.dump");
    const url = postgres?.url ?? "";
    postgres?.tool("pg_dump", "--format=custom", "--file", file, url);
    const later = await insert(first, "dumped", "a:2");
    await first.stop();
    postgres?.tool("pg_restore", "--clean", "--if-exists", "--dbname", url, file);
    fs.rmSync(path.dirname(file), { recursive: true });
    const second = await node();
    expect((await read(second, "dumped", id)).id).toBe(id);
    expect((await second.call(jobsGet, { identity: { id: later } }, repairer, inWorld("dumped"))).status).toBe(404);
    expect(second.ready.control_token).toBe(first.ready.control_token);
  });

  test("a call beyond the limit gets 429", async () => {
    const limited = await node({ callsPerMinute: 2 });
    const call = () => limited.call(businessesList, {}, repairer, inWorld("limited"));
    expect([(await call()).status, (await call()).status, (await call()).status]).toEqual([200, 200, 429]);
  });

  test("a call without a key creates no world on any node", async () => {
    const first = await node();
    const response = await first.call(jobsGet, { identity: { external: "a:1" } }, undefined, inWorld("nobody"));
    expect(response.status).toBe(401);
    const names = await first.control(worldsList, { world: "default" });
    expect(names.items.map(({ name }) => name)).not.toContain("nobody");
  });

  test("a refused control operation leaves no world on any node", async () => {
    const [first, second] = [await node(), await node()];
    const token = { authorization: `Bearer ${second.ready.control_token}` };
    const refused = await second.post("/__sandbox/retention.set", { world: "refused" }, token);
    expect(refused.status).toBe(400);
    for (const service of [first, second])
      expect((await service.control(worldsList, {})).items.map(({ name }) => name)).not.toContain("refused");
    const created = await first.post("/__sandbox/retention.set", { world: "refused", max_age_hours: 1 }, token);
    expect(created.status).toBe(200);
    expect((await second.control(worldsList, {})).items.map(({ name }) => name)).toContain("refused");
  });

  test("each node lists the worlds of all nodes with their counts", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "listed", "a:1");
    await first.control(worldsPin, { world: "listed", pinned: true });
    await vi.waitUntil(async () => {
      const { items } = await second.control(worldsList, { world: "here" });
      const listed = items.find(({ name }) => name === "listed");
      return listed?.pinned === true && listed.counts.jobs > 0 && listed.bytes > 0;
    }, 10_000);
  });

  test("lists, logs and metrics show which node has a world and what nodes take, give up and lose", async () => {
    const [first, second] = [await node({ metrics: true }), await node({ metrics: true })];
    const id = await insert(first, "seen", "a:1");
    const holder = async (service: TestService) => {
      const { items } = await service.control(worldsList, { world: "here" });
      return items.find(({ name }) => name === "seen")?.node;
    };
    const here = await holder(first);
    expect(here).toMatch(/^[0-9a-f-]{36}$/);
    expect(await holder(second)).toBe(here);
    await moveTo(second, "seen", id);
    const there = await holder(first);
    expect(there).not.toBe(here);
    expect(await holder(second)).toBe(there);
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    await database.run("UPDATE sandbox_worlds SET epoch = epoch + 1 WHERE name = 'seen'");
    const said = async (service: TestService) => {
      const { items } = await service.control(serviceLog, { world: "here" });
      const about = items.filter(({ detail }) => detail?.includes("seen"));
      return about.map(({ message, detail }) => `${message} ${detail}`).toReversed();
    };
    await vi.waitUntil(async () => (await said(second)).length === 2, 10_000);
    expect([await said(first), await said(second)].flat().map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^released a world .*seen.*1/),
      expect.stringMatching(/^took a world .*seen.*2/),
      expect.stringMatching(/^lost a world .*seen.*2/),
    ]);
    const headers = { authorization: `Bearer ${first.ready.control_token}` };
    const { text } = await first.raw("/metrics", { method: "GET", headers });
    const metricValue = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    expect(metricValue("sandbox_claims_total")).toBeGreaterThan(0);
    expect(metricValue("sandbox_takeovers_total")).toBe(0);
    expect(metricValue("sandbox_appended_bytes_total")).toBeGreaterThan(1_000);
    for (const name of ["lease_age_seconds", "database_seconds", "clock_offset_seconds"])
      expect(metricValue(`sandbox_${name}`)).toBeLessThan(3);
    for (const name of ["worlds_held", "refused_appends_total"])
      expect(metricValue(`sandbox_${name}`)).toBeGreaterThanOrEqual(0);
  });

  test("an operator lists nodes and drains one, which gives its worlds to others and takes none", {
    timeout: 60_000,
  }, async () => {
    const cluster = databaseOf("drained");
    const [first, second] = [await node({ cluster }), await node({ cluster })];
    const id = await insert(first, "drained", "a:1");
    const rows = async () => (await second.control(nodesList, {})).items;
    const at = (service: TestService) => (rows: readonly NodeRow[]) =>
      rows.find(({ address }) => address === `http://127.0.0.1:${service.port}`);
    const before = await rows();
    expect([at(first)(before), at(second)(before)]).toMatchObject([
      { state: "serves", worlds: 1 },
      { state: "serves", worlds: 0 },
    ]);
    expect(at(first)(before)?.beat_seconds).toBeLessThan(3);
    const printed: string[] = [];
    const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    const asked = ["--url", second.baseUrl, "--token", second.ready.control_token];
    const drained = at(first)(before)?.id ?? "";
    expect([await nodes(["drain", drained, ...asked]), await nodes(asked)]).toEqual([0, 0]);
    stdout.mockRestore();
    expect(printed[0]).toMatch(new RegExp(`^${drained} {2}drains {3}0 worlds {2}beat \\d\\.\\d s ago {2}http://`));
    expect(printed[1]?.trim().split("\n").length).toBe(2);
    const refused = await first.call(jobsGet, { identity: { id } }, repairer, inWorld("drained"));
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("This node is drained")]);
    expect((await first.raw("/__health", { method: "GET" })).status).toBe(404);
    expect((await read(second, "drained", id)).id).toBe(id);
    const unknown = await second.call(nodesDrain, { id: randomUUID() }, undefined, bearer(second.ready.control_token));
    expect(unknown.status).toBe(404);
  });

  test("every node's board lists the integrations of all worlds without moving them", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "boarded", "a:1");
    const owned = "SELECT owner, epoch FROM sandbox_worlds WHERE name = 'boarded'";
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const before = await database.run(owned);
    const rows = async () => {
      const { items } = await second.control(integrationsBoard, { world: "here", everywhere: true });
      return items.filter(({ world }) => world === "boarded");
    };
    const found = await rows();
    expect(found).toMatchObject([{ integration_id: repairer.integration_id, calls: 2, ready: false }]);
    expect(await database.run(owned)).toEqual(before);
    await first.stop();
    expect(await rows()).toEqual(found);
    expect(await database.run(owned)).toEqual([{ ...before[0], owner: null }]);
  });

  test("every node's search finds the jobs of other nodes' worlds without moving them", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "searched", "elsewhere:77");
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const owned = () => database.run("SELECT owner, epoch FROM sandbox_worlds WHERE name = 'searched'");
    const before = await owned();
    const found = await second.control(searchEverywhere, { world: "searcher", query: "elsewhere:77" });
    expect(found).toMatchObject({ items: [{ kind: "job", id, world: "searched" }] });
    expect(await owned()).toEqual(before);
  });

  test("every node finds an integration of any world without moving it", {
    timeout: 60_000,
  }, async () => {
    const [first, second] = [await node(), await node()];
    const world = "integrated";
    const { items } = await first.control(organizationsList, { world });
    const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
    const { client_id, client_secret } = fixedClients.demo;
    const asked = { world, client_id, organization_id, scope: "repairer" } as const;
    const { access_code } = await first.control(accessCodesIssue, asked);
    const install = { client_id, client_secret, access_code };
    const installed = await first.ok(integrationsInsert, install, undefined, inWorld(world));
    const headers = { ...credentialHeaders(installed), ...inWorld(world) };
    const { secret } = (await first.post<{ secret: string }>("/__webhooks/secret", {}, headers)).body;
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const owned = () => database.run("SELECT owner, epoch FROM sandbox_worlds WHERE name = $1", [world]);
    const before = await owned();
    const arrives = () => {
      const { integration_id } = installed;
      const notification = { message_id: randomUUID(), webhook_timestamp: new Date().toISOString(), integration_id };
      const signature = signBody(Buffer.from(JSON.stringify(notification)), secret);
      const signed = { [SIGNATURE_HEADER]: signature, ...inWorld("here") };
      return second.post("/__webhooks/sink", notification, signed).then(({ status }) => status);
    };
    expect(await arrives()).toBe(200);
    await second.make("here");
    const refused = await second.call(businessesList, {}, installed, inWorld("here"));
    const id = refused.headers.get("x-request-id") ?? "";
    const { refusal } = await second.control(requestsExplain, { world: "here", id });
    expect(refusal?.what_to_do).toContain(`Send \`x-sandbox-tenant: ${world}\` with the call`);
    expect(await owned()).toEqual(before);
    await first.stop();
    expect(await arrives()).toBe(200);
    expect(await owned()).toEqual([{ ...before[0], owner: null }]);
    // An integration in two worlds is found until both are deleted.
    await second.control(worldsCopy, { world, to: "copied" });
    await second.control(worldsReset, { world, checkpoint: false });
    await second.stop();
    const third = await node();
    const found = async () => {
      const { refusal } = await third.control(requestsExplain, { world: "here", id });
      return /x-sandbox-tenant: \w+/.exec(refusal?.what_to_do ?? "")?.[0];
    };
    expect(await found()).toBe("x-sandbox-tenant: copied");
    await third.control(organizationsList, { world: "copied" });
    await third.control(worldsDelete, { world: "copied", checkpoint: false });
    expect(await found()).toBeUndefined();
  });

  test("a key from before a reset is told from one of another node's world, in the list and explained", async () => {
    const [first, second] = [await node(), await node()];
    const install = async (service: TestService, world: string) => {
      const { items } = await service.control(organizationsList, { world });
      const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
      const { client_id, client_secret } = fixedClients.demo;
      const asked = { world, client_id, organization_id, scope: "repairer" } as const;
      const { access_code } = await service.control(accessCodesIssue, asked);
      return service.ok(integrationsInsert, { client_id, client_secret, access_code }, undefined, inWorld(world));
    };
    const [own, others] = [await install(first, "reset"), await install(second, "not-reset")];
    await first.control(worldsReset, { world: "reset", checkpoint: false });
    const causeOf = async (key: Parameters<typeof credentialHeaders>[0]) => {
      const refused = await first.call(businessesList, {}, key, inWorld("reset"));
      const id = refused.headers.get("x-request-id") ?? "";
      const { refusal } = await first.control(requestsExplain, { world: "reset", id });
      const { items } = await first.control(requestsList, { world: "reset" });
      return [refusal?.cause, items.find((one) => one.id === id)?.reason];
    };
    const [cause, reason] = await causeOf(own);
    expect([cause, reason]).toEqual(["key_from_before", expect.stringContaining("before the world was reset")]);
    expect((await causeOf(others))[0]).toBe("key_of_other_world");
  });

  test("failures in the worlds of all nodes are counted together, and end with their world", async () => {
    const [first, second] = [await node(), await node()];
    const miss = (service: TestService, world: string) =>
      service.call(jobsGet, { identity: { id: randomUUID() } }, repairer, inWorld(world));
    await insert(first, "at-first", "a");
    await insert(second, "at-second", "a");
    for (const [service, world] of [
      [first, "at-first"],
      [second, "at-second"],
      [second, "at-second"],
    ] as const)
      expect((await miss(service, world)).status).toBe(404);
    const counted = async (service: TestService) => {
      const { callers } = await service.control(activityList, { since: "1h", integration_id: repairer.integration_id });
      return callers.filter(({ world }) => world.startsWith("at-")).map(({ world, count }) => `${world} ${count}`);
    };
    for (const service of [first, second])
      await expect.poll(() => counted(service), { timeout: 5_000 }).toEqual(["at-second 2", "at-first 1"]);
    // No world moves for it.
    const held = "SELECT name, owner FROM sandbox_worlds ORDER BY name";
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const before = await database.run(held);
    for (const service of [first, second]) await service.control(activityList, { world: "at-first" });
    expect(await database.run(held)).toEqual(before);
    const world = "at-second";
    const { token } = await first.control(tokensCreate, { world: "at-first", name: "Partner", scope: "view" });
    const { status, body, text } = await second.call(activityList, {}, undefined, bearer(token));
    expect([status, body.calls]).toEqual([200, 1]);
    expect(text).not.toContain(world);
    // The world has moved to the other node meanwhile.
    await retryUnavailable(() => first.call(worldsReset, { world }, undefined, bearer(first.ready.control_token)));
    await expect.poll(() => counted(second), { timeout: 5_000 }).toEqual(["at-first 1"]);
    const nobody = { ...repairer, api_key: "isk_nobodys" };
    await first.call(jobsGet, { identity: { id: randomUUID() } }, nobody, inWorld("at-nowhere"));
    const strays = async () => (await second.control(activityStrays, {})).items.map((call) => call.world);
    await expect.poll(strays, { timeout: 5_000 }).toContain("at-nowhere");
    const [stray] = (await second.control(activityStrays, {})).items;
    expect((await second.control(requestsExplain, { id: stray?.id ?? "" })).refusal).toMatchObject({ status: 401 });
    const old = "UPDATE sandbox_activity SET minute = minute - $1";
    await database.run(old, [8 * 86_400_000]);
    await sharedActivity(database).trim(Date.now());
    expect(await database.run("SELECT 1 FROM sandbox_activity")).toEqual([]);
  });

  test("a reset and a deletion are visible to the next owner", async () => {
    const first = await node();
    const id = await insert(first, "reset", "a:1");
    await insert(first, "deleted", "a:1");
    await first.control(worldsReset, { world: "reset", checkpoint: false });
    await first.control(worldsDelete, { world: "deleted", checkpoint: false });
    await first.stop();
    const second = await node();
    const gone = await second.call(jobsGet, { identity: { id } }, repairer, inWorld("reset"));
    expect(gone.text).toContain("not_found");
    const names = (await second.control(worldsList, { world: "default" })).items.map(({ name }) => name);
    expect(names).toContain("reset");
    expect(names).not.toContain("deleted");
  });

  test("a node with a full disk answers only recorded calls, and its worlds move", async (context) => {
    const disk = SmallDisk.mount(16);
    if (typeof disk === "string") return context.skip(disk);
    context.onTestFinished(() => disk.remove());
    vi.stubEnv("TMPDIR", disk.folder);
    const full = await node();
    vi.unstubAllEnvs();
    const other = await node();
    const id = await insert(full, "roomless", "a:1");
    disk.fill();
    const answered: (string | null)[] = [];
    for (let tries = 0; tries < 500 && answered.length === tries; tries += 1) {
      const { status, headers } = await full.call(jobsGet, { identity: { id } }, repairer, inWorld("roomless"));
      if (status === 200) answered.push(headers.get("x-request-id"));
      else expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    }
    expect(answered.length).toBeLessThan(500);
    const read = { identity: { id } };
    const moved = await retryUnavailable(() => other.call(jobsGet, read, repairer, inWorld("roomless")));
    expect(moved).toMatchObject({ id });
    const { items } = await other.control(requestsList, { world: "roomless", limit: 200 });
    const recorded = items.map((item) => item.id);
    expect(answered.filter((one) => !recorded.includes(one ?? ""))).toEqual([]);
  });

  test("a world of a newer version is refused with a sentence and unchanged", async () => {
    const first = await node();
    await insert(first, "newer", "a:1");
    await first.stop();
    const database = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => database.close());
    const store = new WorldStore(database);
    const folder = temporaryFolder();
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const load = async (): Promise<Buffer> => {
      await store.load("newer", path.join(folder, "world"));
      return fs.readFileSync(path.join(folder, "world"));
    };
    const written = await load();
    written.writeUInt32BE(written.readUInt32BE(USER_VERSION_AT) + 1, USER_VERSION_AT);
    const own = "UPDATE sandbox_worlds SET owner = $1 WHERE name = 'newer' RETURNING epoch, seq";
    const owner = randomUUID();
    const [at] = await database.run(own, [owner]);
    const seq = Number(at?.seq);
    await store.rebase({ name: "newer", owner, epoch: Number(at?.epoch), seq }, seq + 1, await packFile(written));
    const second = await node();
    const refused = await second.call(jobsGet, { identity: { external: "a:1" } }, repairer, inWorld("newer"));
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("written by a newer version")]);
    await second.stop();
    expect((await load()).equals(written)).toBe(true);
  });

  test("a stopping node is reachable until its calls have finished", async () => {
    const first = await node();
    const id = await insert(first, "late", "a:1");
    const fault = { operation: jobsGet.id, effect: { delay: { ms: 4_000 } } } as const;
    await first.control(faultsSet, { world: "late", ...fault });
    const health = () => first.raw("/__health", { method: "GET" }).then(({ status }) => status);
    expect(await health()).toBe(200);
    // Waits longer than a balancer takes to notice.
    let waiting = true;
    const call = first.call(jobsGet, { identity: { id } }, repairer, inWorld("late")).finally(() => {
      waiting = false;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = first.stop();
    const seen = new Set<number | null>();
    while (waiting) {
      const status = await health().catch(() => null);
      if (waiting) seen.add(status);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await call).status).toBe(200);
    expect([...seen]).toEqual([404]);
    await stopped;
  });

  test("all nodes accept the same control token", async () => {
    const [first, second] = [await node(), await node()];
    expect(second.ready.control_token).toBe(first.ready.control_token);
    expect(credentialHeaders(repairer).authorization).toBeDefined();
  });
});
