import { pointer as pointerTo } from "../../sandbox/contract/json-pointer.ts";
import { NumberText } from "./parsed-json.ts";

/** A difference between two JSON values; `path` is readable: `offered_items[0].trade_price`. */
export interface Difference {
  readonly path: string;
  readonly pointer: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before: unknown;
  readonly after: unknown;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

const pathStep = (path: string, key: string | number) =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;

interface Part {
  readonly step: string | number;
  readonly value: unknown;
}

const isIdentified = (list: readonly unknown[]): list is readonly { readonly id: string }[] =>
  list.every((item) => isObject(item) && typeof item.id === "string") &&
  new Set(list.map((item) => isObject(item) && item.id)).size === list.length;

/** Matches rows by `id` if all rows of both lists have one, so that an insertion at the front is one difference. */
const rowsOf = (list: readonly unknown[], other: readonly unknown[]): Map<unknown, Part> => {
  const byId = isIdentified(list) && isIdentified(other);
  return new Map(list.map((value, step) => [byId ? list[step]?.id : step, { step, value }]));
};
const fieldsOf = (object: Record<string, unknown>): Map<unknown, Part> =>
  new Map(Object.entries(object).map(([step, value]) => [step, { step, value }]));

/** Returns every path at which `before` and `after` differ, in reading order; empty if they are equal. */
export const differences = (before: unknown, after: unknown, path = "", pointer = ""): Difference[] => {
  if (Object.is(before, after)) return [];
  if (before instanceof NumberText && after instanceof NumberText && before.text === after.text) return [];
  if (Array.isArray(before) && Array.isArray(after))
    return between(rowsOf(before, after), rowsOf(after, before), path, pointer);
  if (isObject(before) && isObject(after)) return between(fieldsOf(before), fieldsOf(after), path, pointer);
  return [{ path, pointer, kind: "changed", before, after }];
};

const between = (old: Map<unknown, Part>, fresh: Map<unknown, Part>, path: string, pointer: string): Difference[] =>
  [...new Map([...fresh, ...old])].flatMap(([key, part]) => {
    const [was, is] = [old.get(key), fresh.get(key)];
    const { step } = is ?? part;
    const at = { path: pathStep(path, step), pointer: pointerTo(pointer, step) };
    if (was && is) return differences(was.value, is.value, at.path, at.pointer);
    return [{ ...at, kind: was ? "removed" : "added", before: was?.value, after: is?.value }];
  });
