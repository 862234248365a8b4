import { type Body, parts, type Value } from "./step.ts";

/** Longest line before a value is spread over several. */
const MAX_WIDTH = 100;

/** How a language writes JSON. */
export interface Notation {
  readonly nothing: string;
  /** A text without saved values. */
  readonly quote: (text: string) => string;
  /** A text with saved values. */
  readonly fill: (text: string) => string;
  readonly saved: (name: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  /** Between the members of an object on one line. */
  readonly separator: string;
  /** After each member of an object on several lines. */
  readonly lineEnd: string;
  readonly indent: string;
  readonly member: (name: string, value: string) => string;
}

const writeText = (text: string, { quote, fill, saved }: Notation): string => {
  const [first, ...others] = parts(text);
  if (first && "saved" in first && others.length === 0) return saved(first.saved);
  return others.length === 0 ? quote(text) : fill(text);
};

const members = (value: object, notation: Notation): string[] =>
  Object.entries(value).map(([name, one]) => notation.member(name, writeValue(one, notation)));

/** Writes a value on one line. */
export const writeValue = (value: Value, notation: Notation): string => {
  if (value === null) return notation.nothing;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return writeText(value, notation);
  if (Array.isArray(value)) return notation.list.join(value.map((one) => writeValue(one, notation)).join(", "));
  const inside = members(value, notation).join(notation.separator);
  const [open, close] = notation.object;
  return inside === "" ? (open + close).replaceAll(" ", "") : open + inside + close;
};

/** Writes a call on one line, or its body on several. @param around writes the call around its body */
export const writeCall = (body: Body, notation: Notation, around: (body: string) => string): string => {
  const line = around(writeValue(body, notation));
  const inside = members(body, notation);
  if (line.length <= MAX_WIDTH || inside.length === 0) return line;
  const [open, close] = notation.object.map((bracket) => bracket.trim());
  const lines = inside.map((member) => notation.indent + member + notation.lineEnd);
  return around([open, ...lines, close].join("\n"));
};
