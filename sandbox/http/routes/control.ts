import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import {
  MAX_SCENARIO_BYTES,
  runsStart,
  scenariosCheck,
  scenariosSave,
} from "../../contract/control/scenario-operations.ts";
import { errorCodes, Refusal, refuse } from "../../contract/errors.ts";
import { type Operation, operationPath } from "../../contract/operation.ts";
import { MAX_DOCUMENT_BYTES } from "../../contract/values.ts";
import { type BoundControl, type ControlContext, StreamedResponse } from "../../control/handler.ts";
import { bodyHandlers, controlHandlers } from "../../control/registry.ts";
import { signIn } from "../../oauth/sign-in.ts";
import { describeControlViolation, isJson, notJson, refuseEncoding } from "../../operations/validation.ts";
import { readField, readText } from "../../rules/json/untyped.ts";
import { parseResponse } from "../../scenario/scenario-client.ts";
import { streamToFile } from "../../uploads/media-files.ts";
import type { World } from "../../worlds/world.ts";
import { errorBody, onDisconnect, sendJson, sendRefusal } from "../answers.ts";
import { audit } from "../audit.ts";
import { findProvenOrigin } from "../callers.ts";
import { admit, refuseAccess } from "../control-access.ts";
import type { Replays } from "../replays.ts";
import { listenRoute } from "./listen.ts";
import { liveRoute, OpenStreams, parseLiveWorld } from "./live.ts";
import { mcpRoute } from "./mcp.ts";
import { controlDocumentRoute } from "./openapi.ts";
import { readRequestBody } from "./partner.ts";

class TooLargeError extends Error {}
class HungUpError extends Error {}

/** Operations that take a scenario, which may contain a whole world. */
const largeBodies: ReadonlySet<string> = new Set([scenariosCheck.id, scenariosSave.id, runsStart.id]);
/** Size of the rest of the body. */
const ENVELOPE_BYTES = 64 * 1024;

const createContext = (services: AppServices, resend: ControlContext["resend"], reply: FastifyReply) => {
  const hungUp = new AbortController();
  onDisconnect(reply.raw, () => hungUp.abort(new HungUpError()));
  const caller = reply.request.controlCaller;
  const inSlices: ControlContext["inSlices"] = (read) =>
    services.slices.run(caller.token?.id ?? caller.name, hungUp.signal, read);
  return {
    ...{ ...services, resend, hungUp: hungUp.signal, inSlices, caller },
    maySee: (world: string) => caller.token === null || caller.token.world === world,
    signIn: () => signIn(reply.request, services.people),
    info: {
      ...{ ...services.info, mode: services.mode, quotas: services.quotas },
      ...{ baseUrl: services.baseUrl(), address: services.address() },
    },
  };
};

const sendResult = (reply: FastifyReply, operation: Operation, value: unknown): FastifyReply => {
  if (value instanceof StreamedResponse)
    return reply.header("content-type", "application/json; charset=utf-8").send(value.text);
  if (!(value instanceof Refusal)) return sendJson(reply, 200, JSON.stringify(value));
  sendRefusal(reply, value, operation);
  return reply;
};

const run = async (
  { operation, handle }: BoundControl,
  services: AppServices,
  resend: ControlContext["resend"],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const parsed = readRequestBody(request);
  if (parsed instanceof Refusal) {
    await audit(request, services, { operation, world: null, body: null, value: parsed });
    return sendResult(reply, operation, parsed);
  }
  const denied = refuseAccess(request.controlCaller, operation.access, parsed.value);
  const writeAudit = (world: string | null, value: unknown): Promise<void> =>
    audit(request, services, { operation, world, body: parsed.value, value });
  const name = parseLiveWorld(readField(parsed.value, "world"));
  const refused = async (refusal: Refusal): Promise<FastifyReply> => {
    await writeAudit(name, refusal);
    return sendResult(reply, operation, refusal);
  };
  if (denied) return refused(denied);
  const problem = describeControlViolation(operation, parsed.value);
  if (problem !== null) return refused(refuse("bad_request", problem));
  if (name === null) return refused(refuse("bad_request", "/world must be 1 to 64 of A–Z a–z 0–9 . _ -"));
  const { worlds } = services;
  let value: unknown;
  let isUsed = false;
  try {
    const work = (world: () => World): unknown => {
      const context = {
        ...createContext(services, resend, reply),
        worldName: name,
        get world() {
          isUsed = true;
          return world();
        },
      };
      return handle(context, parsed.value as never);
    };
    value = await worlds.lazily(name, operation.effect === "write", work, (result) => result instanceof Refusal);
    // A new world has nothing to find, and the refusal deleted it.
    if (isUsed && value instanceof Refusal && value.code === "not_found") worlds.mustHave(name);
  } catch (error) {
    value = error;
    // The caller disconnected; this isn't an error.
    if (error instanceof HungUpError) return reply.hijack();
    throw error;
  } finally {
    await writeAudit(name, value);
  }
  if (services.runs.watching && !(value instanceof StreamedResponse))
    services.runs.called({
      ...{ world: name, control: true, operation: operation.id, method: "POST", path: operationPath(operation) },
      ...{ integration_id: null, body: parsed.value, trace_id: null },
      origin: findProvenOrigin(request, services) ?? "explorer",
      reached:
        value instanceof Refusal
          ? parseResponse(errorCodes[value.code].status, {}, JSON.stringify(errorBody(value, operation)))
          : parseResponse(200, {}, JSON.stringify(value)),
    });
  return sendResult(reply, operation, value);
};

/** Operations that stream their body to a file instead of reading it into memory. */
const bodyRoutes = (app: FastifyInstance, services: AppServices, resend: ControlContext["resend"]): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, content, done) => done(null, content));
  for (const { operation, handleBody } of bodyHandlers) {
    app.post(operationPath(operation), { config: { effect: operation.effect } }, async (request, reply) => {
      const writeAudit = (value: unknown): Promise<void> => {
        const created = value instanceof Error ? null : value;
        return audit(request, services, { operation, world: readText(created, "world") ?? null, body: created, value });
      };
      const done = async (value: unknown): Promise<FastifyReply> => {
        await writeAudit(value);
        return sendResult(reply, operation, value);
      };
      const type = request.raw.headers["content-type"];
      if (request.body !== undefined && !isJson(type)) return done(notJson(type));
      const receive = async (file: string): Promise<void> => {
        const content = (request.body as Readable | undefined) ?? Readable.from([]);
        let bytes = 0;
        const checkPiece = (piece: Buffer): void => {
          bytes += piece.length;
          if (bytes > MAX_DOCUMENT_BYTES) throw new TooLargeError();
        };
        await streamToFile(content, checkPiece, file);
      };
      try {
        return await done(await handleBody(createContext(services, resend, reply), receive));
      } catch (error) {
        // The caller disconnected; this isn't an error.
        if (request.raw.destroyed && !request.raw.complete) return reply.hijack();
        if (error instanceof TooLargeError) {
          const most = MAX_DOCUMENT_BYTES / 1024 / 1024;
          return done(refuse("payload_too_large", `The body is larger than ${most} MiB.`));
        }
        await writeAudit(error);
        throw error;
      }
    });
  }
};

/** Records a call whose body wasn't read. Its address names the operation. */
const auditUnread = (request: FastifyRequest, services: AppServices, value: Refusal): Promise<void> => {
  const id = (request.routeOptions.url ?? "").replace("/__sandbox/", "");
  return audit(request, services, { operation: { id, effect: "read" }, world: null, body: null, value });
};

/** Control plane, with its own tokens and never a partner's credentials. */
export const controlRoutes = (app: FastifyInstance, services: AppServices, replays: Replays): void => {
  app.decorateRequest("controlCaller", null as never);
  app.addHook("onRequest", async (request, reply) => {
    const refused = admit(request, services) ?? refuseEncoding(request.headers["content-encoding"]);
    if (!refused) return;
    // Without a valid token there is no caller to record.
    if (request.controlCaller) await auditUnread(request, services, refused);
    sendRefusal(reply, refused, null);
    return reply;
  });
  app.addHook("onError", async (request, _reply, { code }) => {
    if (code === "FST_ERR_CTP_BODY_TOO_LARGE") await auditUnread(request, services, refuse("payload_too_large"));
  });

  const resend: ControlContext["resend"] = (call) => replays.send(call, app.server.address() as AddressInfo);
  for (const bound of controlHandlers)
    app.post(
      operationPath(bound.operation),
      {
        config: {
          access: bound.operation.access?.needs === "anyone" ? "anyone" : "asks",
          effect: bound.operation.effect,
        },
        ...(largeBodies.has(bound.operation.id) ? { bodyLimit: MAX_SCENARIO_BYTES + ENVELOPE_BYTES } : {}),
      },
      (request, reply) => run(bound, services, resend, request, reply),
    );
  app.register((scope, _options, done) => {
    bodyRoutes(scope, services, resend);
    done();
  });

  controlDocumentRoute(app, services);
  const streams = new OpenStreams(services);
  liveRoute(app, services, streams);
  listenRoute(app, services, streams);
  mcpRoute(app, services);
};
