import { OtherVersionError } from "./migrate.ts";

/** Partners read this text, so it contains no local path. */
const unavailableSentence = (world: string, cause: unknown): string => {
  if (!(cause instanceof OtherVersionError)) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `The world ${world} can’t be used: ${reason}. Reset it, restore a snapshot, or delete it. Other worlds are not affected.`;
  }
  return cause.age === "newer"
    ? `The world ${world} was written by a newer version of Integrations Explorer. Update Integrations Explorer, or use another world.`
    : `The world ${world} was made by an earlier build of Integrations Explorer, which this one does not read. Move its file away, or use another world.`;
};

/** D87: a world's file can't be opened or is inconsistent. Other worlds keep working. */
export class UnavailableWorldError extends Error {
  /** @param cause error of the failed opening */
  constructor(world: string, cause: unknown) {
    super(unavailableSentence(world, cause), { cause });
    this.name = "UnavailableWorldError";
  }
}
