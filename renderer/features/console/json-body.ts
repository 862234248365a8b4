import { applyEdits, findNodeAtLocation, format, type JSONPath, modify, type Node, parseTree } from "jsonc-parser";
import type { Path } from "../../lib/json-text.ts";
import { NumberText } from "../../lib/parsed-json.ts";

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

/** What stands at a path of a text, as it is written there; undefined where nothing does. */
export const writtenIn = (text: string): ((path: Path) => string | undefined) => {
  const root = parseTree(text);
  return (path) => {
    const node = root && findNodeAtLocation(root, [...path]);
    return node && text.slice(node.offset, node.offset + node.length);
  };
};

const layout = { insertSpaces: true, tabSize: 2, eol: "\n" } as const;

/**
 * The text with another value at a path, the rest as it was written; undefined takes the field or the item away, a
 * {@link NumberText} is written as it is.
 *
 * @param order names of the fields beside it in the order they are declared in: a new one is put in its place
 */
export const withValue = (text: string, path: Path, value: unknown, order: readonly string[] = []): string => {
  if (value instanceof NumberText) {
    const there = withValue(text, path, 0, order);
    const node = findNodeAtLocation(parseTree(there) as Node, [...path]);
    return node ? there.slice(0, node.offset) + value.text + there.slice(node.offset + node.length) : there;
  }
  const whole = text.trim() === "" ? "{}" : text;
  const name = path.at(-1);
  const before = new Set(order.slice(0, Math.max(0, order.indexOf(String(name)))));
  const getInsertionIndex = (there: string[]): number => there.findLastIndex((one) => before.has(one)) + 1;
  const inPlace = typeof name === "string" && order.includes(name) ? { getInsertionIndex } : {};
  return applyEdits(whole, modify(whole, [...path] as JSONPath, value, { formattingOptions: layout, ...inPlace }));
};

/**
 * The text with two spaces for each level. Its edits are in order and are made in one go: one after the other, a large
 * text would be copied for each.
 */
export const formatted = (text: string): string => {
  let at = 0;
  const pieces = format(text, undefined, layout).flatMap(({ offset, length, content }) => {
    const before = text.slice(at, offset);
    at = offset + length;
    return [before, content];
  });
  return pieces.join("") + text.slice(at);
};
