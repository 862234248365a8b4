import { RE2JS } from "re2js";
import type { Finding } from "../../contract/explain.ts";
import { pointer } from "../../contract/json-pointer.ts";
import { isUuid } from "../../contract/schema.ts";
import { type Difference, firstDifference } from "./first-difference.ts";

/** Longest text that is matched, in characters. */
const MAX_TEXT_CHARS = 65_536;
/** Largest compiled pattern: matching time grows with it. */
const MAX_PROGRAM_SIZE = 1_000;

/** Compiles a pattern of a scenario file; null if it is invalid or too large. */
const compilePattern = (pattern: string): RE2JS | null => {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() <= MAX_PROGRAM_SIZE ? compiled : null;
  } catch {
    return null;
  }
};

/** Checks whether a text is an RE2 expression, which matches in linear time and has no look-around. */
export const isPattern = (pattern: unknown): boolean => typeof pattern === "string" && compilePattern(pattern) !== null;

/** Searches a text for a pattern of a scenario file in linear time. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= MAX_TEXT_CHARS && compilePattern(pattern)?.matcher(text).find() === true;

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

const measureLength = (value: unknown): number | null =>
  typeof value === "string" || Array.isArray(value) ? value.length : null;

const matchers: Readonly<Record<string, Matches>> = {
  $is: (kind, got) => kinds[String(kind)]?.(got) ?? false,
  $matches: (pattern, got) => typeof got === "string" && matchesPattern(String(pattern), got),
  $length: (length, got) => measureLength(got) === length,
  $contains: (item, got) =>
    Array.isArray(got)
      ? got.some((one) => findDifference(item, one) === null)
      : typeof got === "string" && typeof item === "string" && got.includes(item),
  $absent: (_, got) => got === undefined,
};

/** Name of a matcher: the only key of an object, starting with `$`; null for other values. */
const findMatcher = (value: unknown): string | null => {
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

/** Reason and path of an invalid expectation; null if it is valid. */
export const expectationProblem = (expected: unknown, path: string): Finding | null => {
  if (typeof expected !== "object" || expected === null) return null;
  const matcher = findMatcher(expected);
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

const applyMatcher = (expected: unknown, got: unknown): boolean | undefined => {
  const matcher = findMatcher(expected) ?? "";
  return matchers[matcher]?.(Reflect.get(expected as object, matcher), got);
};

/** First place where a response differs from the expectation. Additional keys are allowed. */
export const findDifference = (expected: unknown, got: unknown, path = ""): Difference | null =>
  firstDifference(expected, got, path, applyMatcher);
