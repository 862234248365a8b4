import {
  applyEdits,
  findNodeAtLocation,
  format,
  getLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from "jsonc-parser";
import { NumberText } from "./parsed-json.ts";

/** A step is the name of a field, or the place of an item. */
export type Path = readonly (string | number)[];

const escaped = (step: string | number): string => String(step).replaceAll("~", "~0").replaceAll("/", "~1");

export const pointerOf = (path: Path): string => path.map((step) => `/${escaped(step)}`).join("");

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
const stepsOf = (pointer: string): string[] => pointer.split("/").slice(1).map(unescaped);

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

const nodeAt = (root: Node, pointer: string): Node => {
  let node = root;
  for (const step of stepsOf(pointer)) {
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(step) : step]);
    if (next === undefined) break;
    node = next;
  }
  return node;
};

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where in a text the field of a pointer stands, its name included; of a missing one what lacks it, at its begin. */
export const rangesIn = (text: string): ((pointer: string) => TextRange) => {
  const root = parseTree(text);
  return (pointer) => {
    if (root === undefined) return { from: 0, to: text.length };
    const node = nodeAt(root, pointer);
    const named = node.parent?.type === "property" ? node.parent : node;
    const isLong = node.type === "object" || node.type === "array";
    return { from: named.offset, to: isLong ? node.offset + 1 : node.offset + node.length };
  };
};

/** The pointer to what stands at a place of the text. */
export const pointerAt = (text: string, offset: number): string => pointerOf(getLocation(text, offset).path);
