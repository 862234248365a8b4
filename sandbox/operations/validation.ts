import { isUtf8 } from "node:buffer";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { causes, refuseBody, refuseFor } from "../contract/causes.ts";
import { type ErrorCode, type Refusal, type RefusalReason, sentence } from "../contract/errors.ts";
import { type Finding, findInvalid, findingSentence, findUnknown } from "../contract/explain.ts";
import type { Operation } from "../contract/operation.ts";
import { findBodyMistake } from "../rules/json/json-mistake.ts";
import { explainFormNames } from "./renamed-fields.ts";

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
        ...describeEncoding(contentEncoding.slice(0, 200)),
      });

const CHARSET = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-8859-\d+|latin-?1|windows-125\d)$/i;
const describeEncoding = (sent: string): { readonly fact: string; readonly remedy?: string } =>
  CHARSET.test(sent.trim())
    ? {
        fact: `\`Content-Encoding\` is \`${sent}\`, which is a character set and no encoding.`,
        remedy: "Leave the header out. JSON is always in UTF-8.",
      }
    : { fact: `The body is encoded: \`Content-Encoding\` is \`${sent}\`.` };

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

/** D4: UTF-8 only, without a BOM. D3: describes why a body isn't a JSON object. An empty body counts as `{}`. */
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

/** A body as sent, with the two headers that describe it. */
export interface SentBody {
  readonly contentType: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly body: Uint8Array | null;
}

export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType.trim() === "" || /^application\/json\s*(;|$)/i.test(contentType.trim());

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const FORM_FIELDS = /^\s*application\/x-www-form-urlencoded\b/i;

/** Largest body whose fields are read to explain a refusal. */
export const MAX_READ_BYTES = 64 * 1024;

/** Explains a body of another type by what the next refusal would be. @param type sentence on the header */
const explainOtherType = (
  contentType: string,
  type: string,
  body: Uint8Array,
  schema: TSchema | undefined,
): Pick<RefusalReason, "fact" | "remedy"> => {
  const parsed = parseBody(body);
  if ("value" in parsed) {
    const next = schema && findViolation(schema, parsed.value);
    const remedy = "Send the same body with `Content-Type: application/json`. It is JSON already.";
    return { fact: type, remedy: next ? `${remedy} Then correct a field: ${sentence(next.message)}` : remedy };
  }
  const mistake = parsed.isTooDeep ? null : findBodyMistake(body);
  const isForm = FORM.test(contentType);
  if (!mistake?.fact || (isForm && mistake.cause === "json_form")) {
    const isRead = schema && FORM_FIELDS.test(contentType) && body.length <= MAX_READ_BYTES;
    const fields = new URLSearchParams(isRead ? Buffer.from(body).toString("utf8") : "");
    const names = isRead ? explainFormNames(schema, Object.fromEntries(fields)) : null;
    return {
      fact: `${isForm ? "The body is a form: " : ""}${type}${names ? ` ${names.fact}` : ""}`,
      ...(names ? { remedy: `${causes.media_type.remedy} ${names.remedy}` } : {}),
    };
  }
  const { cause, fact, remedy = causes[cause].remedy } = mistake;
  return {
    fact: `${type} ${fact}`,
    remedy:
      cause === "not_json" ? causes.media_type.remedy : `${remedy} Send it with \`Content-Type: application/json\`.`,
  };
};

/** D4: refusal for a body of another type. @param schema of the operation, to name its fields */
export const notJson = (contentType: string | undefined, body: Uint8Array | null = null, schema?: TSchema): Refusal => {
  const type = `\`Content-Type\` is \`${contentType?.slice(0, 200)}\`, not \`application/json\`.`;
  const { fact, remedy } = contentType && body ? explainOtherType(contentType, type, body, schema) : { fact: type };
  return refuseFor("media_type", [], `send the body as application/json, not as ${contentType}`, {
    fact: contentType && fact,
    ...(remedy === undefined ? {} : { remedy }),
  });
};

/**
 * Content type and JSON (D3, D4). @param shapeError error code for an unreadable body @param schema of the operation
 */
export const readBody = (
  call: SentBody,
  shapeError: ErrorCode,
  schema?: TSchema,
): { readonly value: unknown } | Refusal => {
  if (call.body && call.body.length > 0 && !isJson(call.contentType))
    return notJson(call.contentType, call.body, schema);
  const encoded = call.body && call.body.length > 0 ? refuseEncoding(call.contentEncoding) : null;
  if (encoded) return encoded;
  const parsed = parseBody(call.body);
  if ("value" in parsed) return parsed;
  const { cause, ...finer } = parsed.isTooDeep ? { cause: "not_json" as const } : findBodyMistake(call.body ?? nothing);
  return refuseBody(cause, shapeError, { pointer: "", message: parsed.problem }, finer);
};

const nothing = new Uint8Array();
