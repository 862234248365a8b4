import type { Path } from "../../lib/json-text.ts";

/** A text as JSON; null where it is none. Nothing counts as an empty object, as the service counts it. */
export const parsed = (text: string): { readonly value: unknown } | null => {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** What stands at a path; undefined where nothing does. */
export const valueAt = (value: unknown, path: Path): unknown => {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
};
