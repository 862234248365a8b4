/** Where two JSON values differ first. `undefined` stands for what is not there. */
export interface Difference {
  /** A JSON Pointer; empty for the values themselves. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export interface Comparing {
  /** Whether `got` may have keys that are not expected. */
  readonly moreKeys: boolean;
  /** Compares what is no plain JSON; undefined where it is. */
  readonly special?: (expected: unknown, got: unknown, path: string) => Difference | null | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const below = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const ofArrays = (
  expected: readonly unknown[],
  got: readonly unknown[],
  comparing: Comparing,
  path: string,
): Difference | null => {
  for (let index = 0; index < Math.max(expected.length, got.length); index += 1) {
    const found = firstDifference(expected[index], got[index], comparing, below(path, index));
    if (found) return found;
  }
  return null;
};

const ofObjects = (
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  comparing: Comparing,
  path: string,
): Difference | null => {
  for (const [key, value] of Object.entries(expected)) {
    const found = firstDifference(value, Object.hasOwn(got, key) ? got[key] : undefined, comparing, below(path, key));
    if (found) return found;
  }
  const more = comparing.moreKeys ? undefined : Object.keys(got).find((key) => !Object.hasOwn(expected, key));
  return more === undefined ? null : { path: below(path, more), expected: undefined, got: got[more] };
};

/** The first path, in the order of what is expected, at which two JSON values differ; null when they do not. */
export const firstDifference = (
  expected: unknown,
  got: unknown,
  comparing: Comparing = { moreKeys: false },
  path = "",
): Difference | null => {
  const special = comparing.special?.(expected, got, path);
  if (special !== undefined) return special;
  if (Array.isArray(expected) && Array.isArray(got)) return ofArrays(expected, got, comparing, path);
  if (isObject(expected) && isObject(got)) return ofObjects(expected, got, comparing, path);
  return Object.is(expected, got) || expected === got ? null : { path, expected, got };
};
