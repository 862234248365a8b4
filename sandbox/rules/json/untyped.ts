/** The JSON of a text of whatever kind; undefined: it is none. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A value inside a value of whatever shape, by its path: `with.world`. */
export const readField = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Readonly<Record<string, unknown>>)[name]
          : undefined,
      value,
    );

/** The same, where it is text. */
export const textAt = (value: unknown, path: string): string | undefined => {
  const found = readField(value, path);
  return typeof found === "string" ? found : undefined;
};
