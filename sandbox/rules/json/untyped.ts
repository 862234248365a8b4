/** Parses a text; undefined if it isn't JSON. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Nested value at a path such as `with.world`, in a value of any shape. */
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

/** Nested string at a path; undefined for other types. */
export const readText = (value: unknown, path: string): string | undefined => {
  const found = readField(value, path);
  return typeof found === "string" ? found : undefined;
};
