export const DEFAULT_WORLD = "default";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** D81: 1 to 64 of letters, digits, dot, underscore and hyphen. */
export const isWorldName = (name: string): boolean => NAME.test(name);

/**
 * The file a world lives in. Names that differ only in case must not meet on a file system that folds case, and a
 * name must not be able to be `..` or a device name of Windows: capitals are written as `+` and the small letter.
 *
 * @throws for what is no world's name and may lead out of the folder: a row of a shared database may have any
 */
export const worldFileName = (name: string): string => {
  if (!isWorldName(name)) throw new Error(`${JSON.stringify(name)} is not the name of a world`);
  return `w-${name.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`)}.sqlite`;
};

/** The world a file belongs to, or null when the file is no world's. */
export const worldOfFile = (file: string): string | null => {
  const match = /^w-([a-z0-9._+-]+)\.sqlite$/.exec(file);
  const name = match?.[1]?.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return name && isWorldName(name) ? name : null;
};
