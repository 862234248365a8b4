import { expiredTokenMessage } from "../contract/access.ts";
import { controlOperations } from "../contract/control/all-operations.ts";
import type { ProvenOrigin } from "../contract/control/rows.ts";
import type { Operation } from "../contract/operation.ts";
import type { ScenarioMethod } from "../contract/scenario.ts";
import { tryParseJson } from "../rules/json/untyped.ts";
import { OBSERVER_HEADER } from "../secrets/masking.ts";
import { direct, type Route, routeTo } from "./route.ts";
import { strangerSentence, unreachableSentence } from "./unreachable-reason.ts";

/** Result of a call. */
export interface ReachedResponse {
  /** Null: the connection was closed without a response. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON of the response, or its text. */
  readonly body: unknown;
  readonly text: string;
  /** Why there is no response. */
  readonly failure?: unknown;
}

/** The service is not reachable, or refuses the token. */
export class UnreachableError extends Error {
  /** The address, the token or the world is wrong: a retry would fail, too. */
  readonly isWrongRequest: boolean;

  constructor(message: string, isWrongRequest = false) {
    super(message);
    this.isWrongRequest = isWrongRequest;
  }
}

/** Time limit for a response, in milliseconds. Exceeds the longest delay of any fault. */
const RESPONSE_TIMEOUT_MS = 150_000;

/** Parses a response. @param status null: none */
export const parseResponse = (
  status: number | null,
  headers: Readonly<Record<string, string>>,
  text: string,
): ReachedResponse => {
  if (status === null) return { status, headers: {}, body: undefined, text: "" };
  const json = tryParseJson(text);
  return { status, headers, body: json === undefined ? text : json, text };
};

const byId: ReadonlyMap<string, Operation> = new Map(controlOperations.map((one) => [one.id, one]));

/**
 * Returns a field that a success lacks, if it has none of those that a sandbox sends: a captive portal or another program
 * also answers 200. An older sandbox may lack a newer field.
 */
const findMissing = (operation: string, body: unknown): string | null => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "a JSON object";
  const { required = [] } = (byId.get(operation)?.response ?? {}) as { readonly required?: readonly string[] };
  return required.some((name) => Object.hasOwn(body, name)) ? null : (required[0] ?? null);
};

const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** Calls a service as a partner and, with its token, as its operator. */
export class ScenarioClient {
  readonly baseUrl: string;
  /** The address to call. */
  readonly address: string;
  readonly route: Route;
  readonly #token: string | null;
  readonly #origin: ProvenOrigin | null;

  /**
   * @param baseUrl the service's name for itself
   * @param token its control token; null: no control plane
   * @param origin origin on the record; null: decided by the token
   * @param address address to call, if different
   */
  constructor(
    baseUrl: string,
    token: string | null,
    origin: ProvenOrigin | null = "scenario",
    address = baseUrl,
    route = direct,
  ) {
    this.baseUrl = withoutSlash(baseUrl);
    this.address = withoutSlash(address);
    this.route = route;
    this.#token = token;
    this.#origin = origin;
  }

  /** Connects to a service that may be remote, through the environment's proxy. */
  static reaching(url: string, token: string | null, origin: ProvenOrigin | null = "scenario"): ScenarioClient {
    return new ScenarioClient(url, token, origin, url, routeTo(url));
  }

  get isSandbox(): boolean {
    return this.#token !== null;
  }

  post(path: string, headers: Readonly<Record<string, string>>, text: string): Promise<ReachedResponse> {
    const sent = { "content-type": "application/json", ...headers };
    return this.send("POST", this.address + path, sent, Buffer.from(text));
  }

  /**
   * @param address a complete URL
   * @param repeats trace of the recorded call: a sandbox then assigns the same identifiers
   */
  async send(
    method: ScenarioMethod,
    address: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer<ArrayBuffer> | null,
    repeats: string | null = null,
  ): Promise<ReachedResponse> {
    // Only the service itself may see the token.
    const ours = this.isSandbox && this.#origin !== null && new URL(address).origin === new URL(this.address).origin;
    const origin = [this.#origin, this.#token, ...(repeats === null ? [] : [repeats])].join(" ");
    try {
      const response = await this.route.fetch(address, {
        method,
        headers: { ...(ours ? { "x-sandbox-origin": origin } : {}), ...headers },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      return parseResponse(response.status, Object.fromEntries(response.headers), await response.text());
    } catch (failure) {
      return { ...parseResponse(null, {}, ""), failure };
    }
  }

  /** Calls a control operation; any status is returned. */
  control(operation: string, body: object): Promise<ReachedResponse> {
    // Balancers route by this header, because they don't read the body.
    const placed = "world" in body && typeof body.world === "string" ? { "x-sandbox-tenant": body.world } : {};
    const headers = { authorization: `Bearer ${this.#token}`, ...placed };
    return this.post(`/__sandbox/${operation}`, headers, JSON.stringify(body));
  }

  /**
   * Reads as an integration without being recorded, like the explorer.
   *
   * @param path of a partner operation that only reads
   */
  observe(path: string, integration: string, world: string, body: object): Promise<ReachedResponse> {
    const headers = {
      ...{ [OBSERVER_HEADER]: this.#token ?? "", "service-integration-id": integration },
      "x-sandbox-tenant": world,
    };
    return this.post(path, headers, JSON.stringify(body));
  }

  /** Calls a control operation that must succeed. @throws UnreachableError */
  async must<T>(operation: string, body: object): Promise<T> {
    const { status, body: responseBody, failure } = await this.control(operation, body);
    const { through } = this.route;
    if (status === null) throw new UnreachableError(unreachableSentence(failure, this.baseUrl, through), true);
    const missing = status === 200 ? findMissing(operation, responseBody) : null;
    if (status === 200 && missing === null) return responseBody as T;
    if (status === 401) {
      throw new UnreachableError(
        expiredTokenMessage(this.#token ?? "") ??
          `The service at ${this.baseUrl} rejects this control token. Use the control_token of its ready line.`,
        true,
      );
    }
    const { type, message } = (responseBody ?? {}) as { readonly type?: unknown; readonly message?: unknown };
    const isWrongRequest = [400, 403, 404, 421].includes(status);
    if (typeof type === "string" && typeof message === "string") throw new UnreachableError(message, isWrongRequest);
    const answer = missing === null ? `${status}` : `${status} without ${missing}`;
    throw new UnreachableError(strangerSentence(this.baseUrl, through, answer), true);
  }
}
