import { requestsReplay } from "../contract/control/operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { ResponseOf } from "../contract/operation.ts";
import { type Difference, firstDifference } from "../rules/first-difference.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/world-name.ts";
import type { KeptDetail } from "../storage/requests-store.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control } from "./handler.ts";

interface Kept {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** The body is not as it was sent: it held a secret, or may have. */
  readonly isMasked: boolean;
}

/** What masking leaves instead of a secret in a header or an address. */
const MASK = "••••••••";

/** Of one connection, not of the call. */
const HOP_BY_HOP = new Set([
  "host",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "expect",
  "te",
  "upgrade",
]);

const keptCall = ({ db }: World, id: string): Kept | undefined => {
  const row = db.get<{
    method: string;
    path: string;
    request_headers: string;
    request_body: Buffer;
    body_masked: number;
  }>("SELECT method, path, request_headers, request_body, body_masked FROM requests WHERE id = ?", id);
  return (
    row && {
      method: row.method,
      path: row.path,
      headers: JSON.parse(row.request_headers) as [string, string][],
      body: row.request_body,
      isMasked: row.body_masked === 1,
    }
  );
};

/** The key the call was made with, or why it cannot be had; null: it was made without one. */
const authorizationFor = (detail: KeptDetail, { headers }: Kept, to: World): string | null | Refusal => {
  const sent = headers.find(([name]) => name === "authorization")?.[1];
  if (sent === undefined || detail.operation === "integrations.insert") return null;
  if (detail.integration_id === null) {
    return refuse(
      "unprocessable",
      "the key it was sent with belongs to no integration and is masked in what is kept, so it cannot be sent again; call the operation with the key you mean",
    );
  }
  const credential = to.stores.credentials.byIntegration(detail.integration_id);
  return credential
    ? `Bearer ${credential.api_key}`
    : refuse(
        "unprocessable",
        `the world ${to.name} has no integration ${detail.integration_id}, and the key it was sent with is masked in what is kept; install it there, or choose another world`,
      );
};

const headersFor = ({ headers }: Kept, to: World, authorization: string | null): [string, string][] => [
  ...headers
    .filter(
      ([name, value]) =>
        !HOP_BY_HOP.has(name) && name !== "x-sandbox-tenant" && name !== "authorization" && !value.includes(MASK),
    )
    .map(([name, value]): [string, string] => [name, value]),
  ...(to.name === DEFAULT_WORLD ? [] : [["x-sandbox-tenant", to.name] as [string, string]]),
  ...(authorization === null ? [] : [["authorization", authorization] as [string, string]]),
];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const differenceOf = (kept: KeptDetail, now: KeptDetail): Difference | null =>
  kept.status === now.status
    ? firstDifference(parsed(kept.response_body), parsed(now.response_body))
    : { path: "status", expected: kept.status, got: now.status };

/** Names, as a response does, what is not there by leaving it out. */
const described = (difference: Difference | null): ResponseOf<typeof requestsReplay>["difference"] =>
  difference && {
    path: difference.path,
    ...(difference.expected === undefined ? {} : { kept: difference.expected }),
    ...(difference.got === undefined ? {} : { now: difference.got }),
  };

/** Exchanges that are sent again. */
export const replayControls: readonly BoundControl[] = [
  control(requestsReplay, async ({ world, worlds, resend }, { id: given, to: toName = world.name }) => {
    const id = given.toLowerCase();
    const detail = world.stores.requests.get(id);
    const call = keptCall(world, id);
    if (!detail || !call) return refuse("not_found", `/id ${given} is no exchange that is still kept`);
    if (!isWorldName(toName)) return refuse("bad_request", "/to must be 1 to 64 of A–Z a–z 0–9 . _ -");
    if (call.isMasked) {
      return refuse(
        "unprocessable",
        "its body held a secret that is masked in what is kept, so its bytes cannot be sent again; call the operation with the values you mean",
      );
    }
    const to = worlds.use(toName);
    const authorization = authorizationFor(detail, call, to);
    if (authorization instanceof Refusal) return authorization;
    const path = call.path.includes(MASK) ? (call.path.split("?", 1)[0] ?? "/") : call.path;
    const { method, body } = call;
    const made = await resend({ method, path, headers: headersFor(call, to, authorization), body, replaysId: id });
    // The world may have been closed and opened again while the call was on its way.
    const after = worlds.use(toName);
    await after.exchanges.flush();
    const now = after.stores.requests.get(made);
    if (!now)
      return refuse("unprocessable", "the call was sent, but what came of it was not kept; is the service very busy?");
    const difference = differenceOf(detail, now);
    return {
      id: now.id,
      trace_id: now.trace_id,
      world: toName,
      status: now.status,
      error_code: now.error_code,
      duration_ms: now.duration_ms,
      body: now.response_body,
      same: difference === null,
      difference: described(difference),
    };
  }),
];
