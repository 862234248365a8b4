import type { RequestOrigin, Side } from "../../../sandbox/contract/control/rows.ts";
import { choice, flag, isId, moment, searchParams, text, textThat, type ValuesOf } from "../../lib/search-params.ts";

const name = textThat((text) => text !== "");

/** Senders of calls, besides a specific integration. */
const senders = ["repairer", "supplier", "none"] as const satisfies readonly (Side | "none")[];
export type Sender = (typeof senders)[number];
export const isSender = (who: string): who is Sender => choice(senders).parse(who) !== null;

/** Origins of calls. */
export const origins = [
  "partner",
  "explorer",
  "scenario",
  "assistant",
  "counterpart",
  "replay",
] as const satisfies readonly RequestOrigin[];

/** Filter of calls; null, false and empty text match all. */
export const requestParams = searchParams({
  search: text,
  refused: flag,
  changes: flag,
  faulted: flag,
  unrouted: flag,
  operation: name,
  /** "422", or "4xx" for the whole class. */
  status: textThat((text) => /^([1-5]xx|0|[1-5]\d\d)$/.test(text)),
  code: name,
  /** Cause as counted in Activity: `fault`, or a name in the table of causes. */
  cause: name,
  who: textThat((text) => isId(text) || isSender(text)),
  by: choice(origins),
  agent: name,
  from: moment,
  to: moment,
});
export type RequestFilter = ValuesOf<typeof requestParams>;

/** Address of the filtered calls; absent filters match all. */
export const requestsHref = (filter: Partial<RequestFilter>): string => `/requests${requestParams.format("", filter)}`;
