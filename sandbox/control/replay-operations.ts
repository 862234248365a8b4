import http from "node:http";
import { requestsReplay } from "../contract/control/operations.ts";
import { Refusal, refuse } from "../contract/errors.ts";
import type { RequestOf, ResponseOf } from "../contract/operation.ts";
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

type Asked = RequestOf<typeof requestsReplay>;

const CREDENTIAL_HEADERS = ["authorization", "service-integration-id"];
const unsendable = (message: string): Refusal => refuse("unprocessable", message);

/** The headers of a credential, or why it cannot be had; null: it stays with those of the call. */
const credentialFor = (
  asked: Asked,
  detail: KeptDetail,
  call: Kept,
  to: World,
): [string, string][] | null | Refusal => {
  const headersOf = (id: string): [string, string][] | null => {
    const credential = to.stores.credentials.byIntegration(id.toLowerCase());
    if (!credential) return null;
    const { api_key, integration_id } = credential;
    return [
      ["authorization", `Bearer ${api_key}`],
      ["service-integration-id", integration_id],
    ];
  };
  const { integration_id } = asked;
  if (integration_id === null) return [];
  if (integration_id !== undefined) {
    const missing = `/integration_id ${integration_id} is no integration of the world ${to.name}; install it there, or choose another`;
    return headersOf(integration_id) ?? unsendable(missing);
  }
  const sent = call.headers.find(([name]) => name.toLowerCase() === "authorization")?.[1];
  const isOwn = asked.headers !== undefined && !sent?.includes(MASK);
  if (sent === undefined || isOwn || detail.operation === "integrations.insert") return null;
  if (detail.integration_id === null) {
    return unsendable(
      "the key it was sent with belongs to no integration and is masked in what is kept, so it cannot be sent again; call the operation with the key you mean",
    );
  }
  return (
    headersOf(detail.integration_id)?.slice(0, 1) ??
    unsendable(
      `the world ${to.name} has no integration ${detail.integration_id}, and the key it was sent with is masked in what is kept; install it there, or choose another world`,
    )
  );
};

const headersFor = ({ headers }: Kept, to: World, credential: [string, string][] | null): [string, string][] => {
  const replaced = new Set(credential?.length === 1 ? ["authorization"] : credential ? CREDENTIAL_HEADERS : []);
  return [
    ...headers
      .filter(([given, value]) => {
        const name = given.toLowerCase();
        const isSet = HOP_BY_HOP.has(name) || name === "x-sandbox-tenant" || replaced.has(name);
        return !isSet && !value.includes(MASK);
      })
      .map(([name, value]): [string, string] => [name, value]),
    ...(to.name === DEFAULT_WORLD ? [] : [["x-sandbox-tenant", to.name] as [string, string]]),
    ...(credential ?? []),
  ];
};

/** The fields of a JSON text that hold what masking leaves instead of a secret, as JSON Pointers. */
const maskedFields = (text: string): string[] => {
  const pointers: string[] = [];
  const look = (value: unknown, pointer: string): void => {
    if (typeof value === "string" && value.includes(MASK)) pointers.push(pointer || "/");
    if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value))
        look(inner, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  };
  look(parsed(text), "");
  return pointers;
};

const named = (fields: readonly string[]): string => (fields.length === 0 ? "" : ` (${fields.join(", ")})`);

/** Why a header that was written cannot be sent; null: it can. */
const headerProblem = ([name, value]: readonly [string, string], index: number): string | null => {
  try {
    http.validateHeaderName(name);
    // A mask is no header's value either, but is judged as what it is.
    http.validateHeaderValue(name, value.replaceAll(MASK, ""));
  } catch {
    return `/headers/${index} must be a name and a value of characters that a header can hold`;
  }
  return value.includes(MASK) && name.toLowerCase() !== "authorization"
    ? `/headers/${index} holds a mask instead of a secret that is not kept; write the value you mean, or leave the header out`
    : null;
};

/** The call as it is to be sent, or why it cannot be. */
const callFor = (asked: Asked, detail: KeptDetail, kept: Kept): Kept | Refusal => {
  const { method = kept.method, headers = kept.headers, body } = asked;
  const keptPath = kept.path.includes(MASK) ? (kept.path.split("?", 1)[0] ?? "/") : kept.path;
  const call = { ...kept, method, path: asked.path ?? keptPath, headers };
  if (call.method === "" || call.path === "")
    return unsendable("what arrived was no request that can be read; give /method, /path, /headers and /body of one");
  const problem = asked.headers?.map(headerProblem).find((one) => one !== null);
  if (problem) return unsendable(problem);
  if (body !== undefined) {
    const fields = maskedFields(body);
    const masked = `/body holds a mask instead of a secret that is not kept${named(fields.map((field) => `/body${field}`))}; write the value you mean`;
    return body.includes(MASK) ? unsendable(masked) : { ...call, body: Buffer.from(body) };
  }
  if (kept.isMasked) {
    return unsendable(
      `its body held a secret that is masked in what is kept${named(maskedFields(detail.request_body))}, so its bytes cannot be sent again; call the operation with the values you mean, or give them in /body`,
    );
  }
  const hadBody = kept.headers.some(
    ([name, value]) => name === "transfer-encoding" || (name === "content-length" && value !== "0"),
  );
  if (detail.unrouted && hadBody)
    return unsendable("its body was not read, because it reached no operation; give what is to be sent in /body");
  return call;
};

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
  control(requestsReplay, async ({ worldName, worlds, resend }, asked) => {
    const { id: given, to: toName = worldName } = asked;
    const id = given.toLowerCase();
    const [detail, kept] = worlds.use(worldName, (world) => [world.stores.requests.get(id), keptCall(world, id)]);
    if (!detail || !kept) return refuse("not_found", `/id ${given} is no exchange that is still kept`);
    if (!isWorldName(toName)) return refuse("bad_request", "/to must be 1 to 64 of A–Z a–z 0–9 . _ -");
    const call = callFor(asked, detail, kept);
    if (call instanceof Refusal) return call;
    const headers = worlds.use(toName, (to) => {
      const credential = credentialFor(asked, detail, call, to);
      return credential instanceof Refusal ? credential : headersFor(call, to, credential);
    });
    if (headers instanceof Refusal) return headers;
    const { method, path, body } = call;
    // Nothing of a world is held meanwhile: a fault may hold the call up for long.
    const made = await resend({ method, path, headers, body, replaysId: id });
    const now = worlds.use(toName, ({ stores }) => stores.requests.get(made));
    if (!now)
      return refuse("unprocessable", "the call was sent, but it was not answered, so nothing of it is on record");
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
