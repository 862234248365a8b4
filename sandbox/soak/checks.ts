import type { Envelope } from "../contract/events.ts";
import type { Verification } from "../rules/webhook-signature.ts";

/** A change that was answered with 200, and the events that must follow. Times are ticks of one clock of the run. */
export interface Mutation {
  readonly events: readonly string[];
  /** When it was asked for, and when the answer was there: `asked < answered`. */
  readonly asked: number;
  readonly answered: number;
}

/** A notification as a receiver got it. */
export interface Receipt {
  /** The {@link eventKey} of its event. */
  readonly event: string;
  readonly message_id: string;
}

/** What one subscription got, in the order it came, and whether an event is meant for it. */
export interface Delivered {
  readonly name: string;
  readonly concerns: (event: string) => boolean;
  readonly receipts: readonly Receipt[];
}

/** What happened, as one text: two events of one run never have the same. */
export const eventKey = ({ event_type, payload }: Pick<Envelope, "event_type" | "payload">): string =>
  "procurement_id" in payload
    ? `${event_type} ${payload.procurement_id} ${payload.status}`
    : `${event_type} ${payload.job_id} ${payload.change_action}`;

/** What a body that does not verify is reported as, or null. */
export const bodyFault = (name: string, { reason, steps }: Verification): string | null => {
  if (reason === null) return null;
  const failed = steps.find(({ verdict }) => verdict === "failed");
  return `A notification to ${name} does not verify: ${reason} (${failed?.detail}).`;
};

/** Events of acknowledged changes that a subscription never got. Contract, "Delivery rules" 1. */
export const missingEvents = ({ concerns, receipts }: Delivered, acknowledged: readonly Mutation[]): string[] => {
  const received = new Set(receipts.map(({ event }) => event));
  return acknowledged.flatMap(({ events }) => events.filter((event) => concerns(event) && !received.has(event)));
};

export const missingFault = (delivered: Delivered, acknowledged: readonly Mutation[]): string | null => {
  const missing = missingEvents(delivered, acknowledged);
  return missing.length === 0
    ? null
    : `${delivered.name} never heard of ${missing.length} acknowledged changes, for example “${missing[0]}”.`;
};

/** Contract, "Delivery rules" 2: a repeat has the `message_id` of the first, so one event has one and no more. */
export const identityFault = ({ name, receipts }: Delivered): string | null => {
  const ids = new Map<string, string>();
  for (const { event, message_id } of receipts) {
    const first = ids.get(event) ?? message_id;
    if (first !== message_id) return `${name} received “${event}” as ${first} and again as ${message_id}.`;
    ids.set(event, first);
  }
  return null;
};

/**
 * D73: leaving repeats aside, an event never comes after one whose change was asked for only when its own was answered
 * already. Changes that were under way together may come either way, and those that were never answered have no order.
 */
export const orderFault = ({ name, receipts }: Delivered, acknowledged: readonly Mutation[]): string | null => {
  const byEvent = new Map(
    acknowledged.flatMap((mutation) => mutation.events.map((event) => [event, mutation] as const)),
  );
  const seen = new Set<string>();
  let latest = { event: "", asked: -1 };
  for (const { event } of receipts) {
    const mutation = byEvent.get(event);
    if (!mutation || seen.has(event)) continue;
    seen.add(event);
    if (latest.asked > mutation.answered) return `${name} received “${latest.event}” before “${event}”.`;
    if (mutation.asked > latest.asked) latest = { event, asked: mutation.asked };
  }
  return null;
};

/**
 * Nobody hears of what did not happen: each event beyond the acknowledged changes belongs to one whose answer was lost.
 *
 * @param unanswered how many of those there are
 */
export const strayFault = (
  { name, receipts }: Delivered,
  acknowledged: readonly Mutation[],
  unanswered: number,
): string | null => {
  const known = new Set(acknowledged.flatMap(({ events }) => events));
  const strays = new Set(receipts.map(({ event }) => event).filter((event) => !known.has(event)));
  const [stray] = strays;
  return strays.size <= unanswered
    ? null
    : `${name} heard of ${strays.size} changes nobody was acknowledged, but only ${unanswered} answers were lost; for example “${stray}”.`;
};

/** The first of all these that does not hold for a subscription, or null. */
export const deliveredFault = (
  delivered: Delivered,
  acknowledged: readonly Mutation[],
  unanswered: number,
): string | null =>
  missingFault(delivered, acknowledged) ??
  identityFault(delivered) ??
  orderFault(delivered, acknowledged) ??
  strayFault(delivered, acknowledged, unanswered);

/** How many notifications came that had come before. */
export const repeatsOf = ({ receipts }: Delivered): number =>
  receipts.length - new Set(receipts.map(({ message_id }) => message_id)).size;

/** A thing as it must be now: of a field whose last change was not answered, either value will do. */
export interface Expected {
  readonly what: string;
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

/** What of an acknowledged thing is not there, or is not what was acknowledged; null when all is well. */
export const stateFault = (
  { what, fields }: Expected,
  answer: { readonly status: number; readonly body: unknown },
): string | null => {
  if (answer.status !== 200) return `${what} was acknowledged, and is answered with ${answer.status} now.`;
  for (const [name, allowed] of Object.entries(fields)) {
    const found: unknown = Object(answer.body)[name];
    if (!allowed.includes(found))
      return `${what} has ${name} ${JSON.stringify(found)}, not ${allowed.map((one) => JSON.stringify(one)).join(" or ")}.`;
  }
  return null;
};
