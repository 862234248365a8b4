import { createParser } from "eventsource-parser";

/** Messages of a window: the world it shows, or that the connection may be dead. */
export type ToHub =
  | { readonly is: "join"; readonly world: string; readonly token: string }
  | { readonly is: "leave" }
  | { readonly is: "check" };

/** A message of the stream, for the windows of its world. */
export interface FeedMessage {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

export type FromHub =
  | { readonly is: "messages"; readonly messages: readonly FeedMessage[] }
  /** @see LiveFeedHandlers.onDown */
  | { readonly is: "down"; readonly retryAt: number; readonly why: string | null }
  | { readonly is: "refused" }
  | { readonly is: "missing" };

/** One end of a channel to a window. */
export type HubPort = Pick<MessagePort, "postMessage" | "onmessage">;

interface FeedWindow {
  readonly world: string;
  readonly token: string;
  readonly send: (message: FromHub) => void;
}

/** The service sends a comment at least every 15 s; two missed ones mean a dead connection. */
const SILENCE_MS = 33_000;
/** A window that becomes visible reconnects immediately after this much silence. */
const QUIET_MS = 18_000;
const BACKOFF_MS: readonly number[] = [250, 500, 1000, 2000];

export const backoff = (failures: number): number => BACKOFF_MS[failures] ?? 4000;

/** The service refuses further streams for this token. */
class FullError extends Error {}
/** The service doesn't combine these worlds in one stream for this token. */
class OneByOneError extends Error {}

/** One connection to the service, with the feeds of all worlds that windows show, or of a single world. */
class Stream {
  readonly #token: string;
  readonly #singleWorld: string | null;
  readonly #oneByOne: (windows: readonly FeedWindow[]) => void;
  readonly #windows = new Set<FeedWindow>();
  /** ID of the last entry by world, to resume from. */
  readonly #lastIds = new Map<string, string>();
  /** The `ready` message by world, while its feed is open. */
  readonly #ready = new Map<string, FeedMessage>();
  /** Worlds of the current connection. */
  #connectedWorlds: readonly string[] = [];
  #abort = new AbortController();
  #heardAt = 0;
  #failures = 0;
  #down: Extract<FromHub, { is: "down" }> | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #running = false;

  /**
   * @param singleWorld a single world; null: the worlds of all its windows
   * @param oneByOne takes the windows over if each world needs its own connection; this stream has ended by then
   */
  constructor(token: string, singleWorld: string | null, oneByOne: (windows: readonly FeedWindow[]) => void) {
    this.#token = token;
    this.#singleWorld = singleWorld;
    this.#oneByOne = oneByOne;
  }

  join(window: FeedWindow): void {
    this.#windows.add(window);
    const ready = this.#ready.get(window.world);
    if (ready) window.send({ is: "messages", messages: [ready] });
    else if (!this.#running) void this.#run();
    else if (this.#down) window.send(this.#down);
    else if (!this.#connectedWorlds.includes(window.world)) this.#abort.abort();
  }

  /** @returns whether no window is left */
  leave(window: FeedWindow): boolean {
    this.#windows.delete(window);
    if (this.#windows.size > 0) return false;
    clearTimeout(this.#retryTimer);
    this.#abort.abort();
    return true;
  }

  /** Retries immediately if disconnected; an open connection stays only if it received something recently. */
  check(): void {
    if (this.#down) void this.#run();
    else if (Date.now() - this.#heardAt > QUIET_MS) this.#abort.abort();
  }

  #tell(message: FromHub, world: string | null = null): void {
    for (const window of this.#windows) if (world === null || window.world === world) window.send(message);
  }

  #address(): string {
    if (this.#singleWorld !== null) return `/__sandbox/live?world=${encodeURIComponent(this.#singleWorld)}`;
    const worlds = this.#connectedWorlds.map((world) => [world, this.#lastIds.get(world) ?? []].flat().join(":"));
    return `/__sandbox/live?worlds=${worlds.join(",")}`;
  }

  async #open(): Promise<NonNullable<Response["body"]>> {
    this.#connectedWorlds = [...new Set([...this.#windows].map(({ world }) => world))];
    const lastId = this.#singleWorld === null ? undefined : this.#lastIds.get(this.#singleWorld);
    const response = await fetch(this.#address(), {
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: "text/event-stream",
        ...(lastId === undefined ? {} : { "last-event-id": lastId }),
      },
      cache: "no-store",
      signal: this.#abort.signal,
    });
    if (response.ok && response.body) return response.body;
    if (response.status === 401) {
      this.#tell({ is: "refused" });
      this.#windows.clear();
    }
    if (this.#singleWorld === null && (response.status === 400 || response.status === 403)) throw new OneByOneError();
    if (response.status === 404) this.#tell({ is: "missing" });
    if (response.status !== 429) throw new Error(`live feed: ${response.status}`);
    const details = (await response.json().catch(() => null)) as { readonly message?: string } | null;
    throw new FullError(details?.message ?? "The service opens no further live feed now.");
  }

  async #read(): Promise<void> {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const noteActivity = () => {
      this.#heardAt = Date.now();
      clearTimeout(silence);
      silence = setTimeout(() => this.#abort.abort(), SILENCE_MS);
    };
    noteActivity();
    try {
      const body = await this.#open();
      let world = this.#singleWorld ?? "";
      let batch: FeedMessage[] = [];
      const flush = () => {
        if (batch.length > 0) this.#tell({ is: "messages", messages: batch }, world);
        batch = [];
      };
      const parser = createParser({
        onEvent: ({ id, event = "", data }) => {
          if (event === "of_world") {
            flush();
            world = (JSON.parse(data) as { readonly world: string }).world;
            return;
          }
          const message = { ...(id === undefined ? {} : { id }), event, data };
          this.#note(world, message);
          batch.push(message);
        },
      });
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        noteActivity();
        parser.feed(value);
        flush();
      }
    } finally {
      clearTimeout(silence);
      this.#ready.clear();
    }
  }

  /** Updates the state of a world's feed. */
  #note(world: string, message: FeedMessage): void {
    const { id, event } = message;
    if (event === "ready") {
      this.#failures = 0;
      this.#ready.set(world, message);
    }
    if (id !== undefined) this.#lastIds.set(world, id);
    if (event === "reset") this.#lastIds.delete(world);
    if (event !== "dropped") return;
    if (this.#singleWorld === null) {
      // The service restarts this world's feed over the same connection.
      this.#lastIds.delete(world);
      this.#ready.delete(world);
    } else this.#abort.abort();
  }

  async #run(): Promise<void> {
    // check() may retry before the timer.
    clearTimeout(this.#retryTimer);
    this.#down = null;
    this.#running = true;
    let why: string | null = null;
    for (let again = true; again; ) {
      again = false;
      try {
        await this.#read();
      } catch (error) {
        // Every other error is retried.
        if (error instanceof OneByOneError) return this.#oneByOne([...this.#windows]);
        if (error instanceof FullError) why = error.message;
      }
      if (this.#windows.size === 0) {
        this.#running = false;
        return;
      }
      // A window joined with a world that isn't part of the connection.
      again = why === null && [...this.#windows].some(({ world }) => !this.#connectedWorlds.includes(world));
    }
    const wait = backoff(this.#failures++);
    this.#down = { is: "down", retryAt: Date.now() + wait, why };
    this.#tell(this.#down);
    this.#retryTimer = setTimeout(() => void this.#run(), wait);
  }
}

/**
 * Reads the live feeds of all windows of a browser over one connection for each token, because browsers allow six per
 * service. Reconnects by itself, and resumes each world after its last entry.
 */
export class FeedHub {
  readonly #streams = new Map<string, Stream>();
  /** Tokens that need a connection for each world. */
  readonly #oneByOne = new Set<string>();

  connect(port: HubPort): void {
    let window: FeedWindow | null = null;
    const leave = () => {
      if (window) this.#leave(window);
      window = null;
    };
    port.onmessage = ({ data }: MessageEvent<ToHub>) => {
      if (data.is === "leave") leave();
      if (data.is === "check" && window) this.#streams.get(this.#keyOf(window))?.check();
      if (data.is !== "join") return;
      leave();
      window = { world: data.world, token: data.token, send: (message) => port.postMessage(message) };
      this.#join(window);
    };
  }

  #keyOf({ token, world }: FeedWindow): string {
    return this.#oneByOne.has(token) ? `${token} ${world}` : token;
  }

  #join(window: FeedWindow): void {
    const { token, world } = window;
    const key = this.#keyOf(window);
    const oneByOne = (windows: readonly FeedWindow[]) => {
      this.#oneByOne.add(token);
      this.#streams.delete(key);
      for (const one of windows) this.#join(one);
    };
    const stream = this.#streams.get(key) ?? new Stream(token, this.#oneByOne.has(token) ? world : null, oneByOne);
    this.#streams.set(key, stream);
    stream.join(window);
  }

  #leave(window: FeedWindow): void {
    const key = this.#keyOf(window);
    if (this.#streams.get(key)?.leave(window)) this.#streams.delete(key);
  }
}
