import { isObject } from "../../lib/diff.ts";

/** Deliberate errors in a call's credential. */
export const breakages = ["bare", "wrong-scheme", "unknown-pair", "wrong-scope"] as const;
export type Breakage = (typeof breakages)[number];

/** Caller of a call: a credential of the world, nobody, or an invalid credential. */
export type ActsAs =
  | { readonly kind: "credential"; readonly integration_id: string }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly how: Breakage };

export interface ConsoleCall {
  readonly operation: string;
  /** Text of the JSON body, sent unchanged even when invalid. */
  readonly body: string;
  readonly actAs: ActsAs;
  /** Path and query parameters by name, if the operation has any. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Additional headers; one of them may name a different world from the window's. */
  readonly headers: readonly (readonly [string, string])[];
}

export const calledWorld = ({ headers }: Pick<ConsoleCall, "headers">, here: string): string =>
  headers.findLast(([name]) => name.toLowerCase() === "x-sandbox-tenant")?.[1] ?? here;

const SECRET_FIELD = /"[^"]*(?:secret|api_key|token|code)"\s*:\s*"[^"•]/i;

/** Returns whether a call contains a secret in plain text, and so must not be stored. Masks don't count. */
export const holdsSecret = ({ body, headers }: Pick<ConsoleCall, "body" | "headers">): boolean =>
  SECRET_FIELD.test(body) ||
  headers.some(([name, value]) => /^(?:authorization|cookie)$/i.test(name) && !value.includes("•"));

const parseActsAs = (value: unknown): ActsAs | null => {
  if (!isObject(value)) return null;
  const { kind, integration_id, how } = value;
  if (kind === "none") return { kind };
  if (kind === "credential" && typeof integration_id === "string") return { kind, integration_id };
  const known = breakages.find((one) => one === how);
  return kind === "broken" && known !== undefined ? { kind, how: known } : null;
};

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string");

/** Parses a stored call; null when it belongs to another operation or is invalid. */
export const readCall = (operation: string, stored: unknown): ConsoleCall | null => {
  if (!isObject(stored) || stored.operation !== operation) return null;
  const { body, headers, parameters } = stored;
  const actAs = parseActsAs(stored.actAs);
  if (typeof body !== "string" || actAs === null || !Array.isArray(headers) || !headers.every(isPair)) return null;
  const known = isObject(parameters)
    ? Object.entries(parameters).filter((one): one is [string, string] => typeof one[1] === "string")
    : [];
  return { operation, body, actAs, headers, parameters: Object.fromEntries(known) };
};
