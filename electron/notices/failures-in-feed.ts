import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import type { LiveControl, LiveEntry } from "../../sandbox/contract/live.ts";

/** Reads one world's live feed, over as many connections as it takes. */
export interface FeedReader {
  /** What `Last-Event-ID` says when the feed is connected to again; null: nothing was seen yet. */
  readonly lastId: number | null;
  /** A new connection begins. */
  connected(): void;
  /** Reads text of the stream, cut anywhere. */
  read(text: string): void;
}

/** @param onFailure called for each delivery that is given up after the first connection; never for one from before */
export function readFailures(onFailure: (delivery: DeliveryRow) => void): FeedReader {
  let lastId: number | null = null;
  /** The newest entry there was when the connection began, while none has come over it. */
  let newestAtStart: number | null = null;
  let rest = "";

  /** One message as the service writes it: `id`, `event` and `data`, a line each. */
  function readMessage(message: string): void {
    const [, id] = /^id: (\d+)$/m.exec(message) ?? [];
    const [, kind] = /^event: (\w+)$/m.exec(message) ?? [];
    const [, data = ""] = /^data: (.*)$/m.exec(message) ?? [];
    if (kind === "ready") {
      newestAtStart = (JSON.parse(data) as LiveControl["ready"]).last_id;
      // A first connection is shown the newest entries again.
      lastId ??= newestAtStart;
    }
    // Either the gap was too long and the newest entries follow, or the world begins anew and counts from one.
    if (kind === "reset") lastId = newestAtStart;
    if (id === undefined || (lastId !== null && Number(id) <= lastId)) return;
    lastId = Number(id);
    newestAtStart = null;
    // Most entries of a busy world are something else; parsing them all would cost as much as writing them did.
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
