import { endedWords } from "../contract/access.ts";
import type { ProvenOrigin } from "../contract/control/rows.ts";
import type { ScenarioMethod } from "../contract/scenario.ts";
import { jsonIn } from "../rules/json/untyped.ts";
import { OBSERVER_HEADER } from "../secrets/masking.ts";
import { direct, type Route, routeTo } from "./route.ts";

/** What a call came to. */
export interface Reached {
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the answer, or its text where it is none. */
  readonly body: unknown;
  readonly text: string;
}

/** The service cannot be used: it is not there, or expects another token. */
export class UnreachableError extends Error {
  /** The address, the token or the world is wrong: it would fail again as it was asked for. */
  readonly isAskedWrongly: boolean;

  constructor(message: string, isAskedWrongly = false) {
    super(message);
    this.isAskedWrongly = isAskedWrongly;
  }
}

/** Longer than any fault delays an answer. */
const PATIENCE_MS = 150_000;

/** An answer as it came. @param status null: there was none */
export const reachedBy = (status: number | null, headers: Readonly<Record<string, string>>, text: string): Reached => {
  if (status === null) return { status, headers: {}, body: undefined, text: "" };
  const json = jsonIn(text);
  return { status, headers, body: json === undefined ? text : json, text };
};

const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** Calls one service, as a partner and, with its token, as its operator. */
export class ScenarioClient {
  readonly baseUrl: string;
  /** Where it is called. */
  readonly address: string;
  readonly route: Route;
  readonly #token: string | null;
  readonly #origin: ProvenOrigin | null;

  /**
   * @param baseUrl what the service calls itself
   * @param token its control token; null: it has no control plane
   * @param origin whose calls they are on the record; null: of whoever has the token
   * @param address where it is called, if elsewhere
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

  /** A client of a service that may be on another machine: it goes through the proxy that the environment names. */
  static reaching(url: string, token: string | null, origin: ProvenOrigin | null = "scenario"): ScenarioClient {
    return new ScenarioClient(url, token, origin, url, routeTo(url));
  }

  /** Whether there is a control plane. */
  get isSandbox(): boolean {
    return this.#token !== null;
  }

  /** Posts text to a path. */
  post(path: string, headers: Readonly<Record<string, string>>, text: string): Promise<Reached> {
    const sent = { "content-type": "application/json", ...headers };
    return this.send("POST", this.address + path, sent, Buffer.from(text));
  }

  /**
   * @param address a whole one
   * @param repeats the trace of the call it is recorded from: a sandbox then gives out the same identifiers
   */
  async send(
    method: ScenarioMethod,
    address: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer<ArrayBuffer> | null,
    repeats: string | null = null,
  ): Promise<Reached> {
    // The token is nobody else's business.
    const ours = this.isSandbox && this.#origin !== null && new URL(address).origin === new URL(this.address).origin;
    const origin = [this.#origin, this.#token, ...(repeats === null ? [] : [repeats])].join(" ");
    try {
      const response = await this.route.fetch(address, {
        method,
        headers: { ...(ours ? { "x-sandbox-origin": origin } : {}), ...headers },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return reachedBy(response.status, Object.fromEntries(response.headers), await response.text());
    } catch {
      return reachedBy(null, {}, "");
    }
  }

  /** Calls an operation of the control plane, whatever comes of it. */
  control(operation: string, body: object): Promise<Reached> {
    // The header says to a balancer what the body says to the service.
    const placed = "world" in body && typeof body.world === "string" ? { "x-sandbox-tenant": body.world } : {};
    const headers = { authorization: `Bearer ${this.#token}`, ...placed };
    return this.post(`/__sandbox/${operation}`, headers, JSON.stringify(body));
  }

  /**
   * Reads as an integration, beside every record, as the explorer does.
   *
   * @param path of a partner's operation that changes nothing
   */
  observe(path: string, integration: string, world: string, body: object): Promise<Reached> {
    const headers = {
      ...{ [OBSERVER_HEADER]: this.#token ?? "", "service-integration-id": integration },
      "x-sandbox-tenant": world,
    };
    return this.post(path, headers, JSON.stringify(body));
  }

  /** Calls an operation of the control plane that has to succeed. @throws UnreachableError */
  async must<T>(operation: string, body: object): Promise<T> {
    const { status, body: answer, text } = await this.control(operation, body);
    if (status === 200) return answer as T;
    const { through } = this.route;
    if (status === null) {
      const what = through === "" ? "the address" : "the address and the proxy";
      throw new UnreachableError(`No service responds at ${this.baseUrl}${through}. Start it, or check ${what}.`, true);
    }
    if (status === 401) {
      throw new UnreachableError(
        endedWords(this.#token ?? "") ??
          `The service at ${this.baseUrl} rejects this control token. Use the control_token of its ready line.`,
        true,
      );
    }
    const { type, message } = (answer ?? {}) as { readonly type?: unknown; readonly message?: unknown };
    if (type === "no_such_world" || type === "forbidden") throw new UnreachableError(String(message), true);
    if (type !== undefined) throw new UnreachableError(`${operation} at ${this.baseUrl} answered ${status}: ${text}`);
    throw new UnreachableError(
      `What responds at ${this.baseUrl}${through} is not a sandbox: it returned ${status}. Check the address and, if there is one, the proxy.`,
      true,
    );
  }
}
