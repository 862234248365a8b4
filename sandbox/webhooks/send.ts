import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type * as Undici from "undici";
import type { Exchanged } from "../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS } from "../contract/control/words.ts";
import { findFaultByCode, findFaultInResponse } from "../rules/webhooks/transport-faults.ts";
import { describeFailure, ForbiddenAddressError, OverdueError, OwnError, type Stage } from "./failures.ts";
import { guardedLookup, type Resolve, resolveWith } from "./lookup.ts";
import type { Prepared } from "./prepare.ts";

/** D88: how much of an answer is read: heads, interim answers, chunks and trailers counted. */
export const ANSWER_LIMIT_BYTES = 64 * 1024;
/** How long one connection is used at all: then the name is looked up again, which may lead elsewhere by now (D77). */
const CONNECTION_LIFE_MS = 60_000;

/** Which addresses may be sent to, and how names lead to them. */
export interface Reach {
  /** Whether an address may be connected to under the name of its host, judged before each connection (D77). */
  readonly allows: (address: string, host: string) => boolean;
  /** D96: whether any certificate is accepted, as receivers are local. */
  readonly anyCertificate?: boolean;
  /** Left out: as the machine resolves names. */
  readonly resolve?: Resolve;
}

/** Loaded when something is sent for the first time: half as long as all the rest of a start. */
let client: Promise<typeof Undici> | undefined;

/** Stage two: what came back, or why nothing did. */
export interface Sent {
  readonly prepared: Prepared;
  /** With the headers as they went over the wire, in their order; of an answer that was cut, its beginning. */
  readonly exchanged: Exchanged;
  /** D72: a whole answer with the status 200 came in time. */
  readonly acknowledged: boolean;
}

/** Sends the notifications of one subscription, one at a time. */
export interface Sending {
  /**
   * Sends one request. Call once the one before has ended.
   *
   * @returns what became of it; null: nobody was there to take it, and it is as if it had not been sent
   */
  send(prepared: Prepared): Promise<Sent | null>;
  /** Ends what is under way, which has failed then. */
  close(): void;
}

/** Header lines in their order, as undici hands them over: names and values alternate. */
const headerList = (raw: Undici.Dispatcher.DispatchController["rawHeaders"]): [string, string][] => {
  const flat = Array.isArray(raw) ? raw.map((part) => part.toString("latin1")) : [];
  return flat.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? ""]] : [],
  );
};

/** Why the certificate of a connection isn't trusted; null: it is, or the connection has none. */
const mistrustOf = (socket: Socket): string | null => {
  if (!(socket instanceof TLSSocket) || socket.authorized) return null;
  // Node's types say that it is an error; it is the code of one.
  const code = String(socket.authorizationError);
  return findFaultByCode(code)?.says ?? `the receiver’s certificate isn’t trusted (${code})`;
};

/** D72: redirects are not followed, and the attempt says so. */
const redirectWords = (status: number | null, headers: readonly [string, string][]): string | null => {
  if (status === null || status < 300 || status > 399) return null;
  const location = headers.find(([name]) => name === "location")?.[1];
  return location === undefined ? null : `redirects are not followed; this one leads to ${location.slice(0, 500)}`;
};

/**
 * Sends to one address, one request at a time, over a connection that is kept alive and is this address's own: of two
 * subscriptions at one receiver neither waits for the other.
 */
export class Sender implements Sending {
  readonly #url: URL;
  readonly #reach: Reach;
  readonly #limitMs: number;
  #pool: Undici.Pool | null = null;
  /** Why the certificate isn't trusted of the receiver that is connected to; null: it is, or there is none. */
  #certificate: string | null = null;
  /** Bytes of the answer to the request that is under way. */
  #received = 0;

  constructor(url: string, reach: Reach, limitMs = ATTEMPT_LIMIT_MS) {
    this.#url = new URL(url);
    this.#reach = reach;
    this.#limitMs = limitMs;
  }

  #connect({ buildConnector, Pool }: typeof Undici): Undici.Pool {
    const { allows, resolve = resolveWith(), anyCertificate = false } = this.#reach;
    const lookup = guardedLookup(resolve, allows);
    const trust = { rejectUnauthorized: !anyCertificate };
    const connect = buildConnector({ allowH2: false, timeout: ATTEMPT_LIMIT_MS, lookup, ...trust });
    return new Pool(this.#url.origin, {
      ...{ connections: 1, pipelining: 1, clientTtl: CONNECTION_LIFE_MS, headersTimeout: 0, bodyTimeout: 0 },
      // Never reached: undici makes an error for every header beyond it, and one read may hold thousands of them.
      maxHeaderSize: 2 * ANSWER_LIMIT_BYTES,
      connect: (options, callback) => {
        // A host that is spelled as an address is never looked up; it is judged as it stands.
        const host = options.hostname;
        if (isIP(host) !== 0 && !allows(host, host)) {
          callback(new ForbiddenAddressError(host, host), null);
          return;
        }
        connect(options, (...result) => {
          const [error, socket] = result;
          if (error === null) this.#certificate = mistrustOf(socket);
          if (error === null)
            socket.on("data", (bytes: Buffer) => {
              const spoken = this.#received === 0 ? findFaultInResponse(bytes) : undefined;
              if (spoken) socket.destroy(new OwnError(spoken.says));
              this.#received += bytes.length;
              if (this.#received > ANSWER_LIMIT_BYTES)
                socket.destroy(new OwnError("the response exceeds 64 KiB in all"));
            });
          callback(...result);
        });
      },
    });
  }

  /** Sends one request and resolves with what became of it. Call once the one before has ended. */
  async send(prepared: Prepared): Promise<Sent> {
    client ??= import("undici");
    const loaded = await client;
    this.#pool ??= this.#connect(loaded);
    const pool = this.#pool;
    const began = performance.now();
    this.#received = 0;
    const { host, pathname, search } = this.#url;
    // Headers that the HTTP client adds itself, in its order: the length comes last.
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
      const reached = (): Stage => (stage === "waiting" && this.#received > 0 ? "answering" : stage);
      const end = (failure: Error | null): void => {
        clearTimeout(timer);
        resolve({
          prepared,
          exchanged: {
            ...{ duration_ms: performance.now() - began, request_headers, response_status: status },
            request_body_base64: prepared.body.toString("base64"),
            response_headers: headers,
            response_body_base64: Buffer.concat(body).toString("base64"),
            response_truncated: failure !== null && status !== null,
            error: failure ? describeFailure(failure, reached()) : redirectWords(status, headers),
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
            // Interim answers say nothing that is kept.
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

  /** Ends what is under way, which has failed then, and the connection. */
  close(): void {
    void this.#pool?.destroy();
    this.#pool = null;
  }
}
