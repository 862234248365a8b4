import { partnerCalls } from "../operations/partner-calls.ts";
import type { RequestDetail, RequestRow } from "./rows.ts";

const connectionHeaders: ReadonlySet<string> = new Set([
  ...["host", "connection", "keep-alive", "proxy-connection", "content-length", "transfer-encoding"],
  ...["expect", "te", "trailer", "upgrade"],
]);
/**
 * Headers in which a proxy identifies the caller. Calls of the service itself must not send them: they would pass for a
 * proxy's on the same machine.
 */
const PROXY_HEADERS = /^(forwarded|x-real-ip|x-(forwarded|auth-request)-.*)$/;

/** Returns whether a header belongs to the connection rather than to the call. Replays leave it out or set it again. */
export const isConnectionHeader = (name: string): boolean =>
  connectionHeaders.has(name.toLowerCase()) || PROXY_HEADERS.test(name.toLowerCase());

/** Calls of partners outside the contract's operations and extensions. */
export const webhookCalls = ["webhooks.subscribe", "webhooks.secret"] as const;
/** Calls at addresses that the service issues, which hold all they need. Their bodies aren't stored. */
export const linkCalls = ["uploads.put", "media.get", "oauth.authorize"] as const;
export type LinkCall = (typeof linkCalls)[number];
/** Calls outside the operations that change something. */
const changingRoutes: readonly ((typeof webhookCalls)[number] | LinkCall)[] = ["webhooks.subscribe", "uploads.put"];

/** Status of a call that succeeded. */
export const DONE_STATUS = 200;

/** Operations that change something when they return {@link DONE_STATUS}: all that are not declared as reads. */
export const changingCalls: readonly string[] = [
  ...Object.entries(partnerCalls).flatMap(([id, { effect }]) => (effect === "read" ? [] : id)),
  ...changingRoutes,
];

const changing: ReadonlySet<string> = new Set(changingCalls);

/** Returns whether the operation of a call changes something when it succeeds; the status doesn't matter. */
export const isChanging = ({ operation }: Pick<RequestRow, "operation">): boolean =>
  operation !== null && changing.has(operation);

/** Returns whether a call changed something: the filter `changes` of `requests.list`. */
export const changedSomething = (row: Pick<RequestRow, "operation" | "status">): boolean =>
  row.status === DONE_STATUS && isChanging(row);

/** Returns whether the record of a call has no body, whatever was sent: a picture, or an answer to the consent page. */
export const isBodyLeftOut = ({ operation }: Pick<RequestRow, "operation">): boolean =>
  linkCalls.some((one) => one === operation);

/** Returns whether a call was sent with a body, stored or not. */
export const hadBody = ({ request_headers }: Pick<RequestDetail, "request_headers">): boolean =>
  request_headers.some(([name, value]) => name === "transfer-encoding" || (name === "content-length" && value !== "0"));

/** Lowest status of refused and failed calls. */
export const REFUSED_FROM = 400;

/** Returns whether a call was refused or failed: the filter `refused` of `requests.list`. */
export const isRefused = ({ status }: Pick<RequestRow, "status">): boolean => status >= REFUSED_FROM;

/** Label under which calls that reached no operation are counted. */
export const NO_OPERATION = "no operation";
