import {
  faultsClear,
  faultsFirings,
  faultsList,
  faultsPreview,
  faultsSet,
} from "../contract/control/fault-operations.ts";
import {
  ANY_OPERATION,
  attemptKinds,
  type Fault,
  type FaultKind,
  webhookCalls,
} from "../contract/control/fault-rows.ts";
import { errorCodes, Refusal, refuse } from "../contract/errors.ts";
import type { RequestOf } from "../contract/operation.ts";
import { partnerHandlers } from "../operations/registry.ts";
import { sentenceOfFault } from "../rules/fault-words.ts";
import { type ArmedFault, kindOf, leftOf, stateOf } from "../rules/faults.ts";
import { iso, isoOrNull } from "../rules/timestamp.ts";
import { newId } from "../storage/new-id.ts";
import { MOST_FAULTS, TooManyFaults } from "../worlds/faults.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

const faultRow = (fault: ArmedFault): Fault => ({
  ...fault,
  about: fault.about ?? "calls",
  event_type: fault.event_type ?? null,
  kind: kindOf(fault.effect),
  state: stateOf(fault, Date.now()),
  left: leftOf(fault),
  armed_at: iso(fault.armed_at),
  expires_at: isoOrNull(fault.expires_at),
  last_fired_at: isoOrNull(fault.last_fired_at),
  sentence: sentenceOfFault(fault),
});

const operationIds: readonly string[] = [...partnerHandlers.map(({ operation }) => operation.id), ...webhookCalls];

type Asked = RequestOf<typeof faultsSet>;

/** What is wrong with an error that is to be answered, or null. */
const errorProblem = ({ error }: Asked["effect"]): string | null => {
  if (!error) return null;
  const { code, status, message, body } = error;
  if (code === undefined && body === undefined && status === undefined)
    return "/effect/error must say what is answered: a code of the contract, or a status with a body";
  if (code !== undefined && body !== undefined) return "/effect/error/body must not be there beside a code";
  if (code === undefined && message !== undefined) return "/effect/error/message must not be there without a code";
  if (status !== undefined) return null;
  if (code === undefined) return "/effect/error/status is required for a body of your own";
  return Object.hasOwn(errorCodes, code) ? null : `/effect/error/status is required: the contract has no code ${code}`;
};

const endOf = ({ expires_at, for_seconds }: Asked, now: number): { readonly at: number | null } | Refusal => {
  if (expires_at !== undefined && for_seconds !== undefined)
    return refuse("bad_request", "/for_seconds must not be there beside expires_at");
  if (for_seconds !== undefined) return { at: now + for_seconds * 1_000 };
  if (expires_at === undefined) return { at: null };
  const at = Date.parse(expires_at);
  return at > now ? { at } : refuse("bad_request", "/expires_at must be in the future, on real time");
};

/** What is wrong with a fault for attempts, or null. */
const attemptProblem = ({ operation, effect }: Asked): string | null => {
  if (operation !== undefined && operation !== ANY_OPERATION)
    return "/operation must not be there for attempts: event_type says which notifications";
  const kind = kindOf(effect);
  const kinds: readonly FaultKind[] = attemptKinds;
  if (!kinds.includes(kind)) return `/effect/${kind} is for calls; attempts meet ${kinds.join(", ")}`;
  if (effect.delay?.when === "after") return "/effect/delay/when must be before for attempts";
  if (effect.error?.code !== undefined) return "/effect/error/code is for calls; a receiver answers a status";
  return null;
};

const problemOf = (asked: Asked): string | null => {
  const { operation, calls, effect } = asked;
  if (asked.about === "attempts") return attemptProblem(asked) ?? errorProblem(effect);
  if (asked.event_type !== undefined) return "/event_type is for attempts: say so with about";
  if (operation !== undefined && operation !== ANY_OPERATION && !operationIds.includes(operation))
    return `/operation ${operation} is no operation that faults are for; there are * and ${operationIds.join(", ")}`;
  if (calls && effect.rate_limit) return "/calls must not be there for a rate limit: it counts every call itself";
  return errorProblem(effect);
};

/** The fault that is asked for, not yet counted. */
const faultOf = (world: World, asked: Asked, now: number): ArmedFault | Refusal => {
  const problem = problemOf(asked);
  if (problem !== null) return refuse("bad_request", problem);
  const end = endOf(asked, now);
  if (!("at" in end)) return end;
  const id = asked.id?.toLowerCase();
  const integrationId = asked.integration_id?.toLowerCase() ?? null;
  if (id !== undefined && !world.faults.list().some((fault) => fault.id === id))
    return refuse("not_found", `/id ${id} is no fault of this world; leave it out to arm another one`);
  if (integrationId !== null && !world.stores.credentials.byIntegration(integrationId))
    return refuse("not_found", `/integration_id ${integrationId} is no integration of this world`);
  return {
    id: id ?? newId(),
    name: asked.name ?? null,
    ...(asked.about === "attempts" ? { about: asked.about } : {}),
    operation: asked.operation ?? ANY_OPERATION,
    ...(asked.event_type === undefined ? {} : { event_type: asked.event_type }),
    integration_id: integrationId,
    calls: asked.calls ?? null,
    effect: asked.effect,
    uses: asked.uses ?? null,
    armed_at: now,
    expires_at: end.at,
    matched: 0,
    fired: 0,
    last_fired_at: null,
  };
};

/** Calls and attempts that fail on purpose. */
export const faultControls: readonly BoundControl[] = [
  control(faultsList, ({ world }) => ({ items: world.faults.list().map(faultRow) })),
  control(faultsPreview, ({ world }, asked) => {
    const fault = faultOf(world, asked, Date.now());
    return fault instanceof Refusal ? fault : { sentence: sentenceOfFault(fault) };
  }),
  control(faultsSet, async ({ world }, asked) => {
    const fault = faultOf(world, asked, Date.now());
    if (fault instanceof Refusal) return fault;
    try {
      await world.faults.set(fault);
    } catch (error) {
      if (!(error instanceof TooManyFaults)) throw error;
      return refuse("bad_request", `${MOST_FAULTS} faults are armed in this world already; clear some first`);
    }
    return faultRow(fault);
  }),
  control(faultsClear, async ({ world }, { id }) => {
    const cleared = await world.faults.clear(id?.toLowerCase() ?? null);
    if (id !== undefined && cleared === 0) return refuse("not_found", `/id ${id} is no fault of this world`);
    return { cleared };
  }),
  control(faultsFirings, ({ world }, { id, limit = 100 }) => ({
    items: world.stores.log
      .faults(id?.toLowerCase() ?? null, limit)
      .map(({ at, trace_id, data }) => ({ at, trace_id: trace_id ?? "", ...data })),
  })),
];
