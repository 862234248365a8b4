import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type * as Undici from "undici";
import type { Exchanged } from "../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS } from "../contract/control/words.ts";
import { findFaultByCode, findFaultInResponse } from "../rules/webhooks/transport-faults.ts";
import { describeFailure, ForbiddenAddressError, OverdueError, OwnError, type Stage } from "./failures.ts";
import { InterimResponses } from "./interim-responses.ts";
import { createResolver, guardedLookup, type Resolve } from "./lookup.ts";
import type { PreparedAttempt } from "./prepare.ts";

/** D88: limit for a response, including headers, interim responses, chunks and trailers. */
export const MAX_RESPONSE_BYTES = 64 * 1024;
/** Lifetime of a connection, after which the name is resolved again, because it may have changed (D77). */
const CONNECTION_LIFE_MS = 60_000;

/** Permitted addresses, and name resolution. */
export interface Reach {
  /** Checks whether connections to an address are allowed under its host name, checked before each connection (D77). */
  readonly allows: (address: string, host: string) => boolean;
  /** D96: whether any certificate is accepted, because receivers are local. */
  readonly anyCertificate?: boolean;
  /** Default: the machine's resolver. */
  readonly resolve?: Resolve;
}

/** Loaded on the first send, because it would add half to the start time. */
let client: Promise<typeof Undici> | undefined;

/** Stage two: the response, or the reason for none. */
export interface SentAttempt {
  readonly prepared: PreparedAttempt;
  /** Headers in wire order. The body of a cut response is its beginning. */
  readonly exchanged: Exchanged;
  /** D72: whether a complete response with status 200 arrived in time. */
  readonly acknowledged: boolean;
}

/** Sends the notifications of one subscription, one at a time. */
export interface Sending {
  /**
   * Sends one request. Call after the previous one has ended.
   *
   * @returns null if no receiver was connected, which counts as not sent
   */
  send(prepared: PreparedAttempt): Promise<SentAttempt | null>;
  /** Aborts the running request, which then fails. */
  close(): void;
}

/** Header lines in order, from undici's alternating names and values. */
const headerList = (raw: Undici.Dispatcher.DispatchController["rawHeaders"]): [string, string][] => {
  const flat = Array.isArray(raw) ? raw.map((part) => part.toString("latin1")) : [];
  return flat.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? ""]] : [],
  );
};

/** Reason why a connection's certificate isn't trusted; null if it is trusted or there is none. */
const explainMistrust = (socket: Socket): string | null => {
  if (!(socket instanceof TLSSocket) || socket.authorized) return null;
  // Node's types declare an Error, but it is the error's code.
  const code = String(socket.authorizationError);
  return findFaultByCode(code)?.says ?? `the receiver’s certificate isn’t trusted (${code})`;
};

/** D72: explains that redirects are not followed. */
const describeRedirect = (status: number | null, headers: readonly [string, string][]): string | null => {
  if (status === null || status < 300 || status > 399) return null;
  const location = headers.find(([name]) => name === "location")?.[1];
  return location === undefined ? null : `redirects are not followed; this one leads to ${location.slice(0, 500)}`;
};

/**
 * Sends to one address, one request at a time, over its own kept-alive connection. Subscriptions at the same receiver
 * don't wait for each other.
 */
export class Sender implements Sending {
  readonly #url: URL;
  readonly #reach: Reach;
  readonly #limitMs: number;
  #pool: Undici.Pool | null = null;
  /** Reason why the connected receiver's certificate isn't trusted; null if it is trusted or there is none. */
  #certificate: string | null = null;
  /** Bytes of the current response. */
  #received = 0;
  #interim = new InterimResponses();

  constructor(url: string, reach: Reach, limitMs = ATTEMPT_LIMIT_MS) {
    this.#url = new URL(url);
    this.#reach = reach;
    this.#limitMs = limitMs;
  }

  #connect({ buildConnector, Pool }: typeof Undici): Undici.Pool {
    const { allows, resolve = createResolver(), anyCertificate = false } = this.#reach;
    const lookup = guardedLookup(resolve, allows);
    const trust = { rejectUnauthorized: !anyCertificate };
    const connect = buildConnector({ allowH2: false, timeout: ATTEMPT_LIMIT_MS, lookup, ...trust });
    return new Pool(this.#url.origin, {
      ...{ connections: 1, pipelining: 1, clientTtl: CONNECTION_LIFE_MS, headersTimeout: 0, bodyTimeout: 0 },
      // Effectively unlimited: undici creates an error for each header beyond the limit, and one read may hold
      // thousands.
      maxHeaderSize: 2 * MAX_RESPONSE_BYTES,
      connect: (options, callback) => {
        // Literal addresses bypass the lookup, so they are checked here.
        const host = options.hostname;
        if (isIP(host) !== 0 && !allows(host, host)) {
          callback(new ForbiddenAddressError(host, host), null);
          return;
        }
        connect(options, (...result) => {
          const [error, socket] = result;
          if (error === null) this.#certificate = explainMistrust(socket);
          if (error === null)
            socket.on("data", (bytes: Buffer) => {
              const spoken = this.#received === 0 ? findFaultInResponse(bytes) : undefined;
              if (spoken) socket.destroy(new OwnError(spoken.says));
              this.#interim.skip(bytes);
              this.#received += bytes.length;
              if (this.#received > MAX_RESPONSE_BYTES)
                socket.destroy(new OwnError("the response exceeds 64 KiB in all"));
            });
          callback(...result);
        });
      },
    });
  }

  /** Sends one request. Call after the previous one has ended. */
  async send(prepared: PreparedAttempt): Promise<SentAttempt> {
    client ??= import("undici");
    const loaded = await client;
    this.#pool ??= this.#connect(loaded);
    const pool = this.#pool;
    const startedAt = performance.now();
    this.#received = 0;
    this.#interim = new InterimResponses();
    const { host, pathname, search } = this.#url;
    // Headers added by the HTTP client, in its order: the length is last.
    const request_headers: [string, string][] = [
      ["host", host],
      ["connection", "keep-alive"],
    ];
    request_headers.push(...prepared.headers.map(([name, value]): [string, string] => [name, value]));
    return new Promise((resolve) => {
      let stage: Stage = "connecting";
      let status: number | null = null;
      let headers: [string, string][] = [];
      const body: Buffer[] = [];
      const reached = (): Stage => (this.#received > 0 ? "answering" : stage);
      const end = (failure: Error | null): void => {
        clearTimeout(timer);
        resolve({
          prepared,
          exchanged: {
            ...{ duration_ms: performance.now() - startedAt, request_headers, response_status: status },
            request_body_base64: prepared.body.toString("base64"),
            response_headers: headers,
            response_body_base64: Buffer.concat(body).toString("base64"),
            response_truncated: failure !== null && status !== null,
            error: failure ? describeFailure(failure, reached()) : describeRedirect(status, headers),
            ...(this.#certificate === null ? {} : { certificate: this.#certificate }),
          },
          acknowledged: failure === null && status === 200,
        });
      };
      const timer = setTimeout(() => {
        end(new OverdueError(this.#limitMs, reached()));
        this.close();
      }, this.#limitMs);
      pool.dispatch(
        { method: "POST", path: pathname + search, headers: prepared.headers.flat(), body: prepared.body },
        {
          onRequestStart: () => {
            stage = "waiting";
          },
          onResponseStart: ({ rawHeaders }, code) => {
            // Interim responses are not recorded.
            if (code < 200) return;
            status = code;
            headers = headerList(rawHeaders);
          },
          onResponseData: (_, chunk) => void body.push(chunk),
          onResponseEnd: () => end(null),
          onResponseError: (_, error) => end(error),
        },
      );
    });
  }

  /** Aborts the running request, which then fails, and closes the connection. */
  close(): void {
    void this.#pool?.destroy();
    this.#pool = null;
  }
}
