export const DEFAULT_WORLD = "default";

export const MAX_NAME_CHARS = 64;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** D81: 1 to 64 letters, digits, dots, underscores and hyphens. */
export const isWorldName = (name: string): boolean => NAME.test(name);

/**
 * File name of a world. Capitals become `+` and the small letter, so names differ even on file systems that fold case.
 * The prefix prevents `..` and Windows device names.
 *
 * @throws for an invalid name that may lead out of the folder, because a shared database may hold any text
 */
export const worldFileName = (name: string): string => {
  if (!isWorldName(name)) throw new Error(`${JSON.stringify(name)} is not the name of a world`);
  return `w-${name.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`)}.sqlite`;
};

/** World of a file; null if the file isn't a world's. */
export const parseWorldFile = (file: string): string | null => {
  const match = /^w-([a-z0-9._+-]+)\.sqlite$/.exec(file);
  const name = match?.[1]?.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return name && isWorldName(name) ? name : null;
};

/** Remedy for a call that belongs in another world. */
export const describeWorldRemedy = (world: string): string =>
  world === DEFAULT_WORLD
    ? "Send the call without `x-sandbox-tenant`: it is meant for the world `default`."
    : `Send \`x-sandbox-tenant: ${world}\` with the call.`;
