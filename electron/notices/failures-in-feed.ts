import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import type { LiveControl, LiveEntry } from "../../sandbox/contract/live.ts";

/** Reads a world's live feed across connections. */
export interface FeedReader {
  /** `Last-Event-ID` for the next connection; null: no entry was seen. */
  readonly lastId: number | null;
  connected(): void;
  /** Reads a chunk of the stream; chunks may end anywhere. */
  read(text: string): void;
}

/** @param onFailure called for each delivery that fails after the first connection */
export function readFailures(onFailure: (delivery: DeliveryRow) => void): FeedReader {
  let lastId: number | null = null;
  /** The newest entry at the start of the connection, until another one arrives. */
  let newestAtStart: number | null = null;
  let rest = "";

  /** Parses a message of the service: `id`, `event` and `data`, one line each. */
  function readMessage(message: string): void {
    const [, id] = /^id: (\d+)$/m.exec(message) ?? [];
    const [, kind] = /^event: (\w+)$/m.exec(message) ?? [];
    const [, data = ""] = /^data: (.*)$/m.exec(message) ?? [];
    if (kind === "ready") {
      newestAtStart = (JSON.parse(data) as LiveControl["ready"]).last_id;
      // The first connection repeats the newest entries, which aren't new failures.
      lastId ??= newestAtStart;
    }
    // Either the gap was too long and the newest entries follow, or the world was reset and its IDs restart.
    if (kind === "reset") lastId = newestAtStart;
    if (id === undefined || (lastId !== null && Number(id) <= lastId)) return;
    lastId = Number(id);
    newestAtStart = null;
    // Parses only failed deliveries: a busy world sends mostly other entries.
    if (kind !== "delivery" || !data.includes('"status":"failed"')) return;
    const entry = JSON.parse(data) as LiveEntry;
    if (entry.kind === "delivery" && entry.data.status === "failed") onFailure(entry.data);
  }

  return {
    get lastId() {
      return lastId;
    },
    connected() {
      rest = "";
    },
    read(text) {
      const messages = (rest + text).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) readMessage(message);
    },
  };
}
