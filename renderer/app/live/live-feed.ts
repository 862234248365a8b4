import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { LiveControl, LiveEntry } from "../../../sandbox/contract/live.ts";

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

/** The service sends a comment at least every 15 s; two missed ones mean that nobody is there. */
const SILENCE_MS = 33_000;
/** A window that is looked at again asks at once after this much silence. */
const QUIET_MS = 18_000;
const BACKOFF_MS = [250, 500, 1000, 2000, 4000] as const;

export const backoff = (failures: number): number => BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 4000;

/** The service has as many streams of this token open as it may have. */
class FullError extends Error {}

/** A hidden window's timers run once a minute; only what is late by more than that was asleep. */
const ASLEEP_MS = 90_000;
const LOOKS_EVERY_MS = 5_000;

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

/**
 * Reads a world's live feed with fetch, because EventSource cannot send a token. Reconnects by itself, resumes after
 * the last entry it saw, and looks anew when the machine has slept.
 */
export const openLiveFeed = (world: string, token: string, handlers: LiveFeedHandlers) => {
  let lastId: string | null = null;
  let failures = 0;
  let ended = false;
  let waiting = false;
  let heardAt = Date.now();
  /** The newest entry when a first connection opened: what was read before is read again then, so it is no news. */
  let heldAtFirst = 0;
  let abort = new AbortController();
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let batch: LiveEntry[] = [];
  let frame = 0;

  const flush = () => {
    frame = 0;
    const entries = batch;
    batch = [];
    if (entries.length > 0) handlers.onEntries(entries);
  };
  const heard = () => {
    heardAt = Date.now();
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(), SILENCE_MS);
  };

  const take = ({ id, event, data }: EventSourceMessage) => {
    if (event === "ready") {
      failures = 0;
      const ready = JSON.parse(data) as LiveControl["ready"];
      handlers.onReady(ready, lastId === null);
      heldAtFirst = lastId === null ? ready.last_id : 0;
      return;
    }
    if (event === "reset") {
      lastId = null;
      batch = [];
      handlers.onReset(JSON.parse(data) as LiveControl["reset"]);
      return;
    }
    if (event === "dropped") {
      abort.abort();
      return;
    }
    if (id !== undefined) lastId = id;
    const entry = JSON.parse(data) as LiveEntry;
    if (entry.id <= heldAtFirst) return;
    batch.push(entry);
    // A hidden window gets no frames; entries must not pile up in it.
    if (document.visibilityState === "hidden") flush();
    else frame ||= requestAnimationFrame(flush);
  };

  const read = async (): Promise<void> => {
    abort = new AbortController();
    heard();
    const response = await fetch(`/__sandbox/live?world=${encodeURIComponent(world)}`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
        ...(lastId === null ? {} : { "last-event-id": lastId }),
      },
      cache: "no-store",
      signal: abort.signal,
    });
    if (response.status === 401) {
      if (!ended) handlers.onRefused();
      ended = true;
      return;
    }
    if (response.status === 404 && !ended) handlers.onMissing();
    if (response.status === 429) {
      const said = (await response.json().catch(() => null)) as { readonly message?: string } | null;
      throw new FullError(said?.message ?? "The service opens no further live feed now.");
    }
    if (!response.ok || !response.body) throw new Error(`live feed: ${response.status}`);
    const parser = createParser({ onEvent: take });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || ended) return;
      heard();
      parser.feed(value);
    }
  };

  const run = async () => {
    clearTimeout(retryTimer);
    waiting = false;
    let why: string | null = null;
    try {
      await read();
    } catch (error) {
      // Whatever broke it, the answer is the same: try again.
      if (error instanceof FullError) why = error.message;
    }
    clearTimeout(silence);
    if (ended) return;
    const wait = backoff(failures++);
    handlers.onDown(Date.now() + wait, why);
    waiting = true;
    retryTimer = setTimeout(() => void run(), wait);
  };

  /** Connects at once where it waits to connect again. */
  const retry = () => {
    if (waiting && !ended) void run();
  };
  /** What looks open may be dead: only a connection that was just heard of is trusted. */
  const lookAnew = () => {
    if (waiting) retry();
    else if (Date.now() - heardAt > QUIET_MS) abort.abort();
  };
  const seen = () => {
    if (document.visibilityState === "visible") lookAnew();
  };
  const awake = watchSleep(lookAnew);
  window.addEventListener("online", lookAnew);
  document.addEventListener("visibilitychange", seen);
  void run();

  return {
    retry,
    close: () => {
      ended = true;
      clearTimeout(retryTimer);
      clearTimeout(silence);
      cancelAnimationFrame(frame);
      awake();
      window.removeEventListener("online", lookAnew);
      document.removeEventListener("visibilitychange", seen);
      abort.abort();
    },
  };
};
