import type { ControlOperations as Control } from "../../sandbox/contract/control/all-operations.ts";
import { operationPath, type RequestOf, type ResponseOf } from "../../sandbox/contract/operation.ts";
import type { partnerOperations } from "../../sandbox/contract/operations/partner.ts";
import { type PartnerCall, partnerPath } from "../../sandbox/contract/operations/partner-calls.ts";
import { parsedJson } from "./parsed-json.ts";
import { failureFrom, ServiceFailure, ServiceUnreachable } from "./service-failure.ts";
import { noteAnswer } from "./service-reach.ts";
import { controlToken, dropToken } from "./session.ts";
import { noteCall } from "./world-calls.ts";

/** The declared operations by their ids: as types, because the page needs no schemas to call them. */
type Partner = { readonly [O in (typeof partnerOperations)[number] as O["id"]]: O };
export type PartnerRequest<Id extends PartnerCall> = RequestOf<Partner[Id]>;

/** The two headers a partner authenticates with; without a key (empty) only what this window reads for itself succeeds. */
export interface PartnerKey {
  readonly api_key: string;
  readonly integration_id: string;
}

/** Who calls, and where: said with each call, because by the time it goes out the window may show another world. */
export interface Caller {
  readonly world: string;
  /** Null for `integrations.insert`, and for a call that is to be refused. */
  readonly key: PartnerKey | null;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One exchange with the service, whatever it answered. */
export interface Exchange<T = unknown> extends Omit<RawAnswer, "bytes"> {
  readonly ok: boolean;
  /** The parsed answer; the text itself when it is not JSON, null when it is empty. */
  readonly body: T | unknown;
  /** The failure in the service's words; null for a success. */
  readonly failure: ServiceFailure | null;
}

/** An answer as JSON; the text itself where it is none, null where it is empty. */
const parse = (text: string): unknown => {
  const value = text === "" ? null : parsedJson(text);
  return value === undefined ? text : value;
};

/** A call as it goes out: nothing is added to it but what the browser sets itself. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: none. */
  readonly body?: string;
}

/** What came back, byte for byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly durationMs: number;
  readonly requestId: string | null;
}

/**
 * Sends a call to the service's own origin.
 * @throws ServiceUnreachable when nothing answered; an AbortError when the signal was aborted.
 */
export const sendRaw = async (call: RawCall, options: CallOptions = {}): Promise<RawAnswer> => {
  const { method, path, headers, body } = call;
  const started = performance.now();
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: "no-store",
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    noteAnswer();
    return {
      status: response.status,
      headers: [...response.headers],
      bytes,
      durationMs: performance.now() - started,
      requestId: response.headers.get("x-request-id"),
    };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ServiceUnreachable();
  }
};

/**
 * Posts JSON to a path of the service's own origin.
 * @throws ServiceUnreachable when nothing answered; an AbortError when the signal was aborted.
 */
export const post = async (
  path: string,
  body: unknown,
  headers: Record<string, string>,
  options: CallOptions = {},
): Promise<Exchange> => {
  const { bytes, ...answer } = await sendRaw(
    { method: "POST", path, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) },
    options,
  );
  const { status, requestId } = answer;
  const parsed = parse(new TextDecoder().decode(bytes));
  const ok = status >= 200 && status < 300;
  return { ...answer, ok, body: parsed, failure: ok ? null : failureFrom(status, parsed, requestId) };
};

/**
 * Reads a document the service describes itself with; the control plane's takes the token.
 * @throws ServiceFailure in the service's words.
 */
export const readDocument = async (path: string, options: CallOptions = {}): Promise<unknown> => {
  const headers = { authorization: `Bearer ${controlToken() ?? ""}` };
  const { status, bytes, requestId } = await sendRaw({ method: "GET", path, headers }, options);
  const document = parse(new TextDecoder().decode(bytes));
  if (status !== 200) throw failureFrom(status, document, requestId);
  return document;
};

/** The world's header, which the world `default` does without (D80). */
export const worldHeaders = (world: string): Record<string, string> =>
  world === "default" ? {} : { "x-sandbox-tenant": world };

/** The headers a partner's call carries. */
export const partnerHeaders = ({ world, key }: Caller): Record<string, string> => ({
  ...(key?.api_key ? { authorization: `Bearer ${key.api_key}` } : {}),
  ...(key ? { "service-integration-id": key.integration_id } : {}),
  ...worldHeaders(world),
});

/** What proves that a call is this window's own: the record says who sent it. */
export const originHeaders = (): Record<string, string> => ({
  "x-sandbox-origin": `explorer ${controlToken() ?? ""}`,
});

const ownHeaders = (caller: Caller): Record<string, string> => ({ ...partnerHeaders(caller), ...originHeaders() });

/** What counts what happened in worlds opens none of them: the world it names, if any, is what it is narrowed to. */
const OF_NO_WORLD = "activity.list";
type InWorld<Id> = Id extends typeof OF_NO_WORLD ? { readonly world?: string } : { readonly world: string };

/**
 * Calls an operation of the control plane in the world that the body names.
 * @throws ServiceFailure in the service's words; a 401 also drops the token, and the page asks for a fresh link.
 */
export const callControl = async <Id extends keyof Control>(
  id: Id,
  body: Omit<RequestOf<Control[Id]>, "world"> & InWorld<Id>,
  options: CallOptions = {},
): Promise<ResponseOf<Control[Id]>> => {
  const token = controlToken();
  if (!token)
    throw new ServiceFailure(
      401,
      "unauthorized",
      "This window has no control token. Open the address the service printed.",
    );
  // The header says to a balancer what the body says to the service.
  const { world } = body as { readonly world?: string };
  const headers = { authorization: `Bearer ${token}`, ...(world === undefined ? {} : worldHeaders(world)) };
  const exchange = await post(operationPath({ id, surface: "control" }), body, headers, options);
  if (exchange.status === 401) dropToken(token);
  if (exchange.failure) throw exchange.failure;
  if (world !== undefined && id !== OF_NO_WORLD) noteCall(world, Date.now());
  return exchange.body as ResponseOf<Control[Id]>;
};

/**
 * Exchanges what a claim link carries for the token of its world, once.
 * @throws ServiceFailure in the service's words.
 */
export const claimWorld = async (claim: string): Promise<ResponseOf<Control["tokens.claim"]>> => {
  const exchange = await post(operationPath({ id: "tokens.claim", surface: "control" }), { claim }, {});
  if (exchange.failure) throw exchange.failure;
  return exchange.body as ResponseOf<Control["tokens.claim"]>;
};

/**
 * A token for who has signed in at the proxy before the service.
 * @throws ServiceFailure 401: nobody has; 403: they have no access; 404: nobody signs in at this service.
 */
export const signInAtProxy = async (): Promise<ResponseOf<Control["tokens.sign-in"]>> => {
  const exchange = await post(operationPath({ id: "tokens.sign-in", surface: "control" }), {}, {});
  if (exchange.failure) throw exchange.failure;
  return exchange.body as ResponseOf<Control["tokens.sign-in"]>;
};

/** Calls a partner operation and hands back the exchange, refusals included: for flows that show them. */
export const exchangePartner = async <Id extends PartnerCall>(
  id: Id,
  body: PartnerRequest<Id>,
  caller: Caller,
  options: CallOptions = {},
): Promise<Exchange<ResponseOf<Partner[Id]>>> => post(partnerPath(id), body, ownHeaders(caller), options);

/**
 * Reads what a partner's operation answers, for a screen: as the explorer's own, which is on no record and meets no fault.
 * @throws ServiceFailure in the service's words.
 */
export const observePartner = async <Id extends PartnerCall>(
  id: Id,
  body: PartnerRequest<Id>,
  caller: Caller,
  options: CallOptions = {},
): Promise<ResponseOf<Partner[Id]>> => {
  const headers = { ...partnerHeaders(caller), "x-sandbox-observer": controlToken() ?? "" };
  const exchange = await post(partnerPath(id), body, headers, options);
  if (exchange.failure) throw exchange.failure;
  return exchange.body as ResponseOf<Partner[Id]>;
};

/**
 * Calls an operation of the public contract or an extension as a partner; `integrations.insert` takes no key.
 * @throws ServiceFailure in the service's words.
 */
export const callPartner = async <Id extends PartnerCall>(
  id: Id,
  body: PartnerRequest<Id>,
  caller: Caller,
  options: CallOptions = {},
): Promise<ResponseOf<Partner[Id]>> => {
  const exchange = await exchangePartner(id, body, caller, options);
  if (exchange.failure) throw exchange.failure;
  return exchange.body as ResponseOf<Partner[Id]>;
};

/**
 * Posts to a sandbox route that is no operation, such as `/__webhooks/subscribe`; the world's header goes along.
 * @throws ServiceUnreachable when nothing answered; refusals come back in the exchange.
 */
export const exchangeRoute = (
  path: string,
  body: unknown,
  caller: Caller,
  options: CallOptions = {},
): Promise<Exchange> => post(path, body, ownHeaders(caller), options);
