import type { LiveControl, LiveEntry } from "../contract/live.ts";

const entryText = (entry: LiveEntry): string =>
  `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`;

/** Entries as they go over the wire (server-sent events). */
export const entryBytes = (entries: readonly LiveEntry[]): Buffer => Buffer.from(entries.map(entryText).join(""));

/** A named message that is no entry of the log. */
export const controlBytes = <K extends keyof LiveControl>(name: K, data: LiveControl[K]): Buffer =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
