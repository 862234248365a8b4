/** D85: a read names a world that doesn't exist. */
export class NoSuchWorldError extends Error {
  constructor(name: string, nearest: readonly string[]) {
    const meant = nearest.length === 0 ? "A call with a key creates it." : `Did you mean ${nearest.join(", ")}?`;
    super(`World ${name} doesn’t exist. ${meant}`);
    this.name = "NoSuchWorldError";
  }
}

/** D85: the limit of worlds is reached. */
export class TooManyWorldsError extends Error {
  constructor(most: number) {
    super(`The limit of ${most} worlds is reached. Use an existing world, or delete one.`);
    this.name = "TooManyWorldsError";
  }
}
