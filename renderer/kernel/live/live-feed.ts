import type { LiveControl, LiveEntry } from "../../../sandbox/contract/live.ts";
import { FeedHub, type FeedMessage, type FromHub, type HubPort, type ToHub } from "./feed-hub.ts";

export interface LiveFeedHandlers {
  /** Entries since the last frame, in order. */
  readonly onEntries: (entries: readonly LiveEntry[]) => void;
  /** The stream is open. `fresh` is false when it resumed after the last entry. */
  readonly onReady: (ready: LiveControl["ready"], fresh: boolean) => void;
  /** The log was restarted, or missed entries are no longer stored: cached data may be stale. */
  readonly onReset: (reset: LiveControl["reset"]) => void;
  /** @param why the service's reason for opening no further stream; null: the connection failed */
  readonly onDown: (retryAt: number, why: string | null) => void;
  readonly onRefused: () => void;
  /** The world doesn't exist. The feed keeps retrying, because somebody may create it. */
  readonly onMissing: () => void;
}

/** Timers of a hidden window run once a minute; only a longer delay means that the machine slept. */
const ASLEEP_MS = 90_000;
const CHECK_EVERY_MS = 5_000;
/** The service restarts a feed that ended by itself after this time. */
const RESTARTS_AFTER_MS = 1_000;

/**
 * Calls back after the machine slept: an open connection may be dead by then, and timers pause during sleep. Returns a
 * function that stops watching.
 */
export const watchSleep = (woke: () => void): (() => void) => {
  let last = Date.now();
  const timer = setInterval(() => {
    const at = Date.now();
    const slept = at - last > ASLEEP_MS;
    last = at;
    if (slept) woke();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
};

type Port = HubPort & Pick<MessagePort, "close">;

let ownHub: FeedHub | undefined;
/** A hub for this window alone, for browsers without shared workers. */
const ownPort = (): Port => {
  const hand = (to: HubPort) => (data: unknown) => to.onmessage?.call(to as MessagePort, { data } as MessageEvent);
  const here: Port = { onmessage: null, postMessage: (data) => hand(there)(data), close: () => undefined };
  const there: HubPort = { onmessage: null, postMessage: (data) => hand(here)(data) };
  ownHub ??= new FeedHub();
  ownHub.connect(there);
  return here;
};

/** Opens a channel to the hub. @param failed the worker could not be started */
const openHub = (failed: () => void): Port => {
  if (typeof SharedWorker === "undefined") return ownPort();
  const worker = new SharedWorker(new URL("./feed-worker.ts", import.meta.url), { type: "module", name: "live feed" });
  worker.onerror = failed;
  return worker.port;
};

/**
 * Follows a world's live feed, which all windows of the browser receive over one connection ({@link FeedHub}). Checks
 * the connection after the machine slept.
 */
export const openLiveFeed = (world: string, token: string, handlers: LiveFeedHandlers) => {
  /** True until the feed is live for the first time, and after a reset, a drop or a missing world. */
  let isFresh = true;
  /** Entries up to this ID are included in every response read since the feed opened. */
  let readUpTo = 0;
  let ended = false;
  let batch: LiveEntry[] = [];
  let frame = 0;

  const flush = () => {
    frame = 0;
    const entries = batch;
    batch = [];
    if (entries.length > 0) handlers.onEntries(entries);
  };
  const startOver = () => {
    isFresh = true;
    batch = [];
  };

  const take = ({ event, data }: FeedMessage) => {
    if (event === "ready") {
      const ready = JSON.parse(data) as LiveControl["ready"];
      readUpTo = isFresh ? ready.last_id : 0;
      handlers.onReady(ready, isFresh);
      isFresh = false;
      return;
    }
    if (event === "reset") {
      startOver();
      handlers.onReset(JSON.parse(data) as LiveControl["reset"]);
      return;
    }
    if (event === "dropped" || event === "missing") {
      startOver();
      const { is_there = true, reason } = JSON.parse(data) as Partial<LiveControl["missing"]>;
      if (!is_there) handlers.onMissing();
      else handlers.onDown(Date.now() + RESTARTS_AFTER_MS, event === "missing" ? (reason ?? null) : null);
      return;
    }
    const entry = JSON.parse(data) as LiveEntry;
    if (entry.id <= readUpTo) return;
    batch.push(entry);
    // A hidden window gets no frames; entries must not accumulate.
    if (document.visibilityState === "hidden") flush();
    else frame ||= requestAnimationFrame(flush);
  };

  const receive = ({ data }: MessageEvent<FromHub>) => {
    if (ended) return;
    if (data.is === "messages") for (const message of data.messages) take(message);
    if (data.is === "down") handlers.onDown(data.retryAt, data.why);
    if (data.is === "missing") handlers.onMissing();
    if (data.is === "refused") {
      ended = true;
      handlers.onRefused();
    }
  };
  let port = openHub(() => begin(ownPort()));
  const send = (message: ToHub) => port.postMessage(message);
  const begin = (to: Port) => {
    port = to;
    port.onmessage = receive;
    send({ is: "join", world, token });
  };
  const check = () => send({ is: "check" });
  const checkIfVisible = () => {
    if (document.visibilityState === "visible") check();
  };
  const leave = () => send({ is: "leave" });
  /** A page restored from the back/forward cache joins again. */
  const rejoin = ({ persisted }: PageTransitionEvent) => {
    if (persisted) begin(port);
  };
  const stopWatchingSleep = watchSleep(check);
  window.addEventListener("online", check);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", rejoin);
  document.addEventListener("visibilitychange", checkIfVisible);
  begin(port);

  return {
    /** Connects immediately if it is waiting to retry. */
    retry: check,
    close: () => {
      ended = true;
      cancelAnimationFrame(frame);
      stopWatchingSleep();
      window.removeEventListener("online", check);
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", rejoin);
      document.removeEventListener("visibilitychange", checkIfVisible);
      leave();
      port.close();
    },
  };
};
