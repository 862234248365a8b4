import type { AddressInfo } from "node:net";
import Fastify, { type FastifyRequest } from "fastify";
import { onTestFinished, vi } from "vitest";
import type { AppServices } from "../../app-services.ts";
import type { Cluster } from "../cluster.ts";
import { Forwarding } from "../forwarding.ts";
import type { HeldWorld } from "../held-world.ts";
import type { Owner } from "../ownership.ts";
import { createPlacement } from "../placement.ts";
import type { SharedAccess } from "../shared-access.ts";

/** Starts a node whose routes respond immediately, and whose worlds come from `hold`. */
export const startPlacedNode = async (
  hold: (name: string, until: number, asks: boolean) => Promise<HeldWorld | Owner>,
  act: (request: FastifyRequest) => string = () => "{}",
  access: Pick<SharedAccess, "pull" | "push"> = { pull: async () => 1, push: async () => undefined },
  node = "us",
) => {
  const cluster = {
    ...{ node, checkedAt: 0, drainReason: null as string | null, assertFresh: vi.fn<() => void>() },
    ...{
      findCachedOwner: vi.fn((_name: string): Owner | undefined => undefined),
      dropCachedOwner: vi.fn<(name: string) => void>(),
    },
    ...{ canExist: vi.fn(async (_name: unknown, _key?: string) => true), publishEntry: vi.fn(async () => undefined) },
    hold: vi.fn((name: string, until: number, asks: boolean) => hold(name, until, asks)),
    done: vi.fn<(held: HeldWorld) => void>(),
    confirm: vi.fn(async (_name: string, _held: HeldWorld): Promise<void> => undefined),
    shared: {
      access: { pull: vi.fn(() => access.pull()), push: vi.fn((pulled: number) => access.push(pulled)) },
      files: {
        pull: vi.fn(async (_worlds: readonly string[], _all: boolean) => undefined),
        pullPicture: vi.fn(async (_id: string) => undefined),
        push: vi.fn(async () => undefined),
      },
    },
  };
  const forwarding = new Forwarding(node, "key");
  onTestFinished(() => forwarding.stop());
  const placement = createPlacement(cluster as unknown as Cluster, forwarding);
  const services = {
    ...{
      people: null as object | null,
      onError: vi.fn<(error: unknown) => void>(),
      controlToken: () => "control",
      access: { find: () => undefined },
    },
    worlds: { seed: { stores: { credentials: { findByIntegration: () => undefined } } } },
  };
  const given = services as unknown as AppServices;
  const app = Fastify({ forceCloseConnections: true });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  // Streams the body, like uploads of files.
  app.addContentTypeParser("text/plain", (_request, content, done) => done(null, content));
  placement.first(app, given);
  placement.before(app, given);
  placement.after(app, given);
  app.post("/*", { config: { effect: "write" } }, async (request) => act(request));
  app.get("/*", async (request) => act(request));
  for (const id of ["plans.list", "integrations.board"])
    app.post(`/__sandbox/${id}`, { config: { effect: "read" } }, async (request) => act(request));
  app.setErrorHandler((error: Error, _request, reply) => reply.code(503).send(error.message));
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const post = (path: string, init: RequestInit = {}) => fetch(`${address}${path}`, { method: "POST", ...init });
  return { cluster, forwarding, services, post, address, server: app.server };
};
