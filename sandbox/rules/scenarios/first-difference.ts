import { pointer } from "../../contract/json-pointer.ts";

/** First difference of two JSON values. `undefined` stands for a missing value. */
export interface Difference {
  /** JSON Pointer; empty for the root. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
const at = (value: object, key: string | number): unknown =>
  Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/**
 * First difference of two JSON values, in the order of `expected`; null if they are equal.
 *
 * @param stands compares a matcher that accepts many values; undefined for plain JSON. With it, objects in `got` may
 * have additional keys
 */
export const firstDifference = (
  expected: unknown,
  got: unknown,
  path = "",
  stands?: (expected: unknown, got: unknown) => boolean | undefined,
): Difference | null => {
  const special = stands?.(expected, got);
  if (special !== undefined) return special ? null : { path, expected, got };
  if (!isContainer(expected) || !isContainer(got) || Array.isArray(expected) !== Array.isArray(got))
    return Object.is(expected, got) || expected === got ? null : { path, expected, got };
  const more = stands ? [] : Object.keys(got);
  const keys =
    Array.isArray(expected) && Array.isArray(got)
      ? Array(Math.max(expected.length, got.length)).keys()
      : new Set([...Object.keys(expected), ...more]);
  for (const key of keys) {
    const found = firstDifference(at(expected, key), at(got, key), "", stands);
    // Builds the path only on a difference, because nearly all values are equal.
    if (found) return { ...found, path: pointer(path, key) + found.path };
  }
  return null;
};
