import { pointer } from "./json-pointer.ts";
import { nearestNames, similarity } from "./nearest-names.ts";
import { meetsFormat } from "./schema.ts";

/** Own validator: reports every problem with a suggestion. */

/** The keywords of JSON Schema that the contract's declarations use. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** One schema for all items, or one for each position. */
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  /** 0 or 1: a string may be empty or not. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** An expected value and its path, a JSON Pointer. */
export interface Finding {
  readonly path: string;
  readonly problem: string;
  /** The path of the declared member that an undeclared one probably stands for. */
  readonly meant?: string;
  /**
   * A value that would be valid here, if it follows from the current one. Undefined: remove the value. Absent: unknown.
   */
  readonly should?: unknown;
}

type Findings = Generator<Finding, void>;

/** Kind of findings: values that the declaration refuses, or members it doesn't declare. */
type FindingKind = "invalid" | "unknown";

const formatProblems: Record<string, string> = {
  uuid: "must be a UUID",
  text: "must not contain U+0000 or a lone surrogate",
  "absolute-url": "must be an absolute http or https URL",
  "date-time": "must be an RFC 3339 date-time",
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const owns = (value: Record<string, unknown>, key: string): boolean => Object.hasOwn(value, key);

const isTooLong = ({ maxLength = Number.POSITIVE_INFINITY }: Schema, value: string): boolean =>
  value.length > maxLength && [...value].length > maxLength;

const stringProblem = (schema: Schema, value: string): string | null => {
  if (isTooLong(schema, value)) return `must have at most ${schema.maxLength} characters`;
  if (value === "" && schema.minLength !== undefined && schema.minLength > 0) return "must not be empty";
  if (schema.enum && !schema.enum.includes(value))
    return `must be ${schema.enum.length === 1 ? "" : "one of "}${schema.enum.join(", ")}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
    return `must match ${schema.pattern}`;
  if (schema.format !== undefined && !meetsFormat(schema.format, value))
    return formatProblems[schema.format] ?? `must be a ${schema.format}`;
  return null;
};

const range = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` between ${minimum} and ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
};

const numberProblem = (schema: Schema, value: number): string | null => {
  const whole = schema.type !== "integer" || Number.isInteger(value);
  const inRange =
    Number.isFinite(value) &&
    (schema.minimum === undefined || value >= schema.minimum) &&
    (schema.maximum === undefined || value <= schema.maximum);
  return whole && inRange ? null : `must be ${schema.type}${range(schema)}`;
};

/** Returns the problem of a value itself; for an object or a list of the right type, null. */
const findProblem = (schema: Schema, value: unknown): string | null => {
  if (schema.not) return "must not be here";
  if ("const" in schema) return value === schema.const ? null : `must be ${JSON.stringify(schema.const)}`;
  switch (schema.type) {
    case "object":
    case "array":
      return `must be ${schema.type}`;
    case "string":
      return typeof value === "string" ? stringProblem(schema, value) : "must be string";
    case "integer":
    case "number":
      return typeof value === "number" ? numberProblem(schema, value) : `must be ${schema.type}${range(schema)}`;
    case "boolean":
      return typeof value === "boolean" ? null : "must be boolean";
    case "null":
      return value === null ? null : "must be null";
    default:
      return null;
  }
};

/** Restores a UUID from other ways of writing it; returns other texts without such characters. */
export const extractUuid = (text: string): string =>
  text
    .replace(/^urn:uuid:/i, "")
    .replaceAll(/[-{}()\s"'`“”‘’]/gu, "")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Parses an object or a list in a text as JSON; undefined when the text contains none. */
export const jsonWithin = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

/** The only text of an object, such as the address of `{"public_url": "…"}`; undefined for other values. */
const findOnlyText = (value: unknown): string | undefined => {
  const texts = isObject(value) ? Object.values(value).filter((one) => typeof one === "string") : [];
  return texts.length === 1 ? texts[0] : undefined;
};

/** Checks for a list that was written as an object with the keys 0, 1, 2. */
const isNumbered = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key, index) => key === String(index));

/** Words of other APIs for a choice. */
const choiceAliases: Readonly<Record<string, readonly string[]>> = {
  update: ["upsert", "merge", "patch", "true"],
  replace: ["overwrite", "put"],
};
const isChoice = (choice: string, word: string): boolean =>
  choice.toLowerCase() === word || choiceAliases[choice]?.includes(word) === true;

/**
 * Converts a value of the wrong type to its probable meaning: a number in quotes, a text without quotes, a single item
 * instead of a list.
 */
const likelyMeant = (schema: Schema, value: unknown): unknown => {
  if (schema.anyOf) {
    const taken = schema.anyOf
      .map((variant) => likelyMeant(variant, value))
      .filter((one) => one !== undefined && explain(schema, one) === null);
    // Two present members are ambiguous; the person decides.
    return isObject(value) && taken.length > 1 ? undefined : taken[0];
  }
  const encoded = schema.type === "object" || schema.type === "array" ? jsonWithin(value) : undefined;
  if (encoded !== undefined) return encoded;
  const [only = ""] = schema.required ?? [];
  const text = typeof value === "string" ? value.trim() : null;
  switch (schema.type) {
    case "string":
      if (typeof value === "number") return String(value);
      if (value === true) return schema.enum?.find((one) => isChoice(String(one), "true"));
      if (text === null) return findOnlyText(value);
      if (schema.enum?.length === 1) return schema.enum[0];
      if (schema.enum) return schema.enum.find((one) => isChoice(String(one), text.toLowerCase()));
      if (schema.format === "text") return String(value).replaceAll(/\p{Surrogate}|\0/gu, "");
      return schema.format === "uuid" ? extractUuid(text) : text;
    case "integer":
    case "number":
      // A comma before three digits may be of thousands.
      return text === null || text === "" ? undefined : Number(text.replace(/^(-?\d+),(\d{1,2})$/, "$1.$2"));
    case "array":
      return isNumbered(value) ? Object.values(value) : [value];
    case "object":
      if (Array.isArray(value)) return value.length === 1 ? value[0] : undefined;
      if (!isObject(value)) {
        const inner = schema.properties?.[only] ?? {};
        const meant = explain(inner, value) === null ? value : (likelyMeant(inner, value) ?? value);
        return schema.required?.length === 1 ? { [only]: meant } : undefined;
      }
      return (value[only] ?? null) === null ? undefined : { [only]: value[only] };
    default:
      return undefined;
  }
};

/** A finding with the value that would be valid instead. */
const wrong = (schema: Schema, value: unknown, path: string, problem: string): Finding => {
  const should = value === null ? undefined : likelyMeant(schema, value);
  return should === undefined || should === value || explain(schema, should) !== null
    ? { path, problem }
    : { path, problem, should };
};

const isOneEach = (items: Schema["items"]): items is readonly Schema[] => Array.isArray(items);

const withoutRepeats = (value: readonly unknown[]): readonly unknown[] => [
  ...new Map(value.map((item) => [JSON.stringify(item), item])).values(),
];

/** Finds problems of a list as a whole. */
function* findInList(
  { items, minItems, maxItems, uniqueItems }: Schema,
  value: readonly unknown[],
  path: string,
): Findings {
  const most = isOneEach(items) ? items.length : maxItems;
  if (minItems !== undefined && value.length < minItems)
    yield { path, problem: `must have at least ${minItems} items` };
  if (most !== undefined && value.length > most) yield { path, problem: `must have at most ${most} items` };
  if (uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    yield { path, problem: "must not repeat an item", should: withoutRepeats(value) };
}

function* findInArray(schema: Schema, value: readonly unknown[], path: string, kind: FindingKind): Findings {
  const { items } = schema;
  if (kind === "invalid") yield* findInList(schema, value, path);
  for (const [index, item] of value.entries()) {
    const declared = isOneEach(items) ? items[index] : items;
    if (declared) yield* find(declared, item, pointer(path, index), kind);
  }
}

type Members = Readonly<Record<string, Schema>>;

/** Returns the declared members of an object, for a union those of all variants; undefined: any member is allowed. */
const declaredMembers = ({ anyOf, properties, patternProperties }: Schema): Members | undefined => {
  if (!anyOf) return patternProperties ? undefined : properties;
  const members = anyOf
    .flatMap((variant) => Object.entries(declaredMembers(variant) ?? {}))
    .filter(([, { not }]) => !not);
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

/** Names of the same field in other operations or APIs. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  identity: ["job_identity"],
  job_identity: ["identity"],
  id: ["job_id", "procurement_id", "order_id", "uuid"],
  external: ["external_id", "external_reference"],
  external_id: ["external"],
  if_: ["if", "on_conflict", "upsert"],
  access_code: ["code"],
  work_provider_contract: ["work_provider", "work_provider_name", "insurer", "insurer_name"],
  chassis_number: ["vin"],
  plate_number: ["plate", "registration", "rego", "license_plate"],
  parts: ["items"],
  description: ["name", "part_name", "title"],
  quantity: ["qty", "count"],
  sellable_ids: ["offers", "offer_ids"],
  identifiers: ["vehicles", "vehicle_identifiers", "vins"],
  media_type: ["content_type", "mime_type"],
  integration_id: ["id", "integration"],
  url: ["webhook_url", "callback", "callback_url", "endpoint", "target_url"],
};
export const toSnakeCase = (name: string): string => name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
const isAlias = (key: string, name: string): boolean => aliases[name]?.includes(toSnakeCase(key)) === true;

/** Similarity (0 to 1) from which a field counts as another one's misspelling. */
const MIN_FIELD_SIMILARITY = 0.5;
const sortLetters = (word: string): string => [...word].toSorted().join("");
/** True for a misspelling, such as two letters in the wrong order. */
const isMisspelt = (key: string, name: string): boolean =>
  similarity(key, name) >= MIN_FIELD_SIMILARITY || sortLetters(key) === sortLetters(name);

/**
 * Returns the most likely name, or all candidates that contain the given one: "number" of chassis_number and plate_number.
 */
const similarNames = (key: string, names: readonly string[]): readonly string[] => {
  const other = names.find((name) => isAlias(key, name));
  if (other !== undefined) return [other];
  const likely = nearestNames(key, names).filter((name) => isMisspelt(key.toLowerCase(), name));
  const longer = likely.filter((name) => name.includes(key));
  return longer.length > 1 ? longer : likely.slice(0, 1);
};

/** Names of an inner field as one key, as forms and flat tools write them: `identity__id`, `identity[id]`, `identity.id`. */
const FLATTENED = /^(\w+?)(?:__|\.|\[)(\w+)\]?$/;
const findFlattened = (
  members: Members,
  key: string,
): { readonly within: string; readonly name: string } | undefined => {
  const [, within = "", name = ""] = key.length <= MAX_FLATTENED_CHARS ? (FLATTENED.exec(key) ?? []) : [];
  const inner = owns(members, within) ? declaredMembers(members[within] ?? {}) : undefined;
  return inner && owns(inner, name) ? { within, name } : undefined;
};
const MAX_FLATTENED_CHARS = 100;

/** Finds undeclared members, each with its probable meaning. */
function* unknownMembers(members: Members | undefined, value: Record<string, unknown>, path: string): Findings {
  if (!members) return;
  const names = Object.keys(members);
  for (const key of Object.keys(value)) {
    if (owns(members, key)) continue;
    const ofInner = names
      .filter((name) => !isAlias(key, name))
      .flatMap((within) => Object.keys(declaredMembers(members[within] ?? {}) ?? {}).map((name) => ({ within, name })))
      .find(({ name }) => name === key || isAlias(key, name));
    const inner = findFlattened(members, key) ?? ofInner;
    const alike = inner ? [pointer(pointer(path, inner.within), inner.name)] : similarNames(key, names);
    const known = names.length === 0 ? "none is expected" : `known: ${names.join(", ")}`;
    const instead = alike.length === 0 ? known : `did you mean ${alike.join(" or ")}?`;
    // Several candidates are ambiguous; the person decides.
    const [likely] = alike.length === 1 ? alike : [];
    const meant = likely !== undefined && !inner ? pointer(path, likely) : likely;
    yield { path: pointer(path, key), problem: `is not a known field; ${instead}`, ...(meant ? { meant } : {}) };
  }
}

function* findInObject(schema: Schema, value: Record<string, unknown>, path: string, kind: FindingKind): Findings {
  if (kind === "unknown") yield* unknownMembers(declaredMembers(schema), value, path);
  for (const key of kind === "unknown" ? [] : (schema.required ?? [])) {
    if (owns(value, key)) continue;
    const mayBeNull = schema.properties?.[key]?.anyOf?.some(({ type }) => type === "null") === true;
    yield { path: pointer(path, key), problem: "is required", ...(mayBeNull ? { should: null } : {}) };
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!owns(value, key)) continue;
    const isNeedless = value[key] === null && schema.required?.includes(key) !== true;
    for (const found of find(property, value[key], pointer(path, key), kind))
      yield isNeedless ? { ...found, should: undefined } : found;
  }
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
    const named = new RegExp(pattern, "u");
    for (const [key, one] of Object.entries(value))
      if (named.test(key)) yield* find(member, one, pointer(path, key), kind);
  }
}

/** Checks a union of objects that differ by one required key: exactly one of these keys must be present (D7). */
function* findInVariants(variants: readonly Schema[], value: unknown, path: string, kind: FindingKind): Findings {
  const isUnknown = kind === "unknown";
  if (!isObject(value)) return isUnknown ? undefined : yield wrong({ anyOf: variants }, value, path, "must be object");
  const keys = variants.map((variant) => variant.required?.[0] ?? "");
  const present = variants.filter((_, index) => owns(value, keys[index] ?? ""));
  const [only] = present;
  const members = isUnknown ? declaredMembers({ anyOf: variants }) : undefined;
  const properties = { ...members, ...only?.properties };
  if (present.length === 1) return yield* find({ ...only, properties }, value, path, kind);
  if (isUnknown) yield* unknownMembers(members, value, path);
  else yield wrong({ anyOf: variants }, value, path, `must have exactly one of ${keys.join(", ")}`);
}

function* findInUnion(variants: readonly Schema[], value: unknown, path: string, kind: FindingKind): Findings {
  const solid = variants.filter((variant) => variant.type !== "null");
  const isNullable = solid.length < variants.length;
  if (isNullable && value === null) return;
  const [only] = solid;
  if (solid.length !== 1 || !only) return yield* findInVariants(solid, value, path, kind);
  for (const found of find(only, value, path, kind)) {
    const isOfItself = isNullable && found.path === path && found.problem.startsWith("must be");
    const emptied = isOfItself && value === "" ? { should: null } : {};
    yield isOfItself ? { ...found, ...emptied, problem: `${found.problem} or null` } : found;
  }
}

function* find(schema: Schema, value: unknown, path: string, kind: FindingKind): Findings {
  if (schema.anyOf) return yield* findInUnion(schema.anyOf, value, path, kind);
  if (schema.type === "object" && isObject(value)) return yield* findInObject(schema, value, path, kind);
  if (schema.type === "array" && Array.isArray(value)) return yield* findInArray(schema, value, path, kind);
  if (kind === "unknown") return;
  const problem = findProblem(schema, value);
  if (problem !== null) yield wrong(schema, value, path, problem);
}

/** Finds values that the declaration refuses, in the order in which the service reports them. */
export const findInvalid = (schema: object, value: unknown): Iterable<Finding> =>
  find(schema as Schema, value, "", "invalid");

/** Finds members that are not declared, each with its probable meaning. */
export const findUnknown = (schema: object, value: unknown): Iterable<Finding> =>
  find(schema as Schema, value, "", "unknown");

/** A finding as a sentence that names the field by its path (D3): `/vehicle/plate_number must be string or null`. */
export const findingSentence = ({ path, problem }: Pick<Finding, "path" | "problem">): string =>
  `${path || "the body"} ${problem}`;

/** Returns why a value doesn't match a declaration, as a sentence; null when it matches. */
export const explain = (schema: object, value: unknown): string | null => {
  for (const found of findInvalid(schema, value)) return findingSentence(found);
  return null;
};
