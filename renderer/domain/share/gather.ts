import type { Attempt, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { callControl } from "../../lib/service-client.ts";
import type { TicketCall } from "./ticket.ts";

interface Reading {
  readonly world: string;
  readonly signal: AbortSignal;
  /** Receives the number of completed reads. */
  readonly onRead: (count: number) => void;
}

/** Concurrent reads; a small number, so that other requests aren't delayed. */
const AT_ONCE = 6;

/** Reads items a few at a time, and returns results in their order. Stops when the signal aborts. */
export const readEach = async <T, R>(all: readonly T[], { signal, onRead }: Reading, read: (one: T) => Promise<R>) => {
  const found: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    signal.throwIfAborted();
    found.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(read))));
    onRead(found.length);
  }
  return found;
};

/** Calls with their causes and consequences. */
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
