import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import { readFailures } from "./failures-in-feed.ts";

/** A failed delivery and its world. */
export interface FailedDelivery {
  readonly world: string;
  readonly delivery: DeliveryRow;
}

/** Watches the live feeds of worlds. */
interface FailureReader {
  /** Replaces the watched worlds. A deleted one is requested once more, because it may exist again. */
  follow(worlds: ReadonlySet<string>): void;
}

const againAfterMs = 2000;
/** The service's status for a deleted world; stops the retries every two seconds. */
const NO_SUCH_WORLD = 404;

/** @param onFailure called once for each failed delivery in a watched world */
export function followFailures(
  baseUrl: string,
  token: string,
  onFailure: (failed: FailedDelivery) => void,
): FailureReader {
  const followed = new Map<string, AbortController>();

  async function readFeed(world: string, signal: AbortSignal): Promise<void> {
    const feed = readFailures((delivery) => onFailure({ world, delivery }));
    while (!signal.aborted) {
      try {
        const { lastId } = feed;
        const response = await fetch(`${baseUrl}/__sandbox/live?world=${encodeURIComponent(world)}`, {
          headers: { authorization: `Bearer ${token}`, ...(lastId === null ? {} : { "last-event-id": `${lastId}` }) },
          signal,
        });
        if (response.status === NO_SUCH_WORLD) {
          if (!signal.aborted) followed.delete(world);
          return;
        }
        feed.connected();
        const decoder = new TextDecoder();
        for await (const bytes of response.body ?? []) feed.read(decoder.decode(bytes, { stream: true }));
      } catch {
        // Disconnected or not available yet: the retry continues after the last entry.
      }
      await new Promise((resolve) => setTimeout(resolve, againAfterMs).unref());
    }
  }

  return {
    follow(worlds) {
      for (const [world, reader] of followed) {
        if (worlds.has(world)) continue;
        reader.abort();
        followed.delete(world);
      }
      for (const world of worlds) {
        if (followed.has(world)) continue;
        const reader = new AbortController();
        followed.set(world, reader);
        void readFeed(world, reader.signal);
      }
    },
  };
}
