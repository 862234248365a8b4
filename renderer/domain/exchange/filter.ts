import type { RequestOrigin, Side } from "../../../sandbox/contract/control/rows.ts";
import { choice, flag, isId, moment, searchParams, text, textThat, type ValuesOf } from "../../lib/search-params.ts";

const name = textThat((text) => text !== "");

/** Who may have sent a call, beside an integration by its id. */
const senders = ["repairer", "supplier", "none"] as const satisfies readonly (Side | "none")[];
export type Sender = (typeof senders)[number];
export const isSender = (who: string): who is Sender => choice(senders).parse(who) !== null;

/** What a call was sent by. */
export const origins = [
  "partner",
  "explorer",
  "scenario",
  "assistant",
  "counterpart",
  "replay",
] as const satisfies readonly RequestOrigin[];

/** Which calls are in sight; null, false and the empty text leave all of them. */
export const requestParams = searchParams({
  search: text,
  refused: flag,
  changes: flag,
  faulted: flag,
  unrouted: flag,
  operation: name,
  /** "422", or "4xx" for all that begin so. */
  status: textThat((text) => /^([1-5]xx|0|[1-5]\d\d)$/.test(text)),
  code: name,
  /** As what went wrong is counted by: `fault`, or a name in the table of causes. */
  cause: name,
  who: textThat((text) => isId(text) || isSender(text)),
  by: choice(origins),
  agent: name,
  from: moment,
  to: moment,
});
export type RequestFilter = ValuesOf<typeof requestParams>;

/** Requests, narrowed to some calls; what is left out leaves all of them. */
export const requestsHref = (filter: Partial<RequestFilter>): string => `/requests${requestParams.format("", filter)}`;
