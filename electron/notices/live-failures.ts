import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import { readFailures } from "./failures-in-feed.ts";

/** A delivery that was given up, and the world it happened in. */
export interface FailedDelivery {
  readonly world: string;
  readonly delivery: DeliveryRow;
}

/** Follows the live feeds of worlds. */
export interface FailureWatch {
  /** From now on these worlds, and no others. */
  watch(worlds: ReadonlySet<string>): void;
}

const againAfterMs = 2000;

/** @param onFailure called once for each delivery that is given up in a watched world */
export function watchFailures(
  baseUrl: string,
  token: string,
  onFailure: (failed: FailedDelivery) => void,
): FailureWatch {
  const watched = new Map<string, AbortController>();

  async function follow(world: string, signal: AbortSignal): Promise<void> {
    const feed = readFailures((delivery) => onFailure({ world, delivery }));
    while (!signal.aborted) {
      try {
        const { lastId } = feed;
        const response = await fetch(`${baseUrl}/__sandbox/live?world=${encodeURIComponent(world)}`, {
          headers: { authorization: `Bearer ${token}`, ...(lastId === null ? {} : { "last-event-id": `${lastId}` }) },
          signal,
        });
        feed.connected();
        const decoder = new TextDecoder();
        for await (const bytes of response.body ?? []) feed.take(decoder.decode(bytes, { stream: true }));
      } catch {
        // Broken off, ended or not there yet: it goes on after the last entry it saw.
      }
      await new Promise((resolve) => setTimeout(resolve, againAfterMs).unref());
    }
  }

  return {
    watch(worlds) {
      for (const [world, reader] of watched) {
        if (worlds.has(world)) continue;
        reader.abort();
        watched.delete(world);
      }
      for (const world of worlds) {
        if (watched.has(world)) continue;
        const reader = new AbortController();
        watched.set(world, reader);
        void follow(world, reader.signal);
      }
    },
  };
}
