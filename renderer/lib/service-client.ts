import type { ControlOperations as Control } from "../../sandbox/contract/control/all-operations.ts";
import { operationPath, type RequestOf, type ResponseOf } from "../../sandbox/contract/operation.ts";
import type { partnerOperations } from "../../sandbox/contract/operations/partner.ts";
import { type PartnerCall, partnerPath } from "../../sandbox/contract/operations/partner-calls.ts";
import { parsedJson } from "./parsed-json.ts";
import { failureFrom, ServiceFailure, ServiceUnreachable } from "./service-failure.ts";
import { noteResponse } from "./service-reach.ts";
import { controlToken, dropToken } from "./session.ts";
import { noteCall } from "./world-calls.ts";

/** Declared operations by their ids. Types only, because the page calls them without schemas. */
type Partner = { readonly [O in (typeof partnerOperations)[number] as O["id"]]: O };
export type PartnerRequest<Id extends PartnerCall> = RequestOf<Partner[Id]>;

/** The two headers of a partner's credentials. With an empty key only this window's own reads succeed. */
export interface PartnerKey {
  readonly api_key: string;
  readonly integration_id: string;
}

/**
 * Credentials and world of a call. Passed explicitly, because the window may show another world by the time the call is
 * sent.
 */
export interface Caller {
  readonly world: string;
  /** Null for `integrations.insert`, and for a call that should be refused. */
  readonly key: PartnerKey | null;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A call and its response, whatever the status. */
export interface Exchange<T = unknown> extends Omit<RawResponse, "bytes"> {
  readonly ok: boolean;
  /** The parsed response; plain text when it isn't JSON, null when it is empty. */
  readonly body: T | unknown;
  /** The failure in the service's words; null for a success. */
  readonly failure: ServiceFailure | null;
}

/** Parses a response as JSON; plain text for invalid JSON, null when empty. */
const parse = (text: string): unknown => {
  const value = text === "" ? null : parsedJson(text);
  return value === undefined ? text : value;
};

/** A call exactly as sent; the browser adds only its own headers. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: no body. */
  readonly body?: string;
}

/** The response, byte for byte. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly durationMs: number;
  readonly requestId: string | null;
}

/**
 * Sends a call to the service's own origin.
 * @throws ServiceUnreachable without a response; an AbortError when the signal was aborted.
 */
export const sendRaw = async (call: RawCall, options: CallOptions = {}): Promise<RawResponse> => {
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
    noteResponse();
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
 * @throws ServiceUnreachable without a response; an AbortError when the signal was aborted.
 */
export const post = async (
  path: string,
  body: unknown,
  headers: Record<string, string>,
  options: CallOptions = {},
): Promise<Exchange> => {
  const { bytes, ...response } = await sendRaw(
    { method: "POST", path, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) },
    options,
  );
  const { status, requestId } = response;
  const parsed = parse(new TextDecoder().decode(bytes));
  const ok = status >= 200 && status < 300;
  return { ...response, ok, body: parsed, failure: ok ? null : failureFrom(status, parsed, requestId) };
};

/** Returns the response of a successful call. @throws ServiceFailure in the service's words. */
const successOf = <T>({ failure, body }: Exchange): T => {
  if (failure) throw failure;
  return body as T;
};

/**
 * Reads a document that describes the service; the control plane's requires the token.
 * @throws ServiceFailure in the service's words.
 */
export const readDocument = async (path: string, options: CallOptions = {}): Promise<unknown> => {
  const headers = { authorization: `Bearer ${controlToken() ?? ""}` };
  const { status, bytes, requestId } = await sendRaw({ method: "GET", path, headers }, options);
  const document = parse(new TextDecoder().decode(bytes));
  if (status !== 200) throw failureFrom(status, document, requestId);
  return document;
};

/** The world's header; the world `default` needs none (D80). */
export const worldHeaders = (world: string): Record<string, string> =>
  world === "default" ? {} : { "x-sandbox-tenant": world };

/** The headers of a partner's call. */
export const partnerHeaders = ({ world, key }: Caller): Record<string, string> => ({
  ...(key?.api_key ? { authorization: `Bearer ${key.api_key}` } : {}),
  ...(key ? { "service-integration-id": key.integration_id } : {}),
  ...worldHeaders(world),
});

/** Identifies calls of this window, so that the record shows who sent them. */
export const originHeaders = (): Record<string, string> => ({
  "x-sandbox-origin": `explorer ${controlToken() ?? ""}`,
});

const ownHeaders = (caller: Caller): Record<string, string> => ({ ...partnerHeaders(caller), ...originHeaders() });

/** Counts across worlds and opens none: a world in its body is only a filter. */
const WORLDLESS_OPERATION = "activity.list";
type InWorld<Id> = Id extends typeof WORLDLESS_OPERATION ? { readonly world?: string } : { readonly world: string };

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
  // A load balancer reads the world from the header, the service from the body.
  const { world } = body as { readonly world?: string };
  const headers = { authorization: `Bearer ${token}`, ...(world === undefined ? {} : worldHeaders(world)) };
  const exchange = await post(operationPath({ id, surface: "control" }), body, headers, options);
  if (exchange.status === 401) dropToken(token);
  const response = successOf<ResponseOf<Control[Id]>>(exchange);
  if (world !== undefined && id !== WORLDLESS_OPERATION) noteCall(world, Date.now());
  return response;
};

/**
 * Exchanges a claim for the token of its world, once.
 * @throws ServiceFailure in the service's words.
 */
export const claimWorld = async (claim: string): Promise<ResponseOf<Control["tokens.claim"]>> => {
  return successOf(await post(operationPath({ id: "tokens.claim", surface: "control" }), { claim }, {}));
};

/**
 * Requests a token for the user signed in at the proxy.
 * @throws ServiceFailure 401: nobody is signed in; 403: the user has no access; 404: this service has no sign-in.
 */
export const signInAtProxy = async (): Promise<ResponseOf<Control["tokens.sign-in"]>> => {
  return successOf(await post(operationPath({ id: "tokens.sign-in", surface: "control" }), {}, {}));
};

/** Calls a partner operation and returns the exchange, refusals included: for flows that show them. */
export const exchangePartner = async <Id extends PartnerCall>(
  id: Id,
  body: PartnerRequest<Id>,
  caller: Caller,
  options: CallOptions = {},
): Promise<Exchange<ResponseOf<Partner[Id]>>> => post(partnerPath(id), body, ownHeaders(caller), options);

/**
 * Reads a partner operation's response for a screen: as the explorer's own call, which isn't recorded and meets no
 * fault.
 * @throws ServiceFailure in the service's words.
 */
export const observePartner = async <Id extends PartnerCall>(
  id: Id,
  body: PartnerRequest<Id>,
  caller: Caller,
  options: CallOptions = {},
): Promise<ResponseOf<Partner[Id]>> => {
  const headers = { ...partnerHeaders(caller), "x-sandbox-observer": controlToken() ?? "" };
  return successOf(await post(partnerPath(id), body, headers, options));
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
  return successOf(await exchangePartner(id, body, caller, options));
};

/**
 * Posts to a sandbox route that isn't an operation, such as `/__webhooks/subscribe`, with the world's header.
 * @throws ServiceUnreachable without a response; refusals are returned in the exchange.
 */
export const exchangeRoute = (path: string, body: unknown, caller: Caller): Promise<Exchange> =>
  post(path, body, ownHeaders(caller));
