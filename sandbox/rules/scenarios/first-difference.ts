import { pointer } from "../../contract/json-pointer.ts";

/** Where two JSON values differ first. `undefined` stands for what is not there. */
export interface Difference {
  /** A JSON Pointer; empty for the values themselves. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
const at = (value: object, key: string | number): unknown =>
  Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/**
 * The first path, in the order of what is expected, at which two JSON values differ; null when they do not.
 *
 * @param stands compares what stands for many values; undefined where it is plain JSON. With it objects of `got` may have
 *   keys that are not expected
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
    // Nearly everything is equal: a path is made where something is not.
    if (found) return { ...found, path: pointer(path, key) + found.path };
  }
  return null;
};
