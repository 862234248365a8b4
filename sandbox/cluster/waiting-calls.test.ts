import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AppServices } from "../http/app-services.ts";
import type { Cluster } from "./cluster.ts";
import { DatabaseError } from "./database.ts";
import type { HeldWorld } from "./held-world.ts";
import { placementOf } from "./placement.ts";

/** Routes that answer at once, on a node whose worlds come and go as a test says. */
const startNode = async (hold: (name: string) => Promise<HeldWorld>) => {
  const cluster = {
    ...{ hold: vi.fn(hold), done: vi.fn(), confirm: vi.fn(async () => undefined), note: async () => undefined },
    shared: {
      access: { pull: vi.fn(async () => 1), push: vi.fn(async () => undefined) },
      files: { pull: vi.fn(async () => undefined), push: vi.fn(async () => undefined) },
    },
  };
  const placement = placementOf(cluster as unknown as Cluster);
  const services = { people: null, troubled: vi.fn() } as unknown as AppServices;
  const app = Fastify({ forceCloseConnections: true });
  placement.before(app, services);
  placement.after(app, services);
  app.post("/*", async () => "{}");
  app.setErrorHandler((error: Error, _request, reply) => reply.code(503).send(error.message));
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const post = (path: string, headers = {}, signal: AbortSignal | null = null) =>
    fetch(`${address}${path}`, { method: "POST", headers, signal });
  return { cluster, post };
};

const world = { name: "acme" } as HeldWorld;

test("a snapshot that is imported moves the world that its call names to the node, and no other", async () => {
  const { cluster, post } = await startNode(async () => world);
  expect((await post("/__sandbox/snapshots.import", { "x-sandbox-tenant": "acme" })).status).toBe(200);
  expect(cluster.hold.mock.calls).toEqual([["acme"]]);
});

test("a caller who hangs up while their world comes takes no part in it, and keeps it from nobody", async () => {
  const comes = Promise.withResolvers<HeldWorld>();
  const { cluster, post } = await startNode(() => comes.promise);
  const hangsUp = new AbortController();
  const call = post("/__oauth/token?world=acme", {}, hangsUp.signal).catch(({ name }: Error) => name);
  await vi.waitUntil(() => cluster.hold.mock.calls.length === 1);
  hangsUp.abort();
  expect(await call).toBe("AbortError");
  // A call of somebody else is answered after the node has heard of it.
  await post("/__elsewhere");
  expect(cluster.done).not.toHaveBeenCalled();
  comes.resolve(world);
  await vi.waitUntil(() => cluster.done.mock.calls.length > 0);
  expect(cluster.done.mock.calls).toEqual([[world]]);
});

test("a call that only reads what makes a client ready stores nothing of who may do what", async () => {
  const { cluster, post } = await startNode(async () => world);
  const { access } = cluster.shared;
  await post("/__sandbox/plans.list");
  await post("/__sandbox/integrations.board");
  expect([access.pull.mock.calls.length, access.push.mock.calls.length]).toEqual([2, 0]);
  await post("/__sandbox/plans.set");
  expect(access.push.mock.calls).toEqual([[1]]);
});

test("a node that has lost a world stores no file of it", async () => {
  const { cluster, post } = await startNode(async () => world);
  const { files } = cluster.shared;
  expect((await post("/__sandbox/snapshots.save")).status).toBe(200);
  expect(files.push).toHaveBeenCalledTimes(1);
  cluster.confirm.mockRejectedValue(new DatabaseError());
  const refused = await post("/__sandbox/snapshots.save");
  expect([refused.status, await refused.json()]).toMatchObject([503, { type: "storage_unavailable" }]);
  expect(files.push).toHaveBeenCalledTimes(1);
});
