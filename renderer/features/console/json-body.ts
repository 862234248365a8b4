import type { Path } from "../../lib/json-text.ts";

/** Parses JSON; null when invalid. Empty text is an empty object, as for the service. */
export const parsed = (text: string): { readonly value: unknown } | null => {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** Returns the value at a path, or undefined. */
export const valueAt = (value: unknown, path: Path): unknown => {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
};
