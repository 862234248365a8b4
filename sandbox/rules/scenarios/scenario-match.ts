import { RE2JS } from "re2js";
import type { Finding } from "../../contract/explain.ts";
import { pointer } from "../../contract/json-pointer.ts";
import { isUuid } from "../../contract/schema.ts";
import { type Difference, firstDifference } from "./first-difference.ts";

/** Longer texts match no pattern: what an answer says that anybody checks is shorter. */
const LONGEST_TEXT = 65_536;
/** How many steps a compiled pattern may have: the time for a letter grows with them. */
const LARGEST_PROGRAM = 1_000;

/** A regular expression of a file, compiled; null: it is none, or a too large one. */
const compiled = (pattern: string): RE2JS | null => {
  try {
    const made = RE2JS.compile(pattern);
    return made.programSize() <= LARGEST_PROGRAM ? made : null;
  } catch {
    return null;
  }
};

/** Whether a text is a regular expression that can be matched in linear time: RE2's, without look-around. */
export const isPattern = (pattern: unknown): boolean => typeof pattern === "string" && compiled(pattern) !== null;

/** Whether a regular expression of a file is found in a text; the time for it grows with the text and no faster. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= LONGEST_TEXT && compiled(pattern)?.matcher(text).find() === true;

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: (value) => value !== undefined,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  uuid: (value) => typeof value === "string" && isUuid(value),
  timestamp: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value),
};

type Matches = (argument: unknown, got: unknown) => boolean;

const lengthOf = (value: unknown): number | null =>
  typeof value === "string" || Array.isArray(value) ? value.length : null;

const matchers: Readonly<Record<string, Matches>> = {
  $is: (kind, got) => kinds[String(kind)]?.(got) ?? false,
  $matches: (pattern, got) => typeof got === "string" && matchesPattern(String(pattern), got),
  $length: (length, got) => lengthOf(got) === length,
  $contains: (item, got) =>
    Array.isArray(got)
      ? got.some((one) => differenceFrom(item, one) === null)
      : typeof got === "string" && typeof item === "string" && got.includes(item),
  $absent: (_, got) => got === undefined,
};

/** The one key of an object that stands for many values, or null. */
const matcherOf = (value: unknown): string | null => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const [key = "", ...more] = Object.keys(value);
  return key.startsWith("$") && more.length === 0 ? key : null;
};

const argumentProblem = (key: string, argument: unknown): string | null => {
  if (!Object.hasOwn(matchers, key)) return `is not known; there are ${Object.keys(matchers).join(", ")}`;
  if (key === "$is" && !(typeof argument === "string" && Object.hasOwn(kinds, argument)))
    return `must be one of ${Object.keys(kinds).join(", ")}`;
  if (key === "$matches" && !isPattern(argument))
    return "must be a regular expression that RE2 knows: no look-around, no back reference, not too large";
  if (key === "$length" && !Number.isInteger(argument)) return "must be integer";
  return key === "$absent" && argument !== true ? "must be true" : null;
};

/** What is wrong with what is expected, and where; null: nothing. */
export const expectationProblem = (expected: unknown, path: string): Finding | null => {
  if (typeof expected !== "object" || expected === null) return null;
  const matcher = matcherOf(expected);
  if (matcher !== null) {
    const problem = argumentProblem(matcher, Reflect.get(expected, matcher));
    if (problem !== null) return { path: pointer(path, matcher), problem };
  }
  for (const [key, value] of Object.entries(expected)) {
    const problem = expectationProblem(value, pointer(path, key));
    if (problem !== null) return problem;
  }
  return null;
};

const matchSpecially = (expected: unknown, got: unknown): boolean | undefined => {
  const matcher = matcherOf(expected) ?? "";
  return matchers[matcher]?.(Reflect.get(expected as object, matcher), got);
};

/** Where an answer first is not what is expected; it may have more keys than are expected. */
export const differenceFrom = (expected: unknown, got: unknown, path = ""): Difference | null =>
  firstDifference(expected, got, path, matchSpecially);
