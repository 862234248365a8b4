import { randomBytes } from "node:crypto";
import http from "node:http";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServiceConfig } from "../config.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { jobsList, requestsGet, requestsList } from "../contract/control/operations.ts";
import {
  snapshotsExport,
  snapshotsImport,
  snapshotsSave,
  worldsCompare,
} from "../contract/control/snapshot-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import { realTime } from "../storage/real-time.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { credentialHeaders, repairer, startTestService, TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import { CommandProcess } from "../testing/process.ts";
import { RawConnection, rawHead } from "../testing/raw-connection.ts";
import { SharedDatabase } from "./database.ts";
import { FORWARDED_HEADER, Forwarding } from "./forwarding.ts";

const postgres = await TestPostgres.start();

describe("a call at a node that doesn't own its world", () => {
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

  /** Starts an owner in a process of its own, which can be stopped or killed. */
  const startOwner = async (): Promise<{ owner: CommandProcess; first: TestService }> => {
    const owner = new CommandProcess(["--port", "0", "--cluster", postgres?.url ?? "", "--log", "silent"]);
    onTestFinished(async () => void (await owner.kill("SIGKILL")));
    const ready = await owner.ready(30_000);
    return { owner, first: new TestService("", { ready, address: ready.base_url, stop: async () => undefined }) };
  };

  const database = (): SharedDatabase => {
    const shared = new SharedDatabase(postgres?.url ?? "", 1, () => undefined);
    onTestFinished(() => shared.close());
    return shared;
  };
  const inWorld = (world: string) => ({ "x-sandbox-tenant": world });
  const jobIn = async (service: TestService, world: string, external: string) => ({
    identity: { external },
    repairer_site_id: await ownSite(service, inWorld(world)),
  });
  const insert = async (service: TestService, world: string, external: string): Promise<string> =>
    (await service.ok(jobsInsert, await jobIn(service, world, external), repairer, inWorld(world))).id;
  const get = (service: TestService, world: string, id: string) =>
    service.call(jobsGet, { identity: { id } }, repairer, inWorld(world));
  const ownerIn = (headers: Headers): string => headers.get("x-sandbox-position")?.split(" ")[1] ?? "";

  /** Sends a call from a local address. @returns its status; null if it ended without a response */
  const post = (
    service: TestService,
    path: string,
    headers: Record<string, string>,
    localAddress = "127.0.0.1",
    text = "{}",
  ): Promise<http.IncomingMessage | null> =>
    new Promise((resolve) => {
      const { port } = service;
      const asked = { host: "127.0.0.1", port, path, method: "POST", localAddress, agent: false };
      const call = http.request({ ...asked, headers: { "content-type": "application/json", ...headers } });
      call.on("response", (response) => resolve(response.resume())).on("error", () => resolve(null));
      call.end(text);
    });

  test("is forwarded without delay, even if a client alternates, and the world stays", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "stays", "a:1");
    const owner = ownerIn((await get(first, "stays", id)).headers);
    for (let calls = 0; calls < 200; calls += 1) {
      const { status, headers } = await get(calls % 2 === 0 ? first : second, "stays", id);
      expect([status, ownerIn(headers)]).toEqual([200, owner]);
    }
  });

  test("is recorded at the owner exactly as its caller sent it", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "recorded", "a:1");
    const headers = {
      ...credentialHeaders(repairer),
      ...inWorld("recorded"),
      "x-mine": "kept",
      "x-forwarded-for": "::1",
    };
    const response = await second.post(operationPath(businessesList), {}, headers);
    const id = response.headers.get("x-request-id") ?? "";
    const record = await second.control(requestsGet, { world: "recorded", id });
    const names = record.request_headers.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["host", "x-mine", "x-forwarded-for", "x-sandbox-tenant"]));
    expect(names).not.toContain(FORWARDED_HEADER);
    // Calls without a route or with an unreadable body belong to the owner too.
    expect((await second.post("/api/nothing.get", {}, headers)).status).toBe(404);
    const length = { ...headers, "content-type": "application/json" };
    await second.raw(operationPath(jobsInsert), { headers: length, body: `${"x".repeat(1024 * 1024)}x` });
    const { items } = await first.control(requestsList, { world: "recorded" });
    expect(items.slice(0, 2).map(({ status }) => status)).toEqual([413, 404]);
  });

  test("uses the world that its route reads, whatever else its address contains", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "header", "a:1");
    await insert(second, "address", "a:1");
    const path = `${operationPath(jobsGet)}?world=address`;
    const headers = { ...credentialHeaders(repairer), ...inWorld("header") };
    for (const service of [first, second])
      expect(await service.post(path, { identity: { id } }, headers)).toMatchObject({ status: 200, body: { id } });
  });

  test("with a wrong host for the node it reached is refused, and recorded by its owner", async () => {
    const [first, second] = [await node(), await node({ allowHosts: ["second.example"] })];
    const id = await insert(first, "hosts", "a:1");
    // Another call finds the owner, so that this one is forwarded at once.
    expect((await get(second, "hosts", id)).status).toBe(200);
    const sent = async (line: string, host: Record<string, string>) => {
      const text = JSON.stringify({ identity: { id } });
      const headers = { ...host, ...credentialHeaders(repairer), ...inWorld("hosts") };
      const length = { "content-type": "application/json", "content-length": String(text.length) };
      const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
      const connection = await RawConnection.open(second.port);
      const [answer] = await connection.send(`${line} HTTP/1.1\r\n${lines.join("")}\r\n${text}`).answers(1);
      connection.close();
      return answer;
    };
    const call = `POST ${operationPath(jobsGet)}`;
    const without = await sent(call, {});
    expect([without?.status, without?.body]).toEqual([400, expect.stringContaining("has no Host header")]);
    const record = await first.control(requestsGet, { world: "hosts", id: without?.headers.get("x-request-id") ?? "" });
    expect(record).toMatchObject({ unrouted: "host", status: 400 });
    expect(record.request_headers.map(([name]) => name)).not.toContain("host");
    // D2: the path is judged first.
    expect((await sent("POST /api/nothing.get", {}))?.status).toBe(404);
    expect((await sent(call, { host: "evil.example" }))?.status).toBe(421);
    expect((await sent(call, { host: "second.example" }))?.status).toBe(200);
  });

  test("counts for its caller’s address, only at the owner", async () => {
    const limits = { callsPerMinute: 8, trustedProxies: ["127.0.0.9"] };
    const [first, second] = [await node(limits), await node(limits)];
    await insert(first, "limited", "a:1");
    const path = operationPath(businessesList);
    const call = async (service: TestService, from: string, more = {}) =>
      (await post(service, path, { ...inWorld("limited"), authorization: "Bearer isk_nobodys", ...more }, from))
        ?.statusCode;
    const called: (number | undefined)[] = [];
    for (let calls = 0; calls < 8; calls += 1) called.push(await call(second, "127.0.0.2"));
    expect(new Set(called)).toEqual(new Set([401]));
    expect(await call(first, "127.0.0.2")).toBe(429);
    expect(await call(second, "127.0.0.2")).toBe(429);
    expect(await call(second, "127.0.0.3")).toBe(401);
    // Behind a trusted proxy, the caller is the address that the proxy names.
    const behind = { "x-forwarded-for": "127.0.0.2" };
    expect(await call(second, "127.0.0.9", behind)).toBe(429);
    expect(await call(second, "127.0.0.3", behind)).toBe(401);
  });

  test("ignores a forged forwarding mark, and is forwarded at most once", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "marked", "a:1");
    const headers = { ...credentialHeaders(repairer), ...inWorld("marked") };
    const shared = database();
    const [row] = await shared.run("SELECT value FROM sandbox_settings WHERE key = 'forward_key'");
    const ask = (mark: string) =>
      second.post(operationPath(jobsGet), { identity: { id } }, { ...headers, [FORWARDED_HEADER]: mark });
    const about = Buffer.from(JSON.stringify({ node: "x", until: realTime(), ip: "192.0.2.1", peer: "192.0.2.1" }));
    for (const forged of ["", "elsewhere", `${about.toString("base64url")}.${"x".repeat(43)}`])
      expect((await ask(forged)).status).toBe(200);
    // A call forwarded to the wrong node is neither sent back nor forwarded again.
    let mark = "";
    const receiver = http.createServer((request, response) => {
      mark = String(request.headers[FORWARDED_HEADER]);
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const forwarding = new Forwarding("another", String(row?.value));
    onTestFinished(() => forwarding.stop());
    const at = receiver.address() as { port: number };
    const sender = http.createServer();
    onTestFinished(() => void sender.close());
    const { default: Fastify } = await import("fastify");
    const app = Fastify();
    onTestFinished(() => app.close());
    app.post("/*", async (request, reply) => {
      request.until = performance.now() + 7_000;
      await forwarding.send({ node: "n", address: `http://127.0.0.1:${at.port}` }, request, reply, null);
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as { port: number };
    await fetch(`http://127.0.0.1:${port}${operationPath(jobsGet)}`, { method: "POST" });
    const refused = await ask(mark);
    expect([refused.status, refused.headers.get(FORWARDED_HEADER), refused.headers.get("retry-after")]).toEqual([
      ...[503, "elsewhere", "1"],
    ]);
    // The mark belongs to another call.
    expect(
      (await second.post(operationPath(businessesList), {}, { ...headers, [FORWARDED_HEADER]: mark })).status,
    ).toBe(200);
    const [{ epoch } = { epoch: 0 }] = await shared.run("SELECT epoch FROM sandbox_worlds WHERE name = 'marked'");
    expect(Number(epoch)).toBe(1);
  });

  test("is equally fast if only its body names the world", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "polled", "a:1");
    const asked = { world: "polled", operation: jobsInsert.id };
    for (let polls = 1; polls < 5; polls += 1) {
      const began = performance.now();
      expect((await second.control(requestsList, asked)).items).toHaveLength(polls);
      expect(performance.now() - began).toBeLessThan(2_000);
      await insert(first, "polled", `b:${polls}`);
    }
  });

  test("streams a feed, a picture and a document", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "streams", "a:1");
    const feed = await FeedReader.connect(second, 0, "streams");
    const seen = feed.ids.length;
    await insert(first, "streams", "a:2");
    await vi.waitUntil(() => feed.ids.length > seen, 3_000);
    const body = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const { upload_url, public_url } = await second.ok(uploadsPrepare, body, repairer, inWorld("streams"));
    const { pathname, search } = new URL(upload_url);
    const picture = new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(3_000_000)]));
    expect(await second.raw(pathname + search, { method: "PUT", body: picture })).toMatchObject({ status: 200 });
    const served = await fetch(first.baseUrl + new URL(public_url ?? "").pathname);
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
    await second.control(snapshotsSave, { world: "streams", name: "kept" });
    const { document } = await second.control(snapshotsExport, { world: "streams", name: "kept" });
    const imported = { world: "streams", name: "brought", document };
    expect(await second.control(snapshotsImport, imported)).toMatchObject({ world: "streams" });
    feed.close();
    // The owner learns that the reader disconnected.
    await vi.waitUntil(async () => (await get(first, "streams", "none")).status < 500, 3_000);
  });

  test("is recorded by its owner if its picture is refused or its caller disconnects", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "pictures", "a:1");
    const body = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    // Each time another address: one that still receives the picture that was hung up refuses the next.
    const prepareAddress = async (): Promise<string> => {
      const { upload_url } = await second.ok(uploadsPrepare, body, repairer, inWorld("pictures"));
      const { pathname, search } = new URL(upload_url);
      return pathname + search;
    };
    expect((await second.raw(await prepareAddress(), { method: "PUT", body: "no picture" })).status).toBe(415);
    const hangUp = async (): Promise<void> => {
      const head = rawHead(`PUT ${await prepareAddress()}`, { "content-length": "2000000" });
      const connection = await RawConnection.open(second.port);
      connection.send(head).send("\x89PNG");
      await setTimeout(100);
      connection.close();
    };
    const listed = async (from: TestService) => {
      const asked = { world: "pictures", operation: "uploads.put" };
      return (await from.control(requestsList, asked)).items.map(({ status, reason }) => `${status} ${reason}`);
    };
    // One that hangs up before it was forwarded leaves no record.
    await vi.waitUntil(() => hangUp().then(async () => (await listed(first)).length > 1), 5_000);
    expect(new Set(await listed(first))).toEqual(
      new Set([
        "0 The connection was closed before the whole picture arrived.",
        "415 The bytes are not a PNG, JPEG, WebP, GIF or HEIC image.",
      ]),
    );
    // The last calls that were hung up may be recorded meanwhile.
    await vi.waitUntil(async () => isDeepStrictEqual(await listed(second), await listed(first)), 3_000);
  });

  test("with two worlds moves both to one node", async () => {
    const [first, second] = [await node(), await node()];
    await insert(first, "one", "a:1");
    await insert(second, "two", "a:1");
    const began = performance.now();
    const compared = await second.call(worldsCompare, { world: "one", with: { world: "two" } }, undefined, {
      authorization: `Bearer ${second.ready.control_token}`,
    });
    expect([compared.status, performance.now() - began < 4_000]).toEqual([200, true]);
    const owners = "SELECT DISTINCT owner FROM sandbox_worlds WHERE name IN ('one', 'two')";
    expect(await database().run(owners)).toHaveLength(1);
  });

  test("moves its world if the owner can’t be reached", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "unreached", "a:1");
    const owner = ownerIn((await get(first, "unreached", id)).headers);
    await database().run("UPDATE sandbox_nodes SET address = 'http://127.0.0.1:1' WHERE id = $1", [owner]);
    const began = performance.now();
    const body = await jobIn(second, "unreached", "a:2");
    const response = await second.call(jobsInsert, body, repairer, inWorld("unreached"));
    expect([response.status, performance.now() - began < 3_000]).toEqual([200, true]);
    expect(ownerIn(response.headers)).not.toBe(owner);
  });

  test("ends without a response if a fault of its world says so", async () => {
    const [first, second] = [await node(), await node()];
    const id = await insert(first, "dropped", "a:1");
    await first.control(faultsSet, { world: "dropped", operation: jobsGet.id, effect: { drop: {} }, uses: 1 });
    const headers = { ...credentialHeaders(repairer), ...inWorld("dropped") };
    const text = JSON.stringify({ identity: { id } });
    expect(await post(second, operationPath(jobsGet), headers, "127.0.0.1", text)).toBeNull();
    expect((await get(second, "dropped", id)).status).toBe(200);
  });

  test("waits for a paused owner no longer than it owns its worlds", {
    timeout: 120_000,
  }, async () => {
    const { owner, first } = await startOwner();
    const second = await node();
    const world = "frozen";
    const id = await insert(first, world, "a:1");
    const job = await jobIn(second, world, "a:2");
    // Its connections stay open, as with a machine that lost power.
    owner.child.kill("SIGSTOP");
    const began = performance.now();
    const read = get(second, world, id);
    const { status, text } = await second.call(jobsInsert, job, repairer, inWorld(world));
    expect([status, text]).toEqual([503, expect.stringContaining("Check whether a change was made")]);
    // A read is safe to repeat at the next owner, if that has the world in time.
    expect([200, 503]).toContain((await read).status);
    expect(performance.now() - began).toBeLessThan(15_000);
    await vi.waitUntil(async () => (await get(second, world, id)).status === 200, 10_000);
    // The insert arrives at a node that has lost the world.
    owner.child.kill("SIGCONT");
    await vi.waitUntil(async () => (await get(first, world, id)).status === 200, 10_000);
    const found = await second.call(jobsGet, { identity: job.identity }, repairer, inWorld(world));
    expect(found.status).toBe(404);
  });

  test("is forwarded to an owner that listens on all addresses", async () => {
    const [first, second] = [await node({ host: "0.0.0.0" }), await node()];
    const id = await insert(first, "everywhere", "a:1");
    const owner = ownerIn((await get(first, "everywhere", id)).headers);
    const [row] = await database().run("SELECT address FROM sandbox_nodes WHERE id = $1", [owner]);
    expect(row?.address).toBe(`http://127.0.0.1:${first.port}`);
    const { status, headers } = await get(second, "everywhere", id);
    expect([status, ownerIn(headers)]).toEqual([200, owner]);
  });

  test("gets 503 if the owner dies, isn't repeated, and the next call finds the next owner", {
    timeout: 120_000,
  }, async () => {
    const { owner, first } = await startOwner();
    const second = await node();
    const world = "dying";
    const id = await insert(first, world, "a:1");
    const job = await jobIn(second, world, "a:2");
    await first.control(faultsSet, {
      world,
      operation: jobsInsert.id,
      effect: { delay: { ms: 3_000, when: "after" } },
    });
    const jobs = async (service: TestService) => (await service.control(jobsList, { world })).total;
    const before = await jobs(first);
    const call = second.call(jobsInsert, job, repairer, inWorld(world));
    await vi.waitUntil(async () => (await jobs(first)) === before + 1, 3_000);
    await owner.kill("SIGKILL");
    const { status, headers, text } = await call;
    expect([status, headers.get("retry-after"), text]).toEqual([
      ...[503, "1", expect.stringContaining("Check whether a change was made")],
    ]);
    const began = performance.now();
    expect((await get(second, world, id)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(7_000);
    expect(await jobs(second)).toBe(before + 1);
  });
});
