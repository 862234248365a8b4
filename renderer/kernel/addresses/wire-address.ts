import { id, searchParams, withQuery } from "../../lib/search-params.ts";

/**
 * The exchange selected on the wire is in the address as `?wire=<id>`, so that a link, a reload, Back and a second
 * window open the same one. Places never see the parameter.
 */
const wireParams = searchParams({ wire: id });

/** Returns the exchange in an address's query; null without one or for an invalid ID. */
export const wireIn = (query: string): string | null => wireParams.parse(query).wire;

/** The query without the exchange, every other byte kept; begins with `?` or is empty. */
export const withoutWire = (query: string): string => wireParams.format(query, { wire: null });

/** Returns an address within the explorer with an exchange selected on the wire, or with none. */
export const withWire = (address: string, wire: string | null): string =>
  withQuery(address, (query) => wireParams.format(query, { wire }));
