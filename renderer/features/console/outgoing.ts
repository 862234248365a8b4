import type { Credential, Side } from "../../../sandbox/contract/control/rows.ts";
import { UNUSED_ID } from "../../../sandbox/contract/values.ts";
import type { ActsAs, Breakage, ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { CopiedRequest } from "../../domain/exchange/curl.ts";
import type { Declared, Scope } from "../../domain/exchange/declarations.ts";
import { type KeyedCredential, pickCredential } from "../../kernel/credentials/acting.ts";
import { type RawCall, worldHeaders } from "../../lib/service-client.ts";
import { withWorld } from "./call-world.ts";

export const breakageLabels: Readonly<Record<Breakage, string>> = {
  bare: "the bare key, without a scheme",
  "wrong-scheme": "the key under the scheme Basic",
  "unknown-pair": "a key of another integration",
  "wrong-scope": "a key of the other side",
};

/** The side that an operation belongs to; the buyer's by default. */
export const scopeSide = (scope: Scope): Side => (scope === "supplier" ? "supplier" : "repairer");

/** The default caller of an operation. */
export const defaultActor = ({ scope }: Declared, credentials: readonly Credential[], chosen?: string): ActsAs => {
  if (scope === "none" || scope === "control") return { kind: "none" };
  const credential = pickCredential(credentials, scopeSide(scope), null, chosen);
  return credential ? { kind: "credential", integration_id: credential.integration_id } : { kind: "none" };
};

const keyed = (credentials: readonly Credential[]) =>
  credentials.filter((one): one is KeyedCredential => one.api_key !== undefined);

/** Returns the credential from which an invalid one is derived. */
const breakCredential = (how: Breakage, scope: Scope, credentials: readonly Credential[]): KeyedCredential | null => {
  const side = scopeSide(scope);
  if (how !== "wrong-scope") return pickCredential(credentials, side, null, undefined);
  return pickCredential(credentials, side === "repairer" ? "supplier" : "repairer", null, undefined);
};

/** Returns a call's credential; null when it has none, or the sandbox no longer has it. */
export const outgoingCredential = (
  actAs: ActsAs,
  { scope }: Pick<Declared, "scope">,
  credentials: readonly Credential[],
): KeyedCredential | null => {
  if (actAs.kind === "none") return null;
  if (actAs.kind === "broken") return breakCredential(actAs.how, scope, credentials);
  return keyed(credentials).find(({ integration_id }) => integration_id === actAs.integration_id) ?? null;
};

/** Explains why the service refuses a call's credential; null when the declaration accepts it. */
export const actorProblem = (
  actAs: ActsAs,
  { scope }: Pick<Declared, "scope">,
  credential: KeyedCredential | null,
): { readonly status: 401 | 403; readonly words: string } | null => {
  if (scope === "none" || scope === "control") return null;
  if (actAs.kind === "broken" && actAs.how !== "wrong-scope")
    return { status: 401, words: "this credential is invalid on purpose" };
  if (credential === null) return { status: 401, words: "this call has no credential" };
  return scope === "either" || credential.scope === scope
    ? null
    : { status: 403, words: "this key belongs to the other side" };
};

const schemes: Readonly<Record<Breakage, (key: string) => string>> = {
  bare: (key) => key,
  "wrong-scheme": (key) => `Basic ${key}`,
  "unknown-pair": (key) => `Bearer ${key}`,
  "wrong-scope": (key) => `Bearer ${key}`,
};

const credentialHeaders = (actAs: ActsAs, credential: KeyedCredential | null, mask: (key: string) => string) => {
  if (credential === null) return {};
  const { api_key, integration_id } = credential;
  const how = actAs.kind === "broken" ? actAs.how : "wrong-scope";
  return {
    authorization: schemes[how](mask(api_key)),
    "service-integration-id": how === "unknown-pair" ? UNUSED_ID : integration_id,
  };
};

const pathWith = ({ path, parameters }: Declared, values: Readonly<Record<string, string>>): string => {
  const whole = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters
    .filter((one) => one.in === "query" && (values[one.name] ?? "") !== "")
    .map(({ name }): [string, string] => [name, values[name] ?? ""]);
  return query.length === 0 ? whole : `${whole}?${new URLSearchParams(query)}`;
};

interface Outgoing {
  readonly declared: Declared;
  readonly call: ConsoleCall;
  /** The call's world, unless a custom header names another. */
  readonly world: string;
  readonly credential: KeyedCredential | null;
  readonly controlToken: string | null;
}

const rawCall = (
  { declared, call, world, credential, controlToken }: Outgoing,
  mask: (key: string) => string,
): RawCall => {
  const { actAs, headers, parameters = {} } = call;
  const body = withWorld(declared, call.body, world);
  const ofHeader = declared.parameters.filter((one) => one.in === "header" && (parameters[one.name] ?? "") !== "");
  const hasBody = declared.method !== "GET" && body !== "";
  return {
    method: declared.method,
    path: pathWith(declared, parameters),
    headers: {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(declared.scope === "control"
        ? { authorization: `Bearer ${mask(controlToken ?? "")}` }
        : { ...credentialHeaders(actAs, credential, mask), ...worldHeaders(world) }),
      ...Object.fromEntries(ofHeader.map(({ name }) => [name.toLowerCase(), parameters[name] ?? ""])),
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    },
    ...(hasBody ? { body } : {}),
  };
};

export const outgoing = (of: Outgoing): RawCall => rawCall(of, (key) => key);

/** Masks the key for display and copying. */
export const maskedRequest = (of: Outgoing): CopiedRequest => {
  const { method, path, headers, body = "" } = rawCall(of, () => "••••");
  return { method, path, request_headers: Object.entries(headers), request_body: body };
};
