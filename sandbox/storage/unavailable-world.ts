import { OtherVersionError } from "./migrate.ts";

/** Partners read it: no path of this machine is in it. */
const sentenceOf = (world: string, cause: unknown): string => {
  if (!(cause instanceof OtherVersionError)) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `The world ${world} can’t be used: ${reason}. Reset it, restore a snapshot, or delete it. Other worlds are not affected.`;
  }
  return cause.age === "newer"
    ? `The world ${world} was written by a newer version of Integrations Explorer. Update Integrations Explorer, or use another world.`
    : `The world ${world} was made by an earlier build of Integrations Explorer, which this one does not read. Move its file away, or use another world.`;
};

/** D87: a world's file cannot be opened, or says of the world what makes no sense. The others go on. */
export class UnavailableWorldError extends Error {
  /** @param cause what opening it failed with */
  constructor(world: string, cause: unknown) {
    super(sentenceOf(world, cause), { cause });
    this.name = "UnavailableWorldError";
  }
}
