import { partnerCalls } from "../operations/partner-calls.ts";
import type { RequestRow } from "./rows.ts";

const connectionHeaders: ReadonlySet<string> = new Set([
  ...["host", "connection", "keep-alive", "proxy-connection", "content-length", "transfer-encoding"],
  ...["expect", "te", "trailer", "upgrade"],
]);
/** What a proxy says of who calls. What the service sends itself would be taken for the word of a proxy on its machine. */
const PROXY_HEADERS = /^(forwarded|x-real-ip|x-(forwarded|auth-request)-.*)$/;

/** Whether a header is of the way a call came, not of the call: it is left out or set anew when it is sent again. */
export const isOfConnection = (name: string): boolean =>
  connectionHeaders.has(name.toLowerCase()) || PROXY_HEADERS.test(name.toLowerCase());

/** Calls of partners that are no operation of the contract or of its extensions. */
export const webhookCalls = ["webhooks.subscribe", "webhooks.secret"] as const;
/** Of the calls beside those operations the one that changes something. */
const subscribing: (typeof webhookCalls)[number] = "webhooks.subscribe";

/** What a call was answered that did what it was asked. */
export const DONE_STATUS = 200;

/** The operations that change something when they are answered {@link DONE_STATUS}: all that are not declared to read. */
export const changingCalls: readonly string[] = [
  ...Object.entries(partnerCalls).flatMap(([id, { effect }]) => (effect === "read" ? [] : id)),
  subscribing,
];

const changing: ReadonlySet<string> = new Set(changingCalls);

/** Whether an exchange is of a changing operation, whatever it was answered. */
export const isChanging = ({ operation }: Pick<RequestRow, "operation">): boolean =>
  operation !== null && changing.has(operation);

/** Whether an exchange changed something: what `requests.list` finds with `changes`. */
export const changedSomething = (row: Pick<RequestRow, "operation" | "status">): boolean =>
  row.status === DONE_STATUS && isChanging(row);

/** Calls that were refused or failed are answered so, or higher. */
export const REFUSED_FROM = 400;

/** Whether an exchange was refused or failed: what `requests.list` finds with `refused`. */
export const isRefused = ({ status }: Pick<RequestRow, "status">): boolean => status >= REFUSED_FROM;

/** Calls that reached no operation at all, as they are counted. */
export const NO_OPERATION = "no operation";
