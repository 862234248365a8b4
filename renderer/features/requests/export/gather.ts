import type { Attempt, RequestDetail, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { RequestFilter } from "../../../domain/exchange/filter.ts";
import { callControl } from "../../../lib/service-client.ts";
import { askedFor } from "../queries.ts";
import type { TicketCall } from "./ticket.ts";

interface Reading {
  readonly world: string;
  readonly signal: AbortSignal;
  /** Told how many have been read. */
  readonly onRead: (count: number) => void;
}

/** So many are read side by side: others wait no longer than for a handful. */
const AT_ONCE = 6;
const PAGE = 500;

/** Reads each, a few at once, in their order. Stops with the signal. */
const readEach = async <T, R>(all: readonly T[], { signal, onRead }: Reading, read: (one: T) => Promise<R>) => {
  const found: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    signal.throwIfAborted();
    found.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(read))));
    onRead(found.length);
  }
  return found;
};

/** The ids of all calls the filter leaves, page by page, at most so many. */
export const matchingIds = async (
  filter: RequestFilter,
  most: number,
  { world, signal }: Reading,
): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const from: { cursor?: string } = cursor === null ? {} : { cursor };
    const limit = Math.min(PAGE, most - ids.length);
    const page: { readonly items: readonly RequestRow[]; readonly next_cursor: string | null } = await callControl(
      "requests.list",
      { ...askedFor(filter), ...from, limit, world },
      { signal },
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < most);
  return ids;
};

export const readCalls = (ids: readonly string[], reading: Reading): Promise<RequestDetail[]> =>
  readEach(ids, reading, (id) => callControl("requests.get", { id, world: reading.world }, reading));

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
