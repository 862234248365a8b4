import http from "node:http";
import { hadBody, isBodyLeftOut, isConnectionHeader } from "../contract/control/exchange-kinds.ts";
import type { requestsReplay } from "../contract/control/operations.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import { MASK } from "../contract/known-secrets.ts";
import type { RequestOf } from "../contract/operation.ts";
import { firstDifference } from "../rules/scenarios/first-difference.ts";
import { isControlPath } from "../rules/scenarios/scenario-reach.ts";
import { DEFAULT_WORLD, isWorldName } from "../rules/worlds/world-name.ts";
import { isCut } from "../secrets/masking.ts";
import type { World } from "../worlds/world.ts";
import { type BoundControl, control, refuseUnknownCall } from "./handler.ts";

type ReplayRequest = RequestOf<typeof requestsReplay>;
type Header = readonly [string, string];

const unsendable = (message: string): Refusal => refuse("unprocessable", message);

/**
 * Credential headers, or a refusal; null keeps those of the call.
 *
 * @param to the world named `toName`, or the seed if it doesn't exist
 */
const findCredentialHeaders = (
  request: ReplayRequest,
  original: RequestDetail,
  toName: string,
  to: World,
): readonly Header[] | null | Refusal => {
  const { integration_id } = request;
  const id = integration_id ?? original.integration_id;
  const credential = id === null ? undefined : to.stores.credentials.findByIntegration(id.toLowerCase());
  if (integration_id === null) return [];
  if (integration_id !== undefined) {
    return credential
      ? [
          ["authorization", `Bearer ${credential.api_key}`],
          ["service-integration-id", credential.integration_id],
        ]
      : unsendable(
          `/integration_id ${integration_id} isn’t an integration of world ${toName}. Install it there, or choose another`,
        );
  }
  const valueIn = (name: string, headers: readonly Header[] = []): string | undefined =>
    headers.find(([one]) => one.toLowerCase() === name)?.[1];
  const written = valueIn("authorization", request.headers);
  const sent = written ?? valueIn("authorization", original.request_headers);
  const isOwn = written !== undefined && !written.includes(MASK);
  if (sent === undefined || isOwn || original.operation === "integrations.insert") return null;
  const named = valueIn("service-integration-id", request.headers ?? original.request_headers);
  if (credential)
    return [
      ["authorization", `Bearer ${credential.api_key}`],
      ...(named === undefined ? [["service-integration-id", credential.integration_id] as const] : []),
    ];
  return unsendable(
    id === null
      ? "the key of this call belongs to no integration and is stored masked, so the call can’t be replayed. Call the operation with the right key"
      : `world ${toName} has no integration ${id}, and the key of this call is stored masked. Install the integration there, or choose another world`,
  );
};

/** @param integrationId as requested: another integration, or none, replaces both credential headers */
const buildHeaders = (
  headers: readonly Header[],
  toName: string,
  credential: readonly Header[] | null,
  integrationId: ReplayRequest["integration_id"],
): Header[] => {
  const isSet = new Set(["x-sandbox-tenant", ...(credential ? ["authorization"] : [])]);
  if (integrationId !== undefined) isSet.add("service-integration-id");
  return [
    ...headers.filter(
      ([name, value]) => !isConnectionHeader(name) && !isSet.has(name.toLowerCase()) && !value.includes(MASK),
    ),
    ...(toName === DEFAULT_WORLD ? [] : [["x-sandbox-tenant", toName] as const]),
    ...(credential ?? []),
  ];
};

/** Reason why a given header can't be sent; null if it can. */
const headerProblem = ([name, value]: Header, index: number): string | null => {
  try {
    http.validateHeaderName(name);
    // Masked values get their own message below.
    http.validateHeaderValue(name, value.replaceAll(MASK, ""));
  } catch {
    return `/headers/${index} must be a valid header name and value`;
  }
  return value.includes(MASK) && name.toLowerCase() !== "authorization"
    ? `/headers/${index} contains a masked secret. Enter the real value, or leave the header out`
    : null;
};

/** Reason why a call can't be sent; null if it can. */
const findProblem = ({ method, path, headers, body }: ReplayRequest, original: RequestDetail): string | null => {
  if (method !== undefined && (method === "CONNECT" || !http.METHODS.includes(method)))
    return `/method ${method} can’t be replayed. Choose another`;
  if (path === undefined && isCut(original.path))
    return "its address was too long to store. Give the whole address in /path";
  if (isControlPath(path ?? original.path))
    return "/path is of the control plane, which takes no replays. Call it directly";
  const header = headers?.map(headerProblem).find((one) => one !== null);
  if (header) return header;
  if (body !== undefined) return body.includes(MASK) ? "/body contains a masked secret. Enter the real value" : null;
  if (original.body_masked)
    return "its body contained a secret and is stored masked, so it can’t be replayed. Give the real values in /body";
  if (isBodyLeftOut(original) && hadBody(original))
    return "its body wasn’t stored. Give the body in /body, and the address in /path";
  return original.unrouted && hadBody(original)
    ? "its body wasn’t stored, because the call reached no operation. Give the body in /body"
    : null;
};

/** The call to send, without its credential. */
const buildCall = ({ method, path, headers, body }: ReplayRequest, original: RequestDetail) => ({
  method: method ?? original.method,
  path: path ?? (original.path.includes(MASK) ? (original.path.split("?", 1)[0] ?? "/") : original.path),
  headers: headers ?? original.request_headers,
  body: body === undefined ? Buffer.from(original.request_body_base64, "base64") : Buffer.from(body),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const findDifference = (original: RequestDetail, now: RequestDetail): string | null =>
  original.status === now.status
    ? (firstDifference(parsed(original.response_body), parsed(now.response_body))?.path ?? null)
    : "status";

export const replayControls: readonly BoundControl[] = [
  control("requests.replay", async ({ worldName, worlds, resend }, request) => {
    const { id: given, to: toName = worldName } = request;
    const id = given.toLowerCase();
    worlds.mustHave(worldName);
    const original = worlds.use(worldName, ({ stores }) => stores.requests.get(id));
    if (!original) return refuseUnknownCall(given);
    if (!isWorldName(toName)) return refuse("bad_request", "/to must be 1 to 64 of A–Z a–z 0–9 . _ -");
    const problem = findProblem(request, original);
    if (problem !== null) return unsendable(problem);
    const call = buildCall(request, original);
    // A refused replay creates no world.
    const findHeaders = (to: World) => findCredentialHeaders(request, original, toName, to);
    const credential = worlds.forCall(toName, () => false, findHeaders);
    if (credential instanceof Refusal) return credential;
    // Creates the world, which records the call even if it is refused.
    worlds.use(toName, () => undefined);
    const headers = buildHeaders(call.headers, toName, credential, request.integration_id);
    // No world is leased meanwhile, because a fault may delay the call for long.
    const replayId = await resend({ ...call, headers, replaysId: id });
    const now = worlds.use(toName, ({ stores }) => stores.requests.get(replayId));
    if (!now) return refuse("unprocessable", "the call was sent but got no response, so it isn’t recorded");
    const { status, error_code } = now;
    return { id: now.id, world: toName, status, error_code, differs_at: findDifference(original, now) };
  }),
];
