import type { Attempt, DeliveryRow, RequestRow, Side } from "../../../../sandbox/contract/control/rows.ts";
import { events as eventTypes } from "../../../../sandbox/contract/event-types.ts";
import type { Trace } from "../../../domain/trace/queries.ts";
import { formatMs } from "../../../lib/formatting.ts";

/** One step of a trace on its time line. Times are milliseconds since the call began. */
export interface Step {
  readonly key: string;
  readonly kind: "request" | "change" | "event" | "attempt" | "waiting";
  readonly side: Side | null;
  readonly name: string;
  /** What it was about, or where it went. */
  readonly of: string;
  readonly start: number;
  /** As its start: a moment. */
  readonly end: number;
  /** Of a request or an attempt: how it was answered; null without an answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly deliveryId: string | null;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** A call with all that followed, in order; `attempts` by delivery, as far as they are known. */
export const stepsOf = (
  { changes, events, deliveries }: Pick<Trace, "changes" | "events" | "deliveries">,
  request: RequestRow,
  attempts: ReadonlyMap<string, readonly Attempt[]>,
): Step[] => {
  const began = new Date(request.at).getTime();
  const answered = request.duration_ms;
  const none = { status: null, error: null, deliveryId: null };
  const since = (at: string) => Math.max(0, new Date(at).getTime() - began);
  const ofDelivery = (delivery: DeliveryRow): Step[] => {
    const of = hostOf(delivery.url);
    const common = { side: delivery.side, of, deliveryId: delivery.id };
    const made = attempts.get(delivery.id) ?? [];
    const tried = made.map((attempt): Step => {
      const start = since(attempt.started_at);
      return {
        ...common,
        key: `${delivery.id} ${attempt.number}`,
        kind: "attempt",
        name: `Attempt ${attempt.number}`,
        start,
        end: start + attempt.duration_ms,
        status: attempt.response_status,
        error: attempt.error,
      };
    });
    if (delivery.next_attempt_at === null) return tried;
    const start = since(delivery.next_attempt_at);
    return [
      ...tried,
      {
        ...common,
        key: `${delivery.id} next`,
        kind: "waiting",
        name: "Attempt due",
        start,
        end: start,
        status: null,
        error: null,
      },
    ];
  };
  // The world's clock wrote the changes and events, and may be ahead; they were there when the call was answered.
  return [
    {
      key: "request",
      kind: "request",
      side: request.side,
      name: "Request",
      of: request.operation ?? request.path,
      start: 0,
      end: answered,
      status: request.status,
      error: null,
      deliveryId: null,
    },
    ...changes.map(
      (change): Step => ({
        ...none,
        key: `${change.entity} ${change.id}`,
        kind: "change",
        side: null,
        name: `${change.entity.charAt(0).toUpperCase()}${change.entity.slice(1)} ${change.change}`,
        of: change.label,
        start: answered,
        end: answered,
      }),
    ),
    ...events.flatMap((event): Step[] => [
      {
        ...none,
        key: event.id,
        kind: "event",
        side: eventTypes[event.event_type].side,
        name: "Event",
        of: `${event.event_type} ${event.payload.status ?? event.payload.change_action ?? ""}`.trim(),
        start: answered,
        end: answered,
      },
      ...deliveries.filter(({ event_id }) => event_id === event.id).flatMap(ofDelivery),
    ]),
  ];
};

export interface Tick {
  readonly at: number;
  /** From 0 to 1. */
  readonly x: number;
  readonly label: string;
}
export interface Scale {
  /** Where a moment lies, from 0 to 1. */
  readonly x: (ms: number) => number;
  readonly ticks: readonly Tick[];
  /** Stretches in which nothing ran and which are drawn shorter than they were. */
  readonly gaps: ReadonlyArray<{ readonly from: number; readonly to: number }>;
}

/** Ticks nearer to each other than this part of the width would lie over one another. */
const APART = 0.12;
/** A stretch in which nothing ran is a gap where it is so many times longer than all that ran. */
const GAP_FROM = 4;

/**
 * One scale for all steps: every moment at which one begins or ends gets its place, and the stretch between two moments
 * is as wide as the logarithm of how long it took, so that 18 ms and a retry after a minute are both to be seen.
 */
export const scaleOf = (steps: readonly Pick<Step, "start" | "end">[]): Scale => {
  const moments = [...new Set([0, ...steps.flatMap(({ start, end }) => [start, end])])].toSorted((a, b) => a - b);
  const widths = moments.slice(1).map((moment, index) => Math.log10(1 + moment - (moments[index] ?? 0)));
  const whole = widths.reduce((sum, width) => sum + width, 0) || 1;
  const places: number[] = [0];
  for (const width of widths) places.push((places.at(-1) ?? 0) + width / whole);
  const x = (ms: number): number => {
    const after = moments.findIndex((moment) => moment >= ms);
    if (after < 0) return 1;
    const [to = 0, from = 0] = [moments[after], moments[after - 1]];
    const [right = 1, left = 0] = [places[after], places[after - 1]];
    return after === 0 ? 0 : left + ((ms - from) / (to - from)) * (right - left);
  };
  const ran = steps.reduce((sum, { start, end }) => sum + (end - start), 0);
  const gaps = moments.slice(1).flatMap((to, index) => {
    const from = moments[index] ?? 0;
    const isIdle = !steps.some(({ start, end }) => start < to && end > from);
    return isIdle && to - from > GAP_FROM * ran ? [{ from, to }] : [];
  });
  const ticks: Tick[] = [];
  for (const at of moments) {
    const place = x(at);
    if (ticks.every((tick) => place - tick.x >= APART))
      ticks.push({ at, x: place, label: at === 0 ? "0" : formatMs(at) });
  }
  const last = moments.at(-1) ?? 0;
  if (last > 0 && ticks.at(-1)?.at !== last) {
    // Its label ends at it, where the others stand around theirs.
    while (ticks.length > 1 && 1 - (ticks.at(-1)?.x ?? 0) < 2 * APART) ticks.pop();
    ticks.push({ at: last, x: 1, label: formatMs(last) });
  }
  return { x, ticks, gaps };
};
