import type { ProvenOrigin } from "../contract/control/rows.ts";
import type { ScenarioMethod } from "../contract/scenario.ts";

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
  readonly badToken: boolean;

  constructor(message: string, badToken = false) {
    super(message);
    this.badToken = badToken;
  }
}

/** Longer than any fault delays an answer. */
const PATIENCE_MS = 150_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** An answer as it came. @param status null: there was none */
export const reachedBy = (status: number | null, headers: Readonly<Record<string, string>>, text: string): Reached =>
  status === null ? { status, headers: {}, body: undefined, text: "" } : { status, headers, body: parse(text), text };

/** Calls one service, as a partner and as its operator. */
export class ScenarioClient {
  readonly baseUrl: string;
  readonly #token: string | null;
  readonly #origin: ProvenOrigin;
  readonly #address: string;

  /**
   * @param baseUrl the address others reach it under
   * @param token null: it is no sandbox, and has no control plane
   * @param origin who calls, as it is kept with each call
   * @param address where it is called, if elsewhere
   */
  constructor(baseUrl: string, token: string | null, origin: ProvenOrigin = "scenario", address = baseUrl) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.#token = token;
    this.#origin = origin;
    this.#address = address.replace(/\/+$/, "");
  }

  /** Posts text to an address. */
  post(address: string, headers: Readonly<Record<string, string>>, text: string): Promise<Reached> {
    return this.send("POST", address, { "content-type": "application/json", ...headers }, Buffer.from(text));
  }

  /**
   * @param address a path of the service, or a whole address
   * @param signal gives it up
   * @param repeats the trace of the call it is recorded from: a sandbox then gives out the same identifiers
   * @throws what it was aborted with
   */
  async send(
    method: ScenarioMethod,
    address: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer<ArrayBuffer> | null,
    signal?: AbortSignal,
    repeats: string | null = null,
  ): Promise<Reached> {
    const url = URL.canParse(address) ? address : this.#address + address;
    // The token is nobody else's business.
    const ours = this.#token !== null && URL.canParse(url) && new URL(url).origin === new URL(this.#address).origin;
    const origin = [this.#origin, this.#token, ...(repeats === null ? [] : [repeats])].join(" ");
    let response: Response;
    let answer: string;
    try {
      response = await fetch(url, {
        method,
        headers: { ...(ours ? { "x-sandbox-origin": origin } : {}), ...headers },
        body,
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]),
      });
      answer = await response.text();
    } catch {
      signal?.throwIfAborted();
      return reachedBy(null, {}, "");
    }
    return reachedBy(response.status, Object.fromEntries(response.headers), answer);
  }

  /** Calls an operation of the control plane, whatever comes of it. */
  control(operation: string, body: object): Promise<Reached> {
    return this.post(`/__sandbox/${operation}`, { authorization: `Bearer ${this.#token}` }, JSON.stringify(body));
  }

  /** Calls an operation of the control plane that has to succeed. @throws UnreachableError */
  async must<T>(operation: string, body: object): Promise<T> {
    const { status, body: answer, text } = await this.control(operation, body);
    if (status === 200) return answer as T;
    if (status === null)
      throw new UnreachableError(`No service answers at ${this.baseUrl}. Is it started, and is the address right?`);
    if (status === 401) {
      throw new UnreachableError(
        `The service at ${this.baseUrl} does not accept this control token. It is the control_token of its ready line.`,
        true,
      );
    }
    throw new UnreachableError(`${operation} at ${this.baseUrl} answered ${status}: ${text}`);
  }
}
