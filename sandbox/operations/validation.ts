import { isUtf8 } from "node:buffer";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { refuseFor } from "../contract/causes.ts";
import type { Refusal } from "../contract/errors.ts";
import { type Finding, findInvalid, findingSentence, findUnknown, isObject, jsonWithin } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import type { Operation } from "../contract/operation.ts";
import { isPlaceholder } from "./likely-mistakes.ts";

const compiled = new WeakMap<TSchema, Validator>();

const getValidator = (schema: TSchema): Validator => {
  let validator = compiled.get(schema);
  if (!validator) {
    // Compiled on first use, because most runs need few operations and the start should stay fast.
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
};

/** A schema violation: the invalid field, and a sentence with its path (D3). */
export interface Violation {
  readonly pointer: string;
  readonly message: string;
}

export const toViolation = (found: Finding): Violation => ({ pointer: found.path, message: findingSentence(found) });

const takeViolations = (found: Iterable<Finding>, most: number): Violation[] => {
  const all: Violation[] = [];
  for (const one of found) if (all.push(toViolation(one)) === most) break;
  return all;
};

/** Schema violations, up to `most`. The first one decides the refusal. */
export const findViolations = (schema: TSchema, value: unknown, most: number): Violation[] => {
  if (getValidator(schema).Check(value)) return [];
  const found = takeViolations(findInvalid(schema, value), most);
  return found.length > 0 ? found : [{ pointer: "", message: "the body has a shape that is not accepted" }];
};

/** D7: undeclared members, which are ignored; up to `most`. */
export const findIgnored = (schema: TSchema, value: unknown, most: number): Violation[] =>
  takeViolations(findUnknown(schema, value), most);

/** First violation; null if the value is valid. */
export const findViolation = (schema: TSchema, value: unknown): Violation | null =>
  findViolations(schema, value, 1)[0] ?? null;

/** Findings considered at most. */
const MAX_FINDINGS_READ = 64;

export const takeFindings = (found: Iterable<Finding>): Finding[] => {
  const all: Finding[] = [];
  for (const one of found) if (all.push(one) === MAX_FINDINGS_READ) break;
  return all;
};

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const parentPath = (path: string): string => path.slice(0, path.lastIndexOf("/"));
const inCode = (names: readonly string[]): string => {
  const [last = "", ...others] = [...new Set(names)].map((name) => `\`${name}\``).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
};
/** Describes the sent value. Numbers are shown only in place of a number, because otherwise they may be a secret. */
const describeValue = (value: unknown, problem: string): string => {
  if (typeof value === "string") return "text";
  if (typeof value === "number" && !/^must be (?:integer|number)/.test(problem)) return "a number";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : `\`${value}\``;
};
const OF_KIND = /^must be (?:string|array|object|integer|number|boolean)\b/;

/** Explains missing fields: other names, other places, or all of them nested deeper. */
const explainMissing = (
  schema: TSchema,
  value: unknown,
  missing: readonly string[],
  /** True if one of them is enough. */
  isOneOf = false,
): string | null => {
  const pairs = takeFindings(findUnknown(schema, value)).flatMap(({ path, meant }) => (meant ? [{ path, meant }] : []));
  const renamed = pairs.filter(({ meant }) => missing.includes(meant));
  if (renamed.length > 0) {
    const [are, were] = renamed.length === 1 ? ["field is", "was"] : ["fields are", "were"];
    const left = isOneOf ? [] : missing.filter((path) => !renamed.some(({ meant }) => meant === path));
    return (
      `The ${are} called ${inCode(renamed.map(({ meant }) => lastSegment(meant)))} here: ` +
      `${inCode(renamed.map(({ path }) => lastSegment(path)))} ${were} ignored.${left.length > 0 ? ` ${missingWords(left)}` : ""}`
    );
  }
  const moved = pairs.find(({ meant }) => missing.includes(parentPath(meant)));
  if (moved) return `\`${moved.path}\` was ignored: its place is \`${moved.meant}\`.`;
  const names = missing.map((path) => path.slice(1));
  const whole = Object.entries(value as object).find(([, one]) => isObject(one) && names.some((name) => name in one));
  return whole ? `The fields are inside \`${whole[0]}\`. They belong at the top of the body.` : null;
};

const missingWords = (paths: readonly string[]): string =>
  `${inCode(paths)} ${paths.length === 1 ? "is" : "are"} missing.`;

/** Explains a violation beyond its first finding: the value sent instead, or all missing fields. */
export const explainShape = (
  schema: TSchema,
  value: unknown,
  { pointer }: Violation,
): { readonly fact?: string; readonly pointers?: readonly string[] } => {
  const found = takeFindings(findInvalid(schema, value));
  const [first] = found;
  const sent = valueAt(value, pointer);
  if (!first || pointer === "") return {};
  if (OF_KIND.test(first.problem) && jsonWithin(sent) !== undefined)
    return { fact: `\`${pointer}\` is a text that contains JSON: it was encoded twice.` };
  if (typeof sent === "string" && isPlaceholder(sent))
    return { fact: `\`${pointer}\` holds a placeholder: a variable was not filled in.` };
  if (OF_KIND.test(first.problem))
    return { fact: `\`${pointer}\` ${first.problem}, but ${describeValue(sent, first.problem)} was sent.` };
  const variants = /^must have exactly one of (.*)$/.exec(first.problem)?.[1]?.split(", ");
  if (variants) {
    const paths = variants.map((name) => `${pointer}/${name}`);
    const instead = explainMissing(schema, value, paths, true);
    const isThere = variants.filter((name) => valueAt(sent, `/${name}`) !== undefined);
    const both = isThere.length > 1 ? `\`${pointer}\` has ${inCode(isThere)}. Send only one of them.` : null;
    const fact = both ?? instead;
    return fact === null ? {} : { fact };
  }
  if (first.problem !== "is required") return {};
  const isBeside = ({ path, problem }: Finding): boolean =>
    problem === "is required" && parentPath(path) === parentPath(pointer);
  const missing = found.filter(isBeside).map(({ path }) => path);
  const pointers = missing.length > 1 ? { pointers: missing } : {};
  const instead = explainMissing(schema, value, missing);
  if (instead !== null) return { fact: instead, ...pointers };
  if (isObject(value) && Object.keys(value).length === 0)
    return { fact: `The body is empty: ${missingWords(missing)}`, ...pointers };
  return missing.length > 1 ? { fact: missingWords(missing), ...pointers } : {};
};

export const describeViolation = (schema: TSchema, value: unknown): string | null =>
  findViolation(schema, value)?.message ?? null;

/** First violation of a control operation. Operations that write reject unknown members. */
export const describeControlViolation = (
  { effect, request }: Pick<Operation, "effect" | "request">,
  value: unknown,
): string | null => {
  const [unknown] = effect === "write" ? findIgnored(request, value, 1) : [];
  return unknown?.message ?? describeViolation(request, value);
};

/** D14: encoded bodies are refused. */
export const refuseEncoding = (contentEncoding: string | undefined): Refusal | null =>
  contentEncoding === undefined || /^(identity)?$/i.test(contentEncoding.trim())
    ? null
    : refuseFor("encoding", [], `send the body as it is, not with the encoding ${contentEncoding}`, {
        fact: `The body is encoded: \`Content-Encoding\` is \`${contentEncoding.slice(0, 200)}\`.`,
      });

/** Nesting limit of bodies, far above any declaration, which makes recursion safe. */
export const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH, OPENS_LIST, ENDS_LIST, OPENS_OBJECT, ENDS_OBJECT] = Buffer.from('"\\[]{}');

/** Checks whether a body exceeds the nesting limit. One pass over the bytes, valid or not. */
export const isTooDeep = (body: Uint8Array): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPENS_OBJECT || byte === OPENS_LIST) depth += 1;
    else if (byte === ENDS_OBJECT || byte === ENDS_LIST) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
};

/** D4: UTF-8 only, without a leading BOM. D3: describes why a body is no JSON object. An empty body counts as `{}`. */
export const parseBody = (
  body: Uint8Array | null,
): { readonly value: unknown } | { readonly problem: string; readonly isTooDeep?: true } => {
  if (body === null || body.length === 0) return { value: {} };
  if (!isUtf8(body)) return { problem: "The body is not UTF-8." };
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const text = whole.startsWith("\uFEFF") ? whole.slice(1) : whole;
  if (text === "") return { value: {} };
  if (isTooDeep(body)) return { problem: `The body is nested more than ${MAX_DEPTH} levels deep.`, isTooDeep: true };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value }
      : { problem: "The body must be a JSON object." };
  } catch (error) {
    // The parser's message quotes the body, which may contain a secret.
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return {
      problem:
        position === undefined
          ? "The body is not valid JSON: unexpected end or character."
          : `The body is not valid JSON: unexpected end or character at position ${position}.`,
    };
  }
};
