import net from "node:net";
import tls from "node:tls";
import { lostTries } from "../rules/lost-tries.ts";
import { type Answer, AnswerReader, NotHttpError } from "./answer-reader.ts";
import { describeFailure, describeTimeout, type Stage } from "./failure-words.ts";
import { guardAddress, guardedLookup } from "./guarded-lookup.ts";

/** D72: how long one try may take. */
export const TRY_TIMEOUT_MS = 10_000;
/** How long a connection is kept that nothing is sent over; a receiver that says less is believed. */
const IDLE_MS = 4_000;
const LEAST_IDLE_MS = 500;
/** How long one is used at all: then the name is looked up again, which may lead elsewhere by now. */
const LONGEST_USE_MS = 60_000;
/** A request that waited for its turn for so long goes again instead: the tolerance of its timestamp is 300 s. */
export const OVERDUE_MS = 60_000;

/** Where a url leads. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The receiver of a url that was accepted as a subscription's. */
export const targetOf = (url: URL): Target => {
  const secure = url.protocol === "https:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    secure,
  };
};

/** What became of one request. Times in milliseconds. */
export interface Outcome extends Pick<Answer, "headers" | "body" | "truncated"> {
  readonly durationMs: number;
  /** Null when no head of an answer came. */
  readonly status: number | null;
  /** Why there was no answer, or no whole one. */
  readonly error: string | null;
  /** Not the receiver's doing as far as can be told: to be sent again at once, and no failure of it. */
  readonly lost: boolean;
  /** Its time was up. */
  readonly timedOut: boolean;
}

const silence: Pick<Outcome, "status" | "headers" | "body" | "truncated"> = {
  status: null,
  headers: [],
  body: Buffer.alloc(0),
  truncated: false,
};

const announcedIdleMs = (headers: readonly [string, string][]): number => {
  const seconds = headers.find(([name]) => name === "keep-alive")?.[1].match(/timeout=(\d{1,6})/i)?.[1];
  return seconds === undefined ? IDLE_MS : Math.max(LEAST_IDLE_MS, Math.min(IDLE_MS, Number(seconds) * 1_000 - 1_000));
};

/**
 * A kept-alive HTTP/1.1 connection to one receiver, opened when something is sent. Requests are answered in the order
 * they were sent; when it ends with several under way, the first of them failed and the others are lost.
 *
 * @typeParam T what a request is for
 */
export class Connection<T> {
  readonly #target: Target;
  readonly #allows: (address: string) => boolean;
  readonly #ended: (item: T, outcome: Outcome) => void;
  readonly #settled: () => void;
  #socket: net.Socket | null = null;
  #stage: Stage = "connecting";
  #reader = new AnswerReader();
  #underWay: T[] = [];
  /** When each of them was sent. */
  #sentAt: number[] = [];
  /** Since when the first of them is waited for; when the last one ended, while there is none. */
  #since = 0;
  #answers = 0;
  #openedAt = 0;
  #idleMs = IDLE_MS;

  /**
   * @param allows whether an address may be connected to (D77)
   * @param ended called for each request in the order they were sent, `settled` once after all that ended together
   */
  constructor(
    target: Target,
    allows: (address: string) => boolean,
    on: { readonly ended: (item: T, outcome: Outcome) => void; readonly settled: () => void },
  ) {
    this.#target = target;
    this.#allows = allows;
    this.#ended = on.ended;
    this.#settled = on.settled;
  }

  get underWay(): number {
    return this.#underWay.length;
  }

  /** Sends requests, one behind the other. @param bytes all of them, as they go over the wire */
  send(items: readonly T[], bytes: Buffer): void {
    const now = performance.now();
    if (this.#underWay.length === 0) this.#since = now;
    this.#underWay.push(...items);
    for (const _ of items) this.#sentAt.push(now);
    const socket = this.#socket ?? this.#open();
    socket?.write(bytes);
  }

  #open(): net.Socket | null {
    const { host, port, secure } = this.#target;
    this.#stage = "connecting";
    this.#reader = new AnswerReader();
    this.#answers = 0;
    this.#openedAt = performance.now();
    this.#idleMs = IDLE_MS;
    try {
      guardAddress(host, this.#allows);
    } catch (error) {
      // As for any other failure, whoever sends is told after the sending.
      queueMicrotask(() => this.#fail(error instanceof Error ? error : null));
      return null;
    }
    const options = { host, port, lookup: guardedLookup(this.#allows) };
    const socket = secure
      ? tls.connect({ ...options, ALPNProtocols: ["http/1.1"], ...(net.isIP(host) === 0 ? { servername: host } : {}) })
      : net.connect(options);
    socket.setNoDelay(true);
    socket.once("connect", () => {
      this.#stage = secure ? "securing" : "waiting";
    });
    socket.once("secureConnect", () => {
      this.#stage = "waiting";
    });
    this.#socket = socket;
    this.#listen(socket);
    return socket;
  }

  #listen(socket: net.Socket): void {
    let failure: Error | null = null;
    socket.on("data", (bytes: Buffer) => {
      if (socket === this.#socket) this.#read(bytes);
    });
    socket.on("error", (error) => {
      failure = error;
    });
    const over = (): void => {
      if (socket !== this.#socket) return;
      const answer = failure ? null : this.#reader.end();
      if (answer) this.#answered([answer]);
      else this.#fail(failure);
    };
    socket.on("end", over);
    socket.on("close", over);
  }

  #read(bytes: Buffer): void {
    const answers: Answer[] = [];
    try {
      this.#reader.read(bytes, (answer) => answers.push(answer));
      this.#answered(answers);
      // Bytes that nobody asked for.
      if (this.#underWay.length === 0 && this.#reader.begun) this.#fail(null);
    } catch (error) {
      if (!(error instanceof NotHttpError)) throw error;
      this.#answered(answers);
      this.#fail(error);
    }
  }

  /** Answers that came together: the time since the one before them is theirs in equal parts. */
  #answered(answers: readonly Answer[]): void {
    const last = answers.at(-1);
    if (!last) return;
    const now = performance.now();
    const durationMs = (now - this.#since) / answers.length;
    this.#since = now;
    this.#answers += answers.length;
    this.#idleMs = announcedIdleMs(last.headers);
    const items = this.#underWay.splice(0, answers.length);
    this.#sentAt.splice(0, answers.length);
    for (const [index, { status, headers, body, truncated }] of answers.entries()) {
      const item = items[index];
      if (item !== undefined)
        this.#ended(item, { durationMs, status, headers, body, truncated, error: null, lost: false, timedOut: false });
    }
    const [nextSentAt = now] = this.#sentAt;
    if (!last.keepAlive || items.length !== answers.length) this.#endAll(this.#leave(), lostTries.behind);
    else if (now - nextSentAt > OVERDUE_MS) this.#endAll(this.#leave(), lostTries.overdue);
    else this.#settled();
  }

  #leave(): T[] {
    const items = this.#underWay;
    this.#underWay = [];
    this.#sentAt = [];
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
    return items;
  }

  #reached(): Stage {
    return this.#stage === "waiting" && this.#reader.begun ? "answering" : this.#stage;
  }

  /** The connection is over: of what is under way, the first one failed, unless it was sent just as it was closed. */
  #fail(error: Error | null): void {
    const stage = this.#reached();
    const cut = this.#reader.cut();
    const outrun = this.#answers > 0 && stage === "waiting" && !(error instanceof NotHttpError);
    const [first, ...others] = this.#leave();
    if (first === undefined) return;
    const answer = cut ? { status: cut.status, headers: cut.headers, body: cut.body, truncated: true } : silence;
    const why = outrun ? lostTries.outrun : describeFailure(error, stage);
    this.#endFirst(first, others, { ...answer, error: why, lost: outrun, timedOut: false });
  }

  #endFirst(first: T, others: readonly T[], outcome: Omit<Outcome, "durationMs">): void {
    const now = performance.now();
    this.#ended(first, { ...outcome, durationMs: now - this.#since });
    this.#since = now;
    this.#endAll(others, lostTries.behind);
  }

  /** What was behind a request whose connection ended with it, or was closed for their sake. */
  #endAll(items: readonly T[], error: string): void {
    for (const item of items) this.#ended(item, { ...silence, durationMs: 0, error, lost: true, timedOut: false });
    this.#settled();
  }

  /** Ends a try whose time is up, and a connection that was idle for too long. Call a few times a second. */
  check(now: number): void {
    if (this.#underWay.length === 0) {
      if (this.#socket && now - this.#since > this.#idleMs) this.#leave();
      return;
    }
    if (now - this.#since <= TRY_TIMEOUT_MS) return;
    const stage = this.#reached();
    // The status says it all: a body that does not end is cut, and makes no other answer of it.
    const cut = this.#reader.cut();
    const [first, ...others] = this.#leave();
    if (first === undefined) return;
    const { status, headers, body } = cut ?? silence;
    const error = cut ? null : describeTimeout(stage, TRY_TIMEOUT_MS);
    this.#endFirst(first, others, {
      status,
      headers,
      body,
      truncated: cut !== null,
      error,
      lost: false,
      timedOut: true,
    });
  }

  /** Whether it has been used for so long that nothing more should be sent over it: closed once nothing is under way. */
  wornOut(now: number): boolean {
    return this.#socket !== null && now - this.#openedAt > LONGEST_USE_MS;
  }

  /** Whether there is a connection to check. */
  get open(): boolean {
    return this.#socket !== null || this.#underWay.length > 0;
  }

  /** Ends the connection. What is under way is not told of. */
  close(): void {
    this.#leave();
  }
}
