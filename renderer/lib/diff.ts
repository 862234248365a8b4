/** One place where two JSON values differ; `path` is written as people say it: `offered_items[0].trade_price`. */
export interface Difference {
  readonly path: string;
  readonly pointer: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before: unknown;
  readonly after: unknown;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pointerStep = (key: string | number) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
const pathStep = (path: string, key: string | number) =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;

/** Rows of a list are compared by their `id` where all have one, so that an insertion in front is one difference, not all. */
const identified = (list: readonly unknown[]): Map<string, unknown> | null => {
  const byId = new Map<string, unknown>();
  for (const item of list) {
    if (!isObject(item) || typeof item.id !== "string" || byId.has(item.id)) return null;
    byId.set(item.id, item);
  }
  return byId;
};

/** Every path at which `before` and `after` differ, in reading order; an empty list when they are equal. */
export const differences = (before: unknown, after: unknown, path = "", pointer = ""): Difference[] => {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return inLists(before, after, path, pointer);
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...keys].flatMap((key) => inKey(before, after, key, pathStep(path, key), pointer + pointerStep(key)));
  }
  return [{ path, pointer, kind: "changed", before, after }];
};

const inKey = (
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  key: string,
  path: string,
  pointer: string,
): Difference[] => {
  if (!Object.hasOwn(before, key)) return [{ path, pointer, kind: "added", before: undefined, after: after[key] }];
  if (!Object.hasOwn(after, key)) return [{ path, pointer, kind: "removed", before: before[key], after: undefined }];
  return differences(before[key], after[key], path, pointer);
};

const inLists = (
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  pointer: string,
): Difference[] => {
  const old = identified(before);
  const fresh = identified(after);
  const found: Difference[] = [];
  after.forEach((item, index) => {
    const at = [pathStep(path, index), pointer + pointerStep(index)] as const;
    const id = isObject(item) ? String(item.id) : "";
    const known = old && fresh ? old.has(id) : index < before.length;
    if (known) found.push(...differences(old && fresh ? old.get(id) : before[index], item, ...at));
    else found.push({ path: at[0], pointer: at[1], kind: "added", before: undefined, after: item });
  });
  before.forEach((item, index) => {
    const gone = old && fresh ? isObject(item) && !fresh.has(String(item.id)) : index >= after.length;
    if (gone)
      found.push({
        path: pathStep(path, index),
        pointer: pointer + pointerStep(index),
        kind: "removed",
        before: item,
        after: undefined,
      });
  });
  return found;
};
