import type { FaultMark } from "../contract/control/fault-operations.ts";
import { type Side, sideLabels } from "../contract/control/rows.ts";
import { type RefusalReason, sentence } from "../contract/errors.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { findRespondingFault } from "../rules/worlds/faults.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import { findBeginning, type RefusedCall } from "./refused-call.ts";

/** The response to an earlier call, with its faults as stored. */
export interface EarlierResponse {
  readonly status: number;
  readonly faults: string | null;
}
/** An earlier call, and who made it. */
export interface EarlierCall extends EarlierResponse {
  readonly id: string;
  readonly at: number;
  readonly integration_id: string | null;
  readonly side: Side | null;
  readonly origin: string | null;
  readonly user_agent: string | null;
}
/** Columns of {@link EarlierCall} in `requests`. */
export const EARLIER_CALL =
  "id, at, status, faults, integration_id, side, origin, (SELECT value ->> 1 FROM json_each(request_headers) WHERE value ->> 0 = 'user-agent') AS user_agent";
/** Condition for calls that changed something. */
export const MADE_CHANGE = "EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state')";
/** Newest calls searched for one without an index. */
export const MAX_CALLS_SEARCHED = 500;

/** Describes the fault of the world that responded to an earlier call; null if none did. */
export const describeEarlierFault = ({ faults }: World, { status, faults: met }: EarlierResponse): string | null => {
  const mark = findRespondingFault({ faults: JSON.parse(met ?? "[]") as FaultMark[], status });
  if (!mark) return null;
  const name = faults.list().find(({ id }) => id === mark.id)?.name;
  const fault = name ? `the fault “${name}”` : "a fault";
  if (mark.kind === "delay") return `${fault} delayed its response, and the caller did not wait`;
  return status === 0 ? `${fault} left it without a response` : `${fault} returned ${status} in place of its response`;
};

/** Describes a response after which a program may not know that its call took effect; null for 200. */
export const describeUnclearResponse = (world: World, earlier: EarlierResponse): string | null => {
  if (earlier.status === 200) return null;
  const fault = describeEarlierFault(world, earlier);
  if (fault !== null) return sentence(fault);
  return earlier.status === 0 ? "Its response never arrived." : `Its response was ${earlier.status}.`;
};

/** Side of a refusal that follows from an earlier call: a fault that responded to it. */
export const sideOf = (world: World, earlier: EarlierResponse): Pick<RefusalReason, "side"> =>
  describeEarlierFault(world, earlier) === null ? {} : { side: "fault" };

/** Those who prove by the control token that they made a call with an organization's key. */
const actors: Readonly<Record<string, string>> = {
  explorer: "a person in the explorer",
  scenario: "a scenario",
  assistant: "an assistant",
};
const isProven = ({ origin }: EarlierCall): boolean => Object.hasOwn(actors, origin ?? "");

/** Checks for a call with the same key, which several programs may have. */
export const isOfSameKey = ({ caller }: Pick<RefusedCall, "caller">, earlier: EarlierCall): boolean =>
  earlier.integration_id === caller?.integration_id && !isProven(earlier);

const MAX_AGENT_CHARS = 60;
const describeActor = ({ world, caller, userAgent }: EarlierTold, earlier: EarlierCall): string => {
  const { integration_id, side, origin, user_agent } = earlier;
  if (isProven(earlier)) return actors[origin ?? ""] ?? "";
  if (isOfSameKey({ caller }, earlier)) {
    const isOther = user_agent !== null && userAgent !== undefined && user_agent !== userAgent;
    const agent = user_agent?.slice(0, MAX_AGENT_CHARS).replaceAll("`", "’");
    return isOther ? `a call of \`${agent}\` with the same key` : "a call with the same key";
  }
  const organization = world.stores.credentials.findByIntegration(integration_id ?? "")?.organization_id;
  return caller !== null && organization === caller.organization_id
    ? "another integration of the same organization"
    : `the ${side === null ? "caller" : sideLabels[side]}`;
};

type EarlierTold = Pick<RefusedCall, "world" | "caller" | "userAgent" | "findOrigin">;

/** Tells who did something before, when, and whether the response arrived. @param did with `{who}` for the actor */
export const tellEarlier = (
  why: RefusalReason,
  call: EarlierTold,
  earlier: EarlierCall,
  did: string,
): RefusalReason => {
  const { world, findOrigin } = call;
  const at = world.db.fromStored(earlier.at);
  const response = isOfSameKey(call, earlier) ? describeUnclearResponse(world, earlier) : null;
  const done = did.replace("{who}", describeActor(call, earlier)).replace("{passed}", formatDuration(realTime() - at));
  const beginning = findBeginning(world, findOrigin);
  const isCopied = beginning.how === "copied" && at < beginning.at;
  const facts = [
    sentence(isCopied ? `${done}, in the world that this one was copied from` : done),
    ...(response === null ? [] : [response]),
  ];
  return { ...why, fact: facts.join(" "), earlier: earlier.id, ...(response === null ? {} : sideOf(world, earlier)) };
};
