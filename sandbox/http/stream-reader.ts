import type { ServerResponse } from "node:http";
import type { Reader } from "../live-feed/live-feed.ts";

/** How long a reader whose stream has ended may take what is on its way; then its connection is cut. */
const LAST_WORDS_MS = 10_000;

/** A response that stays open, as a reader of the live feed. */
export const streamReader = (raw: ServerResponse): Reader => ({
  write: (bytes) => {
    raw.write(bytes);
    return raw.writableLength;
  },
  onDrain: (run) => void raw.on("drain", run),
  end: () => {
    raw.end();
    // One that takes nothing at all would keep what waits for it for ever.
    const timer = setTimeout(() => raw.destroy(), LAST_WORDS_MS).unref();
    raw.once("close", () => clearTimeout(timer));
  },
});
