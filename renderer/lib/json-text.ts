import { applyEdits, findNodeAtLocation, getLocation, type JSONPath, modify, type Node, parseTree } from "jsonc-parser";
import { parsePointer, pointer as pointerTo } from "../../sandbox/contract/json-pointer.ts";
import { fieldIn } from "./field-in.ts";
import { NumberText, parsedJson } from "./parsed-json.ts";

/** A step is the name of a field, or the index of an item. */
export type Path = readonly (string | number)[];

export const toPointer = (path: Path): string => path.reduce(pointerTo, "");

/** Returns the path of a pointer in a value: a step within a list is a number. */
export const pathIn = (value: unknown, pointer: string): Path => {
  let at = value;
  return parsePointer(pointer).map((step) => {
    const own = Array.isArray(at) ? Number(step) : step;
    at = fieldIn(at, step);
    return own;
  });
};

const nodeAt = (root: Node, pointer: string): Node => {
  let node = root;
  for (const step of parsePointer(pointer)) {
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

/** Returns the range of a pointer's field in a text, name included. A missing field has the start of its parent. */
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

export const pointerAt = (text: string, offset: number): string => toPointer(getLocation(text, offset).path);

/** Returns the literal text of the value at a path; undefined without one. */
export const writtenIn = (text: string): ((path: Path) => string | undefined) => {
  const root = parseTree(text);
  return (path) => {
    const node = root && findNodeAtLocation(root, [...path]);
    return node && text.slice(node.offset, node.offset + node.length);
  };
};

const layout = { insertSpaces: true, tabSize: 2, eol: "\n" } as const;

/**
 * Returns the text with another value at a path and the rest unchanged. Undefined removes the field or the item; a
 * {@link NumberText} is written literally.
 *
 * @param order names of the sibling fields in declaration order: a new field is inserted in its place
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
 * A token of JSON: an escape, a quote, a mark, space, or text between them. A pattern for whole strings would overflow
 * on long ones.
 */
const PIECE = /\\.|"|[{}[\],:]|\s+|[^\\"{}[\],:\s]+/g;

/**
 * Formats JSON with two spaces for each level and keeps everything else literal: numbers, and duplicate fields. Invalid
 * JSON is returned unchanged.
 */
export const laidOut = (text: string): string => {
  if (parsedJson(text) === undefined) return text;
  let isString = false;
  let depth = 0;
  let before = "";
  const laid = (piece: string): string => {
    if (piece === '"') isString = !isString;
    else if (isString) return piece;
    if (piece.trim() === "") return "";
    const isClosing = piece === "}" || piece === "]";
    const isFirst = before === "{" || before === "[";
    if (isClosing) depth -= 1;
    const isOnNewLine = before === "," || isFirst !== isClosing;
    const lead = isOnNewLine ? `\n${"  ".repeat(depth)}` : "";
    if (piece === "{" || piece === "[") depth += 1;
    before = piece;
    return lead + (piece === ":" ? ": " : piece);
  };
  return (text.match(PIECE) ?? []).map(laid).join("");
};
