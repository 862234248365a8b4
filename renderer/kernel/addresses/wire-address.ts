import { id, searchParams, withQuery } from "../../lib/search-params.ts";

/**
 * The exchange that was chosen on the wire stands in the address as `?wire=<id>`, so that a link, a reload, back and a
 * second window open the same one. Places never see the parameter.
 */
const wireParams = searchParams({ wire: id });

/** The exchange an address' query names; null when it names none, or nothing that could be one. */
export const wireIn = (query: string): string | null => wireParams.parse(query).wire;

/** The query without the exchange, every other byte as it was; begins with `?` or is empty. */
export const withoutWire = (query: string): string => wireParams.format(query, { wire: null });

/** An address within the explorer with an exchange on the wire, or with none. */
export const withWire = (address: string, wire: string | null): string =>
  withQuery(address, (query) => wireParams.format(query, { wire }));
