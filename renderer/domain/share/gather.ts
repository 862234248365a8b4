import type { Attempt, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { callControl } from "../../lib/service-client.ts";
import type { TicketCall } from "./ticket.ts";

export interface Reading {
  readonly world: string;
  readonly signal: AbortSignal;
  /** Told how many have been read. */
  readonly onRead: (count: number) => void;
}

/** So many are read side by side: others wait no longer than for a handful. */
const AT_ONCE = 6;

/** Reads each, a few at once, in their order. Stops with the signal. */
export const readEach = async <T, R>(all: readonly T[], { signal, onRead }: Reading, read: (one: T) => Promise<R>) => {
  const found: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    signal.throwIfAborted();
    found.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(read))));
    onRead(found.length);
  }
  return found;
};

/** Calls with why they were answered so and what followed. */
export const readTicketCalls = (
  ids: readonly string[],
  who: (row: RequestRow) => string,
  reading: Reading,
): Promise<TicketCall[]> =>
  readEach(ids, reading, async (id) => {
    const { world } = reading;
    const request = await callControl("requests.get", { id, world }, reading);
    const explanation = await callControl("requests.explain", { id, world }, reading);
    const trace = await callControl("traces.get", { id: request.trace_id, world }, reading);
    const attempts = new Map<string, readonly Attempt[]>();
    for (const { id: delivery } of trace.deliveries)
      attempts.set(delivery, (await callControl("deliveries.get", { id: delivery, world }, reading)).attempts);
    return { request, who: who(request), explanation, trace, attempts };
  });
