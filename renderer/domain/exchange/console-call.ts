import { isObject } from "../../lib/diff.ts";

/** What is wrong with the credential of a call, on purpose. */
export const breakages = ["bare", "wrong-scheme", "unknown-pair", "wrong-scope"] as const;
export type Breakage = (typeof breakages)[number];

/** Whom a call is made as: a credential of the world, nobody, or a credential that is broken in one way. */
export type ActsAs =
  | { readonly kind: "credential"; readonly integration_id: string }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly how: Breakage };

/** A call as the Console holds it before it is sent. */
export interface ConsoleCall {
  readonly operation: string;
  /** The text of the JSON body, sent as it stands, also where it is no JSON. */
  readonly body: string;
  readonly actAs: ActsAs;
  /** Of the path and the query, by name, where the operation takes any. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Beside those that the Console sends itself; one of them may name another world than the window's. */
  readonly headers: readonly (readonly [string, string])[];
}

/** The world a call is made in. */
export const calledWorld = ({ headers }: Pick<ConsoleCall, "headers">, here: string): string =>
  headers.findLast(([name]) => name.toLowerCase() === "x-sandbox-tenant")?.[1] ?? here;

const SECRET_FIELD = /"[^"]*(?:secret|api_key|token|code)"\s*:\s*"[^"•]/i;

/** Whether a call holds a secret as text: it is not written down then. A mask is none. */
export const holdsSecret = ({ body, headers }: Pick<ConsoleCall, "body" | "headers">): boolean =>
  SECRET_FIELD.test(body) ||
  headers.some(([name, value]) => /^(?:authorization|cookie)$/i.test(name) && !value.includes("•"));

const actsAsIn = (value: unknown): ActsAs | null => {
  if (!isObject(value)) return null;
  const { kind, integration_id, how } = value;
  if (kind === "none") return { kind };
  if (kind === "credential" && typeof integration_id === "string") return { kind, integration_id };
  const known = breakages.find((one) => one === how);
  return kind === "broken" && known !== undefined ? { kind, how: known } : null;
};

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string");

/** A call that was written down earlier; null where it is none of this operation. */
export const readCall = (operation: string, stored: unknown): ConsoleCall | null => {
  if (!isObject(stored) || stored.operation !== operation) return null;
  const { body, headers, parameters } = stored;
  const actAs = actsAsIn(stored.actAs);
  if (typeof body !== "string" || actAs === null || !Array.isArray(headers) || !headers.every(isPair)) return null;
  const known = isObject(parameters)
    ? Object.entries(parameters).filter((one): one is [string, string] => typeof one[1] === "string")
    : [];
  return { operation, body, actAs, headers, parameters: Object.fromEntries(known) };
};
