/** D85: a world was to be read that is not there. */
export class NoSuchWorldError extends Error {
  constructor(name: string, nearest: readonly string[]) {
    const meant = nearest.length === 0 ? "A call with a key creates it." : `Did you mean ${nearest.join(", ")}?`;
    super(`World ${name} doesn’t exist. ${meant}`);
    this.name = "NoSuchWorldError";
  }
}

/** D85: there are as many worlds as there may be. */
export class TooManyWorldsError extends Error {
  constructor(most: number) {
    super(`The limit of ${most} worlds is reached. Use an existing world, or delete one.`);
    this.name = "TooManyWorldsError";
  }
}
