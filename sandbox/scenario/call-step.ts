import { pathOf } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { CallStep, Expectation } from "../contract/scenario.ts";
import { firstDifference } from "../rules/first-difference.ts";
import { differenceFrom } from "../rules/scenario-match.ts";
import type { Values } from "../rules/scenario-references.ts";
import type { Reached, ScenarioClient } from "./scenario-client.ts";
import { differs, held, type Verdict } from "./verdict.ts";

const LOOK_EVERY_MS = 50;

interface Credential {
  readonly api_key: string;
  readonly integration_id: string;
}

const isCredential = (value: unknown): value is Credential =>
  typeof value === "object" && value !== null && "api_key" in value && "integration_id" in value;

/** An address as it is printed: what is behind its path can be a secret. */
const pathIn = (address: string): string => (URL.canParse(address) ? new URL(address).pathname : address);

/** Compares an answer with what is expected of it. */
export const judge = (what: string, expect: Expectation, reached: Reached): Verdict => {
  const { status, headers, body, text } = reached;
  if (expect.no_answer === true) {
    return status === null
      ? held(`${what} → no answer`, null)
      : differs(what, { path: "/no_answer", expected: "no answer", got: status }, text);
  }
  const wanted = expect.status ?? 200;
  const detail = `${what} → ${status ?? "no answer"}`;
  if (status !== wanted)
    return differs(detail, { path: "/status", expected: wanted, got: status ?? "no answer" }, text);
  const difference =
    differenceFrom(expect.headers ?? {}, headers, "/headers") ??
    (expect.body === undefined ? null : differenceFrom(expect.body, body, "/body")) ??
    (expect.exact === undefined ? null : firstDifference(expect.exact, body, { moreKeys: false }, "/body"));
  return difference ? differs(detail, difference, text) : held(detail, body);
};

/**
 * Attempts until one holds, for so long.
 *
 * @param attempt is told when it is the last one
 */
export const until = async (
  seconds = 0,
  attempt: (over: boolean) => Promise<Verdict>,
  signal?: AbortSignal,
): Promise<Verdict> => {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    signal?.throwIfAborted();
    const over = performance.now() >= end;
    const verdict = await attempt(over);
    if (verdict.outcome === "held" || over) return verdict;
    await new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS));
  }
};

/** Makes the call of a step. @param world null: the service has no worlds @param signal gives the call up */
export const callStep = async (
  client: ScenarioClient,
  { call, expect, came }: CallStep,
  values: Values,
  world: string | null,
  signal?: AbortSignal,
): Promise<Verdict> => {
  const { operation, route, method = "POST", as = "nobody", credentials, headers, body, text, base64 } = call;
  const declared = partnerOperations.find(({ id }) => id === operation);
  const known = as === "nobody" ? credentials : values.get(as);
  const sent = {
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...(world === null ? {} : { "x-sandbox-tenant": world }),
    ...(isCredential(known)
      ? { authorization: `Bearer ${known.api_key}`, "service-integration-id": known.integration_id }
      : {}),
    ...(headers as Record<string, string> | undefined),
  };
  const address = declared ? pathOf(declared) : (route ?? "/");
  const content =
    base64 === undefined ? Buffer.from(text ?? JSON.stringify(body ?? {})) : Buffer.from(base64, "base64");
  const reached = await client.send(method, address, sent, method === "GET" ? null : content, signal, came?.trace_id);
  const verdict = judge(
    operation ?? `${method === "POST" ? "" : `${method} `}${pathIn(address)}`,
    expect ?? {},
    reached,
  );
  const trace_id = reached.headers["x-request-id"];
  return trace_id === undefined ? verdict : { ...verdict, trace_id };
};
