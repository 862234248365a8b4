import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import { readFailures } from "./failures-in-feed.ts";

/** A delivery that was given up, and the world it happened in. */
export interface FailedDelivery {
  readonly world: string;
  readonly delivery: DeliveryRow;
}

/** Follows the live feeds of worlds. */
export interface FailureReader {
  /** From now on these worlds, and no others. One that was deleted is asked for once more, as it may have been created again. */
  follow(worlds: ReadonlySet<string>): void;
}

const againAfterMs = 2000;
/** The service's answer for a world that was deleted, which would be the same every two seconds. */
const NO_SUCH_WORLD = 404;

/** @param onFailure called once for each delivery that is given up in a followed world */
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
        // Broken off, ended or not there yet: it goes on after the last entry it saw.
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
