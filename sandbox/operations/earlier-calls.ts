import type { FaultMark } from "../contract/control/fault-operations.ts";
import { type Side, sideLabels } from "../contract/control/rows.ts";
import { type RefusalReason, sentence } from "../contract/errors.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { findRespondingFault } from "../rules/worlds/faults.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { Caller } from "./handler.ts";

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
}
/** Columns of {@link EarlierCall} in `requests`. */
export const EARLIER_CALL = "id, at, status, faults, integration_id, side, origin";
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
const describeActor = (
  { stores }: World,
  caller: Caller | null,
  { integration_id, side, origin }: EarlierCall,
): string => {
  const proven = actors[origin ?? ""];
  if (proven) return proven;
  if (integration_id === caller?.integration_id) return "this program";
  const isOwn =
    caller !== null &&
    stores.credentials.findByIntegration(integration_id ?? "")?.organization_id === caller.organization_id;
  return isOwn ? "another integration of the same organization" : `the ${side === null ? "caller" : sideLabels[side]}`;
};

/** Tells who did something before, when, and whether the response arrived. @param did with `{who}` for the actor */
export const tellEarlier = (
  why: RefusalReason,
  world: World,
  caller: Caller | null,
  earlier: EarlierCall,
  did: string,
): RefusalReason => {
  const who = describeActor(world, caller, earlier);
  const response = who === "this program" ? describeUnclearResponse(world, earlier) : null;
  const passed = formatDuration(realTime() - world.db.fromStored(earlier.at));
  const fact = `${sentence(`${did.replace("{who}", who)}, ${passed} before this call`)}${response === null ? "" : ` ${response}`}`;
  return { ...why, fact, earlier: earlier.id, ...(response === null ? {} : sideOf(world, earlier)) };
};
