import { causeSentence, causesElsewhere, findCause } from "../../contract/causes.ts";
import {
  type Activity,
  type ActivityCaller,
  type ActivityGroup,
  type GroupCaller,
  type LastFailure,
  MAX_CALLERS,
  MAX_CALLERS_PER_GROUP,
} from "../../contract/control/activity-operations.ts";
import type { Exchanged, RequestOrigin, Side } from "../../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS, type AttemptCause, attemptCauses, type FailureKind } from "../../contract/control/words.ts";
import { readText, tryParseJson } from "../json/untyped.ts";
import { iso } from "../timestamp.ts";
import { AS_CONFIGURED } from "../webhooks/receiver.ts";
import { attemptRemedies, findStatusRemedy } from "../webhooks/transport-faults.ts";

export const MINUTE_MS = 60_000;

/** Identity of a failure. Equal failures are counted together. */
export interface Failure {
  readonly kind: FailureKind;
  /** Null if none is recorded. */
  readonly cause: string | null;
  /** 0 for no response. */
  readonly status: number;
  readonly integration_id: string | null;
  readonly organization_name: string | null;
  readonly side: Side | null;
  readonly user_agent: string | null;
  readonly origin: RequestOrigin;
  /** World in which the cause lies, if it is another one. */
  readonly elsewhere?: string;
  /** Where the cause lies, if its record says more than its name: a fault of an earlier call, or a moved clock. */
  readonly whose_side?: "sandbox" | "fault";
}

/** Equal failures of one world within a minute. Times are milliseconds since 1970. */
export interface CountedFailures {
  readonly minute: number;
  readonly world: string;
  readonly failure: Failure;
  readonly count: number;
  readonly last_at: number;
  readonly last_id: string;
  readonly last_operation: string | null;
}

const SPAN = /^([1-9]\d{0,5})(s|m|h|d)$/;
const unitMs = { s: 1_000, m: MINUTE_MS, h: 3_600_000, d: 86_400_000 } as const;
const MOMENT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Parses a span or a moment; null if it's neither, or in the future. @param now milliseconds since 1970 */
export const parseSince = (text: string, now: number): number | null => {
  const [, count, unit] = SPAN.exec(text.trim().toLowerCase()) ?? [];
  if (count !== undefined) return now - Number(count) * unitMs[unit as keyof typeof unitMs];
  const at = MOMENT.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  return at <= now ? at : null;
};

type AttemptResponse = Pick<Exchanged, "response_status" | "response_body_base64" | "duration_ms">;

/** Cause of an attempt that wasn't acknowledged (D72). */
export const findAttemptCause = ({
  response_status,
  response_body_base64,
  duration_ms,
}: AttemptResponse): AttemptCause => {
  if (response_status === null) return duration_ms >= ATTEMPT_LIMIT_MS ? "receiver_timed_out" : "receiver_unreachable";
  if (response_status === 200) return "receiver_incomplete";
  const body = tryParseJson(Buffer.from(response_body_base64, "base64").toString("utf8"));
  return readText(body, "reason") === AS_CONFIGURED ? "receiver_as_configured" : "receiver_refused";
};

interface Words extends Pick<ActivityGroup, "sentence" | "whose_side" | "what_to_do"> {}
/** Cause of a call that a fault or a test value responded to. */
export const FAULT = "fault";

type Cause = Pick<Failure, "kind" | "cause" | "status">;

const describeAttempt = (cause: AttemptCause, status: number): Words => {
  const receiverWords = (sentence: string, what_to_do: string): Words => ({
    sentence,
    whose_side: "receiver",
    what_to_do,
  });
  switch (cause) {
    case "receiver_unreachable":
      return receiverWords("The receiver couldn’t be reached.", attemptRemedies.unreachable);
    case "receiver_timed_out":
      return receiverWords("The receiver didn’t respond within 10 s.", attemptRemedies.timedOut);
    case "receiver_incomplete":
      return receiverWords("The receiver returned 200, but the response was incomplete.", attemptRemedies.incomplete);
    case "receiver_as_configured":
      return receiverWords(
        `The built-in receiver returned ${status}, as configured.`,
        "Change the receiver’s behaviour.",
      );
    case "receiver_refused":
      return receiverWords(`The receiver returned ${status}.`, findStatusRemedy(status));
  }
};

const describeCause = ({ kind, cause, status }: Cause): Words => {
  const ofDelivery = attemptCauses.find((one) => one === cause);
  if (kind === "delivery" && ofDelivery) return describeAttempt(ofDelivery, status);
  const statusText = status === 0 ? "The connection was closed without a response." : `The response was ${status}.`;
  if (cause === FAULT)
    return {
      sentence: status === 0 ? "A fault closed the connection." : `A fault or a test value returned ${status}.`,
      whose_side: "fault",
      what_to_do:
        status === 0
          ? "Clear the fault in this world when you no longer need it."
          : "Open a call: it names the fault, which you can clear, or the test value in the job’s claim number.",
    };
  const row = findCause(cause);
  return {
    sentence: row ? causeSentence(row, null) : statusText,
    whose_side: status >= 500 || (status === 0 && !row) ? "sandbox" : "partner",
    what_to_do: row?.remedy ?? "Open the last call to see its response.",
  };
};

const isExpected = ({ cause }: Cause): boolean => cause === FAULT || cause === "receiver_as_configured";

/** Bars in the timeline of the shown period. */
const SLOTS = 30;

/** Period of the counts. */
export interface Window {
  /** Start of a minute. */
  readonly from: number;
  readonly to: number;
}

const computeSlotMs = ({ from, to }: Window): number =>
  Math.max(1, Math.round((to - from) / SLOTS / MINUTE_MS)) * MINUTE_MS;

/** A count with its newest failure. */
interface Tally<Of> {
  readonly of: Of;
  count: number;
  expected: number;
  last: CountedFailures;
}

const newer = (one: CountedFailures, other: CountedFailures): CountedFailures =>
  other.last_at >= one.last_at ? other : one;

const tally = <Of>(tallies: Map<string, Tally<Of>>, key: string, of: () => Of, row: CountedFailures): Tally<Of> => {
  const found = tallies.get(key) ?? { of: of(), count: 0, expected: 0, last: row };
  tallies.set(key, found);
  found.count += row.count;
  if (isExpected(row.failure)) found.expected += row.count;
  found.last = newer(found.last, row);
  return found;
};

const byCount = <Of>(tallies: ReadonlyMap<string, Tally<Of>>): Tally<Of>[] =>
  [...tallies.values()].sort((one, other) => other.count - one.count || other.last.last_at - one.last.last_at);

const toLastFailure = ({
  world,
  failure: { kind },
  last_id: id,
  last_at,
  last_operation,
}: CountedFailures): LastFailure => ({
  ...{ kind, world, id, at: iso(last_at), operation: last_operation },
});

const callerRow = ({ last, count }: Tally<unknown>): GroupCaller => {
  const { integration_id, organization_name, side, user_agent, origin } = last.failure;
  const who = { integration_id, organization_name, side, user_agent, origin };
  return { world: last.world, ...who, count, last_call: toLastFailure(last) };
};

const callerKey = ({ world, failure: { integration_id, user_agent, origin } }: CountedFailures): string =>
  JSON.stringify([world, integration_id, user_agent, origin]);

interface Group {
  readonly cause: Cause;
  readonly timeline: number[];
  readonly callers: Map<string, Tally<null>>;
  /** Sides that its records name; null for those that name none. */
  readonly sides: Set<Failure["whose_side"] | null>;
}

/** Side on which all records of a group say the cause lies; undefined if they differ or name none. */
const findCommonSide = ({ sides }: Group): Failure["whose_side"] => {
  const [only, another] = sides;
  return another === undefined ? (only ?? undefined) : undefined;
};

export class FailureGroups {
  readonly #window: Window;
  readonly #maySee: (world: string) => boolean;
  readonly #slotMs: number;
  readonly #groups = new Map<string, Tally<Group>>();
  readonly #callers = new Map<string, Tally<null>>();
  readonly #kinds: Record<FailureKind, number> = { call: 0, delivery: 0 };
  #expected = 0;
  #last: CountedFailures | null = null;

  /** @param maySee checks whether the reader may see a world */
  constructor(window: Window, maySee: (world: string) => boolean) {
    this.#window = window;
    this.#maySee = maySee;
    this.#slotMs = computeSlotMs(window);
  }

  add(row: CountedFailures): void {
    const { kind, cause: known, status, elsewhere, whose_side = null } = row.failure;
    const cause = elsewhere !== undefined && this.#maySee(elsewhere) ? (causesElsewhere[known ?? ""] ?? known) : known;
    this.#kinds[kind] += row.count;
    if (isExpected(row.failure)) this.#expected += row.count;
    this.#last = this.#last ? newer(this.#last, row) : row;
    const key = callerKey(row);
    tally(this.#callers, key, () => null, row);
    const createGroup = (): Group => ({
      ...{ cause: { kind, cause, status }, callers: new Map(), sides: new Set() },
      timeline: Array<number>(Math.ceil((this.#window.to - this.#window.from) / this.#slotMs) || 1).fill(0),
    });
    const { of } = tally(this.#groups, JSON.stringify([kind, cause, status]), createGroup, row);
    tally(of.callers, key, () => null, row);
    of.sides.add(whose_side);
    const slot = Math.min(Math.floor((row.minute - this.#window.from) / this.#slotMs), of.timeline.length - 1);
    of.timeline[slot] = (of.timeline[slot] ?? 0) + row.count;
  }

  get isEmpty(): boolean {
    return this.#last === null;
  }

  get last(): LastFailure | null {
    return this.#last && toLastFailure(this.#last);
  }

  done(): Activity {
    const callers = byCount(this.#callers);
    return {
      ...{ from: iso(this.#window.from), to: iso(this.#window.to), slot_seconds: this.#slotMs / 1_000 },
      ...{ calls: this.#kinds.call, deliveries: this.#kinds.delivery, expected: this.#expected },
      items: byCount(this.#groups).map(({ of, count, last }): ActivityGroup => {
        const named = byCount(of.callers);
        const side = findCommonSide(of);
        return {
          ...of.cause,
          ...describeCause(of.cause),
          ...(side ? { whose_side: side } : {}),
          ...{ expected: isExpected(of.cause), count, last_call: toLastFailure(last), timeline: of.timeline },
          callers: named.slice(0, MAX_CALLERS_PER_GROUP).map(callerRow),
          more_callers: Math.max(0, named.length - MAX_CALLERS_PER_GROUP),
        };
      }),
      callers: callers
        .slice(0, MAX_CALLERS)
        .map((one): ActivityCaller => ({ ...callerRow(one), expected: one.expected })),
      more_callers: Math.max(0, callers.length - MAX_CALLERS),
      last_call: this.last,
    };
  }
}
