import { pointer as pointerTo } from "../../sandbox/contract/json-pointer.ts";
import { NumberText } from "./parsed-json.ts";

/** JSON as foldable lines. Pure, so that the view only draws. */
type TokenKind = "key" | "string" | "number" | "boolean" | "null" | "punctuation" | "folded";
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}
export interface JsonLine {
  readonly pointer: string;
  readonly depth: number;
  readonly tokens: readonly Token[];
  /** State of a line that opens a non-empty object or array; else null. */
  readonly fold: "open" | "folded" | null;
}

const mark = (text: string): Token => ({ kind: "punctuation", text });

const scalar = (value: unknown): Token => {
  if (value === null || value === undefined) return { kind: "null", text: "null" };
  if (typeof value === "string") return { kind: "string", text: JSON.stringify(value) };
  if (value instanceof NumberText) return { kind: "number", text: value.text };
  if (typeof value === "number") return { kind: "number", text: String(value) };
  return { kind: "boolean", text: String(value) };
};

const childrenOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> | null => {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item] as const);
  return typeof value === "object" && value !== null && !(value instanceof NumberText) ? Object.entries(value) : null;
};

const foldedWord = (isList: boolean, count: number) =>
  isList ? `${count} ${count === 1 ? "item" : "items"}` : `${count} ${count === 1 ? "field" : "fields"}`;

/** Returns the lines of a value; `folded` holds the pointers (RFC 6901, "" for the root) that are folded. */
export const jsonLines = (value: unknown, folded: ReadonlySet<string>): JsonLine[] => {
  const lines: JsonLine[] = [];
  const walk = (
    item: unknown,
    pointer: string,
    depth: number,
    lead: readonly Token[],
    tail: readonly Token[],
  ): void => {
    const children = childrenOf(item);
    const isList = Array.isArray(item);
    const [open, close] = isList ? ["[", "]"] : ["{", "}"];
    if (!children) lines.push({ pointer, depth, tokens: [...lead, scalar(item), ...tail], fold: null });
    else if (children.length === 0)
      lines.push({ pointer, depth, tokens: [...lead, mark(open + close), ...tail], fold: null });
    else if (folded.has(pointer)) {
      const word: Token = { kind: "folded", text: foldedWord(isList, children.length) };
      lines.push({ pointer, depth, tokens: [...lead, mark(open), word, mark(close), ...tail], fold: "folded" });
    } else {
      lines.push({ pointer, depth, tokens: [...lead, mark(open)], fold: "open" });
      children.forEach(([key, child], index) => {
        const name: Token[] = isList ? [] : [{ kind: "key", text: JSON.stringify(key) }, mark(": ")];
        walk(child, pointerTo(pointer, key), depth + 1, name, index < children.length - 1 ? [mark(",")] : []);
      });
      lines.push({ pointer, depth, tokens: [mark(close), ...tail], fold: null });
    }
  };
  walk(value, "", 0, [], []);
  return lines;
};

/** Returns the pointers of everything foldable deeper than `depth`: the initial state of a long document. */
export const foldBelow = (value: unknown, depth: number): Set<string> => {
  const found = new Set<string>();
  const walk = (item: unknown, pointer: string, at: number): void => {
    const children = childrenOf(item);
    if (!children || children.length === 0) return;
    if (at >= depth) found.add(pointer);
    for (const [key, child] of children) walk(child, pointerTo(pointer, key), at + 1);
  };
  walk(value, "", 0);
  return found;
};

/** Formats a value as text, with two spaces for each level. */
export const jsonAsText = (value: unknown): string =>
  jsonLines(value, new Set())
    .map(({ depth, tokens }) => "  ".repeat(depth) + tokens.map(({ text }) => text).join(""))
    .join("\n");
