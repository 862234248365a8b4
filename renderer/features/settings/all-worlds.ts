import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-rows.ts";

/** One file with every world: their documents as `snapshots.export` makes them. */
export interface WorldsFile {
  readonly format: "integrations-explorer-worlds";
  readonly format_version: 1;
  readonly exported_at: string;
  readonly redacted: boolean;
  readonly worlds: readonly WorldDocument[];
}

export const worldsFile = (worlds: readonly WorldDocument[], redacted: boolean, now: Date): WorldsFile => ({
  format: "integrations-explorer-worlds",
  format_version: 1,
  exported_at: now.toISOString(),
  redacted,
  worlds,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of a world the service says what is wrong with it; here it only must be one. */
const isDocument = (value: unknown): value is WorldDocument =>
  isRecord(value) && value.format === "integrations-explorer-world" && Array.isArray(value.tables);

/**
 * The worlds in a file, which may be one of all or one world’s own.
 *
 * @throws Error with a sentence for the person who chose the file
 */
export const readWorldsFile = (name: string, text: string): readonly WorldDocument[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${name} isn’t an exported file: it isn’t complete JSON.`);
  }
  if (isDocument(value)) return [value];
  if (!isRecord(value) || value.format !== "integrations-explorer-worlds" || !Array.isArray(value.worlds))
    throw new Error(
      `${name} isn’t an exported file. Choose a file saved with “Export everything” or with “Export” of a world.`,
    );
  if (value.format_version !== 1)
    throw new Error(`${name} was saved by another version of Integrations Explorer. This version can’t read it.`);
  const worlds: readonly unknown[] = value.worlds;
  const odd = worlds.findIndex((world) => !isDocument(world));
  if (odd >= 0) throw new Error(`${name} can’t be read: entry ${odd + 1} isn’t a world.`);
  return worlds.filter(isDocument);
};
