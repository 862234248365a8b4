import { createHmac } from "node:crypto";
import http, { type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { realTime } from "../storage/real-time.ts";
import { NotDurableError } from "../storage/writer.ts";
import { DatabaseError } from "./database.ts";
import { FORWARDED_HEADER } from "./forwarding.ts";
import type { HeldWorld } from "./held-world.ts";
import type { Owner } from "./ownership.ts";
import { startPlacedNode } from "./testing/placed-node.ts";
import { NotHeldError } from "./world-store.ts";

const worldOf = (name: string, more = {}) =>
  ({ name, calls: new Map<string, number>(), owner: "us", epoch: 2, seq: 3, ...more }) as unknown as HeldWorld;
const here = async (name: string) => worldOf(name);
const json = { "content-type": "application/json" };
const inWorld = { "x-sandbox-tenant": "acme" };
const CALL = "/api/repairer.jobs.get";

/** Starts a node that another one takes for the owner of every world. */
const startTwo = async (act?: Parameters<typeof startPlacedNode>[1]) => {
  const world = worldOf("acme");
  const owner = await startPlacedNode(async () => world, act, undefined, "owner");
  const of: Owner = { node: "owner", address: owner.address };
  const second = await startPlacedNode(async () => of, undefined, undefined, "second");
  return { owner, second, world, of };
};

/** Starts an owner that isn't a node of this version. */
const startServer = async (answer: RequestListener): Promise<Owner> => {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { node: "owner", address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe("a call at a node that knows the owner of its world", () => {
  test("gets the owner's response, as if it had arrived there", async () => {
    const { owner, second, world } = await startTwo(({ ip, peer, body, headers, until }) =>
      JSON.stringify({ ip, peer, body: String(body), headers, waits: until - performance.now() }),
    );
    for (let calls = 0; calls < 2; calls += 1) {
      const headers = { ...json, ...inWorld, "x-mine": "kept" };
      const answer = await second.post(CALL, { headers, body: '{"a":1}' });
      const seen = (await answer.json()) as { waits: number; headers: object };
      expect([answer.status, seen]).toMatchObject([200, { ip: "127.0.0.1", peer: "127.0.0.1", body: '{"a":1}' }]);
      expect(seen.headers).toMatchObject({ "x-mine": "kept", "x-sandbox-tenant": "acme" });
      expect(seen.headers).not.toHaveProperty(FORWARDED_HEADER);
      expect(Math.round(seen.waits / 1_000)).toBe(7);
      expect(answer.headers.get("x-sandbox-position")).toBe("2.3 us");
    }
    expect([[...world.calls], second.forwarding.sent, owner.forwarding.sent]).toEqual([[["second", 2]], 2, 0]);
    expect([second.cluster.confirm.mock.calls, owner.cluster.done.mock.calls.length]).toEqual([[], 2]);
    await owner.post(CALL, { headers: inWorld });
    expect([...world.calls]).toEqual([
      ["second", 2],
      ["owner", 1],
    ]);
  });

  test("is sent at once if the node has just heard of the owner, and looks for the next one if that has it no longer", async () => {
    const { owner, second, of } = await startTwo();
    second.cluster.findCachedOwner.mockImplementation((name) => (name === "acme" ? of : undefined));
    expect((await second.post(CALL, { headers: inWorld })).status).toBe(200);
    expect(second.cluster.hold).not.toHaveBeenCalled();
    // A control call may name another world in its body.
    await second.post("/__sandbox/requests.list", { headers: inWorld });
    expect(second.cluster.hold.mock.calls.map(([name]) => name)).toEqual(["default"]);
    owner.cluster.hold.mockRejectedValueOnce(new NotHeldError("acme"));
    second.cluster.hold.mockImplementation(here);
    const answer = await second.post(CALL, { headers: inWorld });
    expect([answer.status, await answer.text()]).toEqual([200, "{}"]);
    expect(second.cluster.dropCachedOwner.mock.calls).toEqual([["acme"]]);
    expect(second.forwarding.sent).toBe(2);
  });

  test("moves the world here if the owner twice doesn't have it", async () => {
    const { owner, second } = await startTwo();
    owner.cluster.hold.mockResolvedValue({ node: "third", address: "http://127.0.0.1:1" });
    const { hold } = second.cluster;
    const known = hold.getMockImplementation() ?? here;
    hold.mockImplementation((name, until, asks) => (asks ? here(name) : known(name, until, asks)));
    const answer = await second.post(CALL, { headers: { ...json, ...inWorld }, body: "{}" });
    expect([answer.status, answer.headers.get("x-sandbox-position")]).toEqual([200, "2.3 us"]);
    expect(hold.mock.calls.map(([, , asks]) => asks)).toEqual([false, false, true]);
    expect([second.cluster.dropCachedOwner.mock.calls.length, second.forwarding.sent]).toEqual([2, 0]);
    // The owner reports that it did nothing.
    const { headers } = await owner.post(CALL, { headers: inWorld });
    expect(headers.get(FORWARDED_HEADER)).toBeNull();
  });

  test("gets what the owner answers, but nothing that belongs to one connection", async () => {
    const { second } = await startTwo();
    const of = await startServer((request, response) => {
      response.writeHead(418, { "keep-alive": "timeout=5", "x-its": "kept", "set-cookie": ["a=1", "b=2"] });
      request.pipe(response);
    });
    second.cluster.hold.mockResolvedValue(of);
    const answer = await second.post(CALL, { headers: { ...json, ...inWorld }, body: "x".repeat(2 * 1024 * 1024) });
    expect([answer.status, (await answer.text()).length]).toEqual([418, 2 * 1024 * 1024]);
    expect([answer.headers.get("x-its"), answer.headers.getSetCookie()]).toEqual(["kept", ["a=1", "b=2"]]);
    expect(answer.headers.get("keep-alive")).not.toBe("timeout=5");
  });

  test("leaves its connection open, unless the node it reached is stopping", async () => {
    const { second } = await startTwo();
    const answers: (() => void)[] = [];
    const of = await startServer((_request, response) => void answers.push(() => response.end()));
    second.cluster.hold.mockResolvedValue(of);
    const connection = async (before: () => void) => {
      const call = second.post(CALL, { headers: inWorld });
      await vi.waitUntil(() => answers.length > 0);
      before();
      answers.pop()?.();
      return (await call).headers.get("connection");
    };
    expect(await connection(() => undefined)).toBe("keep-alive");
    expect(await connection(() => void second.server.close())).toBe("close");
  });

  test("is repeated after a lost connection only if it changes nothing", async () => {
    const { second } = await startTwo();
    const of = await startServer(({ socket }) => void socket.destroy());
    const asked = () => second.cluster.hold.mock.calls.length;
    second.cluster.hold.mockImplementation(async (name, _until, asks) => (asks ? worldOf(name) : of));
    const refused = await second.post(CALL, { headers: inWorld });
    expect([refused.status, await refused.text(), asked()]).toEqual([503, expect.stringContaining("Check whether"), 1]);
    for (const [path, method] of [
      ["/__sandbox/plans.list", "POST"],
      [CALL, "GET"],
    ] as const)
      expect((await second.post(path, { method, headers: inWorld })).status).toBe(200);
    expect(asked()).toBe(7);
    // Nothing was sent to an owner that can't be reached.
    second.cluster.hold.mockImplementation(async (name, _until, asks) =>
      asks ? worldOf(name) : { node: "gone", address: "http://127.0.0.1:1" },
    );
    expect((await second.post(CALL, { headers: inWorld })).status).toBe(200);
  });

  test("ends without its caller, or with its node", async () => {
    const arrived = Promise.withResolvers<void>();
    const closed = vi.fn();
    const of = await startServer((request, response) => {
      response.on("close", closed);
      if (request.url === CALL) response.write("half");
      arrived.resolve();
    });
    const { second } = await startTwo();
    second.cluster.hold.mockResolvedValue(of);
    const half = await second.post(CALL, { headers: inWorld });
    await second.forwarding.endDead(async () => new Set(["owner"]));
    const body = half.text().catch(() => "cut off");
    await second.post("/api/nothing.get", { headers: inWorld, signal: AbortSignal.timeout(50) }).catch(() => undefined);
    await vi.waitUntil(() => closed.mock.calls.length === 1);
    await second.forwarding.endDead(async () => new Set());
    expect(await body).toBe("cut off");
    await vi.waitUntil(() => closed.mock.calls.length === 2);
    const alive = vi.fn(async () => new Set<string>());
    await second.forwarding.endDead(alive);
    expect(alive).not.toHaveBeenCalled();
  });

  test("is believed to be forwarded only with a signature of its cluster, for this call and now", async () => {
    const { owner, world } = await startTwo();
    const about = { node: "third", ip: "192.0.2.1", peer: "192.0.2.2" };
    const call = async (until: number, path = CALL, key = "key") => {
      const payload = Buffer.from(JSON.stringify({ ...about, until })).toString("base64url");
      const mark = `${payload}.${createHmac("sha256", key).update(`POST ${path} ${payload}`).digest("base64url")}`;
      await owner.post(CALL, { headers: { ...inWorld, [FORWARDED_HEADER]: mark } });
      const from = [...world.calls.keys()];
      world.calls.clear();
      return from[0];
    };
    expect([await call(realTime() + 1_000), await call(realTime() + 9_000)]).toEqual(["third", "third"]);
    // Its caller no longer waits.
    expect(await call(realTime() - 1_000)).toBeUndefined();
    for (const late of [11_000, -11_000]) expect(await call(realTime() + late)).toBe("owner");
    expect([await call(realTime() + 1_000, "/api/other"), await call(realTime() + 1_000, CALL, "another")]).toEqual([
      "owner",
      "owner",
    ]);
  });
});

test("a call that reached another node without a Host header is recorded without one", async () => {
  const { owner } = await startTwo(({ raw }) => JSON.stringify([raw.headers.host, raw.rawHeaders.includes("host")]));
  const seen = async (more: object) => {
    const about = { node: "third", ip: "192.0.2.1", peer: "192.0.2.2", until: realTime() + 1_000, ...more };
    const payload = Buffer.from(JSON.stringify(about)).toString("base64url");
    const mark = `${payload}.${createHmac("sha256", "key").update(`POST ${CALL} ${payload}`).digest("base64url")}`;
    return (await owner.post(CALL, { headers: { ...inWorld, [FORWARDED_HEADER]: mark } })).json();
  };
  expect(await seen({ hostFault: "missing" })).toEqual([null, false]);
  expect(await seen({})).toEqual([new URL(owner.address).host, true]);
});

describe("a node", () => {
  test("reports to balancers when it gives its worlds away or can't serve them", async () => {
    const { cluster, post } = await startPlacedNode(here);
    const health = () => post("/__health", { method: "GET" });
    const before = Date.now();
    expect((await health()).status).toBe(200);
    expect(cluster.checkedAt).toBeGreaterThanOrEqual(before);
    cluster.assertFresh.mockImplementationOnce(() => {
      throw new DatabaseError();
    });
    expect((await health()).status).toBe(503);
    cluster.drainReason = "is drained";
    const drained = await health();
    expect([drained.status, await drained.json()]).toEqual([404, { status: "is drained" }]);
    expect((await post(CALL, { headers: inWorld })).status).toBe(200);
  });

  test("asks the others for tokens and pictures that it doesn't know", async () => {
    const { cluster, post } = await startPlacedNode(here);
    const { access, files } = cluster.shared;
    const call = (path: string, token: string) => post(path, { headers: { authorization: `Bearer ${token}` } });
    await call("/__sandbox/requests.list", "control");
    await call(CALL, "unknown");
    await post("/__sandbox/requests.list");
    expect(access.pull).not.toHaveBeenCalled();
    await call("/__sandbox/requests.list", "unknown");
    expect(access.pull).toHaveBeenCalledTimes(1);
    const id = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";
    for (const name of [id, "no-id"]) await post(`/__media/${name}/picture`, { method: "GET" });
    expect(files.pullPicture.mock.calls).toEqual([[id]]);
  });

  test("takes no world for a name that doesn't exist, unless the call may create it", async () => {
    const { cluster, post } = await startPlacedNode(here);
    cluster.canExist.mockResolvedValue(false);
    const headers = { ...inWorld, authorization: "Bearer isk_nobodys" };
    expect((await post(CALL, { headers })).headers.get("x-sandbox-position")).toBeNull();
    expect([cluster.canExist.mock.calls, cluster.hold.mock.calls]).toEqual([[["acme", "Bearer isk_nobodys"]], []]);
    await post("/__webhooks/subscribe", { headers });
    expect(cluster.hold.mock.calls.map(([name]) => name)).toEqual(["acme"]);
  });

  test("finds the world of a consent form and of a sign-in", async () => {
    const { cluster, post, services } = await startPlacedNode(here);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (const body of ["a=b&world=acme", "a=b"]) await post("/__oauth/authorize", { headers: form, body });
    services.people = { findPerson: () => ({ world: "theirs" }) };
    await post("/__sandbox/tokens.sign-in", { headers: json, body: '{"world":"other"}' });
    expect(cluster.hold.mock.calls.map(([name]) => name)).toEqual(["acme", "default", "theirs"]);
    services.people = { findPerson: () => null };
    await post("/__sandbox/tokens.sign-in");
    await post("/__sandbox/service.info");
    expect(cluster.hold).toHaveBeenCalledTimes(3);
    await post("/__sandbox/requests.list?world=asked");
    expect(cluster.hold.mock.lastCall?.[0]).toBe("asked");
  });

  test("fetches and stores the files that a call may read and write", async () => {
    const { cluster, post } = await startPlacedNode(here);
    const { files } = cluster.shared;
    const list = (body: object) => post("/__sandbox/snapshots.list", { headers: json, body: JSON.stringify(body) });
    await list({ world: "acme", everywhere: true });
    await list({ world: "acme" });
    await post("/__uploads/x?world=acme");
    expect(files.pull.mock.calls).toEqual([
      [["acme"], true],
      [["acme"], false],
      [["acme"], false],
    ]);
    expect([files.push.mock.calls.length, cluster.confirm.mock.calls.length]).toEqual([3, 6]);
    await post(CALL, { headers: inWorld });
    await post("/__sandbox/requests.list");
    expect([files.pull.mock.calls.length, files.push.mock.calls.length]).toEqual([3, 3]);
    // An upload's answer names nothing.
    const uploads = await startPlacedNode(here, () => "stored");
    const headers = { "content-type": "text/plain" };
    expect((await uploads.post("/__uploads/x?world=acme", { headers, body: "png" })).status).toBe(200);
    // Only the answer names the world of an imported document.
    const imports = await startPlacedNode(here, () => '{"world":"brought"}');
    await imports.post("/__sandbox/snapshots.import", { headers: inWorld, body: "{}" });
    expect(imports.cluster.hold.mock.calls.map(([name, , asks]) => [name, asks])).toEqual([
      ["acme", false],
      ["brought", true],
    ]);
    expect(imports.cluster.confirm.mock.calls.at(-1)?.[0]).toBe("brought");
  });

  test("asks the database only for an integration that is older than the world and not in it", async () => {
    const known = "01a22d2d-0000-4abc-8def-00000000000a";
    const hex = (Date.now() - 3_600_000).toString(16).padStart(12, "0");
    const older = `${hex.slice(0, 8)}-${hex.slice(8)}-4abc-8def-0123456789ab`;
    const world = {
      db: { epoch: Date.now() - 60_000 },
      stores: {
        credentials: { findByIntegration: (id: string) => (id === known ? {} : undefined) },
        settings: { get: () => 0 },
      },
    };
    const { services, post } = await startPlacedNode(here);
    const findIntegration = vi.fn(async (_id: string) => null);
    const withIntactWorld = (_name: string, is: (one: typeof world) => boolean) => is(world);
    Object.assign(services.worlds, { findIntegration, withIntactWorld });
    for (const id of [` ${older.toUpperCase()}`, known, "no UUID", "ffffffff-ffff-4abc-8def-0123456789ab"])
      await post(CALL, { headers: { ...inWorld, "service-integration-id": id } });
    expect(findIntegration.mock.calls).toEqual([[older]]);
  });

  test("lets a world go while a feed of it stays open", async () => {
    const { cluster, post } = await startPlacedNode(here);
    const answer = await post("/__sandbox/live?world=acme", { method: "GET" });
    expect([answer.headers.get("x-sandbox-position"), cluster.done.mock.calls.length]).toEqual([null, 1]);
  });

  test("says that its disk fails, and that another node may answer", async () => {
    const failure = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const { cluster, post } = await startPlacedNode(here);
    cluster.hold.mockRejectedValueOnce(failure);
    const answer = await post(CALL, { headers: inWorld });
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringMatching(/^The disk of this node is full/),
    ]);
  });
});

describe("an answer", () => {
  test("says where its world stands, unless it concerns several or failed", async () => {
    const { cluster, post } = await startPlacedNode(here);
    const position = async (path: string, body = "{}") =>
      (await post(path, { headers: { ...json, ...inWorld }, body })).headers.get("x-sandbox-position");
    expect(await position(CALL)).toBe("2.3 us");
    expect(await position("/__sandbox/worlds.compare", '{"world":"a","with":{"world":"b"}}')).toBeNull();
    cluster.confirm.mockRejectedValueOnce(new NotHeldError("acme"));
    expect(await position(CALL)).toBeNull();
  });

  test("publishes what it changed in the lists of other nodes", async () => {
    const { cluster, post } = await startPlacedNode(async (name) => worldOf(name, { isUnpublished: name === "acme" }));
    await post(CALL, { headers: inWorld });
    await post(CALL, { headers: { "x-sandbox-tenant": "other" } });
    await post(CALL, { method: "GET", headers: inWorld });
    expect(cluster.publishEntry.mock.calls).toMatchObject([[{ name: "acme" }]]);
  });

  test("stores access before it is confirmed, and is refused with the reason if either fails", async () => {
    const { cluster, post, services } = await startPlacedNode(here);
    const { push } = cluster.shared.access;
    await post("/__sandbox/tokens.create");
    expect(push.mock.invocationCallOrder[0]).toBeLessThan(cluster.confirm.mock.invocationCallOrder[0] ?? 0);
    push.mockRejectedValueOnce(new NotDurableError(undefined, "changed elsewhere"));
    const refused = await post("/__sandbox/tokens.create");
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      ...[503, "1", { type: "storage_unavailable", message: "changed elsewhere" }],
    ]);
    expect(services.onError).not.toHaveBeenCalled();
    const failure = new Error("unexpected");
    cluster.confirm.mockRejectedValueOnce(failure);
    expect(await (await post(CALL, { headers: inWorld })).json()).toMatchObject({
      message: new DatabaseError().message,
    });
    expect(services.onError.mock.calls).toEqual([[failure]]);
  });

  test("of a call that couldn't be recorded here is refused", async () => {
    const { post } = await startPlacedNode(here, (request) => {
      Object.assign(request, { exchange: { refused: true, world: "acme" } });
      return "{}";
    });
    const answer = await post(CALL, { headers: inWorld });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("world acme is moving")]);
  });
});
