import type { LiveControl, LiveEntry } from "../../../sandbox/contract/live.ts";
import { FeedHub, type FeedMessage, type FromHub, type HubPort, type ToHub } from "./feed-hub.ts";

export interface LiveFeedHandlers {
  /** Entries since the last frame, in order. */
  readonly onEntries: (entries: readonly LiveEntry[]) => void;
  /** The stream is open. `fresh` is false when it resumed where it broke off. */
  readonly onReady: (ready: LiveControl["ready"], fresh: boolean) => void;
  /** The log began anew, or what was missed is not kept: what is cached may be stale. */
  readonly onReset: (reset: LiveControl["reset"]) => void;
  /** @param why in the service's words, where it answers and opens no further stream; null: the connection failed */
  readonly onDown: (retryAt: number, why: string | null) => void;
  readonly onRefused: () => void;
  /** There is no such world; it goes on asking, as somebody may make one. */
  readonly onMissing: () => void;
}

/** A hidden window's timers run once a minute; only what is late by more than that was asleep. */
const ASLEEP_MS = 90_000;
const LOOKS_EVERY_MS = 5_000;
/** So soon the service begins a feed anew that has ended by itself. */
const BEGINS_ANEW_MS = 1_000;

/**
 * Tells when the machine slept: a connection that looks open afterwards may long be dead, and timers do not count
 * while it sleeps. Returns what ends the watch.
 */
export const watchSleep = (woke: () => void): (() => void) => {
  let last = Date.now();
  const timer = setInterval(() => {
    const at = Date.now();
    const slept = at - last > ASLEEP_MS;
    last = at;
    if (slept) woke();
  }, LOOKS_EVERY_MS);
  return () => clearInterval(timer);
};

type Port = HubPort & Pick<MessagePort, "close">;

let ownHub: FeedHub | undefined;
/** A hub of this window alone, where windows can't share one. */
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
 * Follows a world's live feed, which comes over one connection for all windows of the browser ({@link FeedHub}). Looks
 * anew when the machine has slept.
 */
export const openLiveFeed = (world: string, token: string, handlers: LiveFeedHandlers) => {
  /** Until it is live for the first time, and after what ended all that is known. */
  let isFresh = true;
  /** What came up to this entry was in every answer read since the feed opened. */
  let readUpTo = -1;
  let ended = false;
  let batch: LiveEntry[] = [];
  let frame = 0;

  const flush = () => {
    frame = 0;
    const entries = batch;
    batch = [];
    if (entries.length > 0) handlers.onEntries(entries);
  };
  const beginAnew = () => {
    isFresh = true;
    batch = [];
  };

  const take = ({ event, data }: FeedMessage) => {
    if (event === "ready") {
      const ready = JSON.parse(data) as LiveControl["ready"];
      readUpTo = isFresh ? ready.last_id : -1;
      handlers.onReady(ready, isFresh);
      isFresh = false;
      return;
    }
    if (event === "reset") {
      beginAnew();
      handlers.onReset(JSON.parse(data) as LiveControl["reset"]);
      return;
    }
    if (event === "dropped" || event === "missing") {
      beginAnew();
      const { is_there = true, reason } = JSON.parse(data) as Partial<LiveControl["missing"]>;
      if (!is_there) handlers.onMissing();
      else handlers.onDown(Date.now() + BEGINS_ANEW_MS, event === "missing" ? (reason ?? null) : null);
      return;
    }
    const entry = JSON.parse(data) as LiveEntry;
    if (entry.id <= readUpTo) return;
    batch.push(entry);
    // A hidden window gets no frames; entries must not pile up in it.
    if (document.visibilityState === "hidden") flush();
    else frame ||= requestAnimationFrame(flush);
  };

  const hear = ({ data: said }: MessageEvent<FromHub>) => {
    if (ended) return;
    if (said.is === "messages") for (const message of said.messages) take(message);
    if (said.is === "down") handlers.onDown(said.retryAt, said.why);
    if (said.is === "missing") handlers.onMissing();
    if (said.is === "refused") {
      ended = true;
      handlers.onRefused();
    }
  };
  let port = openHub(() => begin(ownPort()));
  const say = (message: ToHub) => port.postMessage(message);
  const begin = (to: Port) => {
    port = to;
    port.onmessage = hear;
    say({ is: "join", world, token });
  };
  const look = () => say({ is: "look" });
  const seen = () => {
    if (document.visibilityState === "visible") look();
  };
  const leave = () => say({ is: "leave" });
  /** A page that is kept for "Back" is shown again as it was. */
  const shown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) begin(port);
  };
  const awake = watchSleep(look);
  window.addEventListener("online", look);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", shown);
  document.addEventListener("visibilitychange", seen);
  begin(port);

  return {
    /** Connects at once where it waits to connect again. */
    retry: look,
    close: () => {
      ended = true;
      cancelAnimationFrame(frame);
      awake();
      window.removeEventListener("online", look);
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", shown);
      document.removeEventListener("visibilitychange", seen);
      leave();
      port.close();
    },
  };
};
