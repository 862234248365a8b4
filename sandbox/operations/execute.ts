import { randomBytes } from "node:crypto";
import type { Side } from "../contract/control/rows.ts";
import { type ErrorCode, Refusal, refuse } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { Undo } from "../storage/writer.ts";
import type { Append, World } from "../worlds/world.ts";
import { authenticate, type CredentialHeaders } from "./authenticate.ts";
import { queueEvent } from "./emit.ts";
import type { BoundHandler, Caller, CallerContext, HandlerContext } from "./handler.ts";
import { parseBody, violation } from "./validation.ts";

/** A call as the pipeline needs it; nothing of HTTP but the bytes and three headers. */
export interface Call {
  readonly world: World;
  readonly baseUrl: string;
  readonly traceId: string;
  readonly signUpload: HandlerContext["signUpload"];
  readonly credentials: CredentialHeaders;
  readonly contentType: string | undefined;
  readonly body: Uint8Array | null;
}

/** What the call came to, and what it was about. */
export interface Result {
  readonly value: unknown;
  integration_id: string | null;
  side: Side | null;
  job_id: string | null;
  procurement_id: string | null;
  outcome: string;
  events: number;
  /** Pending deliveries were added: delivery should look. */
  queued: boolean;
}

const nothing = (): Omit<Result, "value"> => ({
  integration_id: null,
  side: null,
  job_id: null,
  procurement_id: null,
  outcome: "",
  events: 0,
  queued: false,
});

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType.trim() === "" || /^application\/json\s*(;|$)/i.test(contentType.trim());

const accepts = (operation: Operation, caller: Caller | null): ErrorCode | null => {
  if (operation.scope === "none") return null;
  if (!caller) return "unauthorized";
  return operation.scope === "either" || operation.scope === caller.scope ? null : "forbidden";
};

/** Content type, JSON and shape (D3, D4). */
const readInput = (operation: Operation, call: Call): { readonly input: unknown } | Refusal => {
  if (call.body && call.body.length > 0 && !isJson(call.contentType)) {
    return refuse("unsupported_media_type", `send the body as application/json, not as ${call.contentType}`);
  }
  const parsed = parseBody(call.body);
  if ("problem" in parsed) return refuse(operation.shapeError, parsed.problem);
  const problem = violation(operation.request, parsed.value);
  return problem === null ? { input: parsed.value } : refuse(operation.shapeError, problem);
};

const contextOf = (call: Call, append: Append, result: Omit<Result, "value">): HandlerContext => {
  const { world } = call;
  const { stores } = world;
  return {
    stores,
    policies: world.policies,
    now: world.now(),
    baseUrl: call.baseUrl,
    bodyText: call.body
      ? Buffer.from(call.body.buffer, call.body.byteOffset, call.body.byteLength).toString("utf8")
      : "",
    world: world.name,
    signUpload: call.signUpload,
    newId: () => world.newId(),
    randomBytes: (count) => randomBytes(count),
    emit: (event) => {
      result.events += 1;
      if (queueEvent(world, append, call.traceId, event)) result.queued = true;
    },
    changed: (change) => append("state", call.traceId, change),
    about: ({ job_id, procurement_id, outcome }) => {
      if (job_id !== undefined) result.job_id = job_id;
      if (procurement_id !== undefined) result.procurement_id = procurement_id;
      if (outcome !== undefined) result.outcome = outcome;
    },
  };
};

const noAppend: Append = () => {
  throw new Error("a read must not change anything");
};

/** A handler of the scope `none` never looks at its caller; one of any other scope never runs without. */
const nobody: Caller = { integration_id: "", organization_id: "", scope: "repairer" };

/**
 * The one pipeline of every partner operation: authenticate → scope → parse → shape → transaction → handle → outbox →
 * commit. The order is D2's; a refusal undoes whatever the handler wrote.
 */
export const execute = (bound: BoundHandler, call: Call): Result | Promise<Result> => {
  const { operation } = bound;
  const result = nothing();
  const caller = operation.scope === "none" ? null : authenticate(call.credentials, call.world.stores.credentials);
  if (caller) {
    result.integration_id = caller.integration_id;
    result.side = caller.scope;
  }
  const denied = accepts(operation, caller);
  if (denied) return { ...result, value: refuse(denied) };
  const read = readInput(operation, call);
  if (read instanceof Refusal) return { ...result, value: read };

  const run = (append: Append): unknown => {
    const context: CallerContext = { ...contextOf(call, append, result), caller: caller ?? nobody };
    return bound.handle(context, read.input as never);
  };
  if (operation.effect === "read") {
    const value = run(noAppend);
    return { ...result, outcome: result.outcome || "read only", value };
  }
  return call.world
    .write((append) => {
      const value = run(append);
      return value instanceof Refusal ? new Undo<unknown>(value) : value;
    })
    .then((value) => ({ ...result, value, ...(value instanceof Refusal ? { events: 0, queued: false } : {}) }));
};
