import { randomBytes } from "node:crypto";
import { refusalReason, refuseBody, refuseFor } from "../contract/causes.ts";
import { type Side, sideLabels } from "../contract/control/rows.ts";
import { errorCodes, Refusal } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Append } from "../storage/log-store.ts";
import { idsFrom } from "../storage/new-id.ts";
import { type CallDetails, emptyCallDetails } from "../storage/requests-store.ts";
import { Undo } from "../storage/writer.ts";
import type { World } from "../worlds/world.ts";
import { authenticate, type CredentialHeaders, findAuthenticationCause } from "./authenticate.ts";
import { findFinerCause } from "./finer-cause.ts";
import type { BoundHandler, Caller, CallerContext, HandlerContext } from "./handler.ts";
import type { FindOrigin, FindOtherWorld, RefusedCall } from "./refused-call.ts";
import { explainShape } from "./shape-causes.ts";
import { DelayedCall } from "./test-values.ts";
import { findViolation, readBody, type SentBody } from "./validation.ts";
import { queueEvent } from "./write-outbox.ts";

/** Input of the pipeline. Of HTTP, only the body and four headers. */
export interface Call extends SentBody {
  readonly world: World;
  /** World that the call names. If it doesn't exist, {@link world} is the seed. */
  readonly named: string;
  readonly baseUrl: string;
  readonly traceId: string;
  /** W3C trace context, sent with the notifications it causes. None by default. */
  readonly traceparent?: string | null;
  /** UUID from which the call's new IDs are derived. */
  readonly idsFrom: string;
  readonly signUpload: HandlerContext["signUpload"];
  readonly credentials: CredentialHeaders;
  readonly userAgent?: string | undefined;
  /** Caller of a call the sandbox makes itself. By default, the credentials decide. */
  readonly as?: Caller;
  /** Called in the transaction of a write. A reason makes the result {@link ObsoleteCall}. */
  readonly isOver?: () => string | null;
  /**
   * True if a test value of the job may delay or replace the response (D93). The result is then {@link DelayedCall}.
   */
  readonly heedsTestValues?: boolean;
  /** Searches the other open worlds for the cause of a refusal. Absent if there are none. */
  readonly findOtherWorld?: FindOtherWorld;
  readonly mayBeElsewhere?: (integrationId: string) => boolean;
  readonly findOrigin?: FindOrigin;
  readonly findServiceKeys?: RefusedCall["findServiceKeys"];
  readonly findLosses?: RefusedCall["findLosses"];
  readonly onError?: RefusedCall["onError"];
  /** Records the result in the same commit, even for a refusal inside it. Not called for reads. */
  readonly record?: (result: Result) => void;
}

/** The call was obsolete before it ran. */
export class ObsoleteCall {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

export interface Result {
  readonly value: unknown;
  readonly details: CallDetails;
  /** True if new deliveries wait, so delivery must be started. */
  readonly queued: boolean;
}

const createCallDetails = (operation: Operation, caller: Caller | null): CallDetails => ({
  ...emptyCallDetails(operation.id),
  ...(caller ? { integration_id: caller.integration_id, side: caller.scope } : {}),
});

const refused = (details: CallDetails, refusal: Refusal, call: RefusedCall): Result => {
  const { code, message } = refusal;
  const why = findFinerCause(refusal, { ...call, operation: details.operation });
  details.error_code = code;
  details.outcome = message ?? refusalReason(why, null) ?? errorCodes[code].meaning;
  details.events = 0;
  if (why) details.refused_for = why;
  return { value: refusal, details, queued: false };
};

/** @param sent side of the key that was sent */
const describeScopeRemedy = ({ id, scope }: Operation, sent: Side): string => {
  const fitting = partnerOperations.find((one) => one.id === id.replace(`${scope}.`, `${sent}.`));
  const needed = sideLabels[scope as Side];
  return (
    `${fitting ? `With this key, call \`${fitting.id}\`. Or send` : "Send"} a ${needed}’s key with its integration ID: \`credentials.list\` lists those of this world. ` +
    `To install as a ${needed}, issue an access code with \`scope\` as \`${scope}\` and call \`integrations.insert\`.`
  );
};

const checkAccess = (operation: Operation, caller: Caller | null, headers: CredentialHeaders): Refusal | null => {
  if (operation.scope === "none") return null;
  if (!caller) return refuseFor(findAuthenticationCause(headers));
  const isOfScope = operation.scope === "either" || operation.scope === caller.scope;
  if (isOfScope) return null;
  const fact = `This is a ${sideLabels[caller.scope]} key; this operation needs a ${sideLabels[operation.scope as Side]} key.`;
  return refuseFor("scope", [], undefined, { fact, remedy: describeScopeRemedy(operation, caller.scope) });
};

interface Input {
  /** Undefined if the body couldn't be read. */
  readonly input: unknown;
  readonly refusal: Refusal | null;
}

const readInput = (operation: Operation, call: Call): Input => {
  const body = readBody(call, operation.shapeError, operation.request);
  if (body instanceof Refusal) return { input: undefined, refusal: body };
  const { value: input } = body;
  const problem = findViolation(operation.request, input);
  if (problem === null) return { input, refusal: null };
  const finer = explainShape(operation.request, input, problem);
  return { input, refusal: refuseBody("shape", operation.shapeError, problem, finer) };
};

const toBuffer = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const createContext = (
  call: Call,
  caller: Caller,
  append: Append,
  details: CallDetails,
  /** The recorded response, once known. */
  readResponse: () => unknown,
  onQueued: () => void,
): CallerContext => {
  const { world } = call;
  const { stores } = world;
  return {
    caller,
    stores,
    policies: world.policies,
    now: world.now(),
    baseUrl: call.baseUrl,
    bodyText: () => (call.body ? toBuffer(call.body).toString("utf8") : ""),
    world: world.name,
    signUpload: call.signUpload,
    newId: idsFrom(call.idsFrom),
    randomBytes: (count) => randomBytes(count),
    heedsTestValues: call.heedsTestValues ?? false,
    note: (notes) => {
      const earlierNotes = details.test_values ?? [];
      const added = notes.filter(({ value }) => !earlierNotes.some((one) => one.value === value));
      if (added.length > 0) details.test_values = [...earlierNotes, ...added];
    },
    emit: (event, webhook) => {
      details.events += 1;
      if (queueEvent(world, call.traceId, event, call.traceparent, webhook)) onQueued();
    },
    changed: (change) => append("state", call.traceId, change, () => change.after === readResponse()),
    about: (subject) => Object.assign(details, subject),
  };
};

const noAppend: Append = () => {
  throw new Error("a read must not change anything");
};

/** Handlers with scope `none` never read their caller, and all others require one. */
const nobody: Caller = { integration_id: "", organization_id: "", scope: "repairer" };

/**
 * Pipeline of every partner operation: authenticate → scope → parse → shape → transaction → handle → outbox → commit
 * (D2). A refusal rolls back the handler's writes.
 */
export const execute = (bound: BoundHandler, call: Call): Result | Promise<Result> => {
  const { operation } = bound;
  const caller =
    operation.scope === "none" ? null : (call.as ?? authenticate(call.credentials, call.world.stores.credentials));
  const denied = checkAccess(operation, caller, call.credentials);
  if (denied) return refused(createCallDetails(operation, caller), denied, { ...call, caller, input: undefined });
  const { input, refusal } = readInput(operation, call);
  if (refusal) return refused(createCallDetails(operation, caller), refusal, { ...call, caller, input });

  // The writer may run a mutation again, so each run collects its own changes.
  const run = (append: Append): Result => {
    const details = createCallDetails(operation, caller);
    const over = call.isOver?.() ?? null;
    if (over !== null) return { value: new ObsoleteCall(over), details, queued: false };
    let [value, queued]: [unknown, boolean] = [undefined, false];
    // A custom or replaceable response doesn't show the new state.
    const readResponse = () => (call.record && !bound.serialize ? value : undefined);
    const context = createContext(call, caller ?? nobody, append, details, readResponse, () => {
      queued = true;
    });
    value = bound.handle(context, input as never);
    if (value instanceof DelayedCall) return { value, details, queued: false };
    return value instanceof Refusal ? refused(details, value, { ...call, caller, input }) : { value, details, queued };
  };
  if (operation.effect === "read") {
    const result = run(noAppend);
    result.details.outcome ||= "read only";
    return result;
  }
  return call.world.write<Result>((append) => {
    const result = run(append);
    return result.value instanceof Refusal ? new Undo(result) : result;
  }, call.record);
};
