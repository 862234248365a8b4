/** The keywords of JSON Schema that the contract's declarations use. */
export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** One for all, or one for each of so many. */
  readonly items?: Schema | readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** What a value should be at which path; the path is a JSON Pointer. */
export interface Finding {
  readonly path: string;
  readonly problem: string;
}

type Findings = Generator<Finding, void>;

/** Whether a string meets a format of the contract's vocabulary. */
export type FormatCheck = (format: string, value: string) => boolean;

const formatProblems: Record<string, string> = {
  uuid: "must be a UUID",
  text: "must not contain U+0000 or a lone surrogate",
  "absolute-url": "must be an absolute http or https URL",
  "date-time": "must be an RFC 3339 date-time",
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const owns = (value: Record<string, unknown>, key: string): boolean => Object.hasOwn(value, key);

export const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const ofString = (schema: Schema, value: string, check: FormatCheck): string | null => {
  if (schema.maxLength !== undefined && [...value].length > schema.maxLength)
    return `must have at most ${schema.maxLength} characters`;
  if (schema.enum && !schema.enum.includes(value)) return `must be one of ${schema.enum.join(", ")}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
    return `must match ${schema.pattern}`;
  if (schema.format !== undefined && !check(schema.format, value))
    return formatProblems[schema.format] ?? `must be a ${schema.format}`;
  return null;
};

const range = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` between ${minimum} and ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
};

const ofNumber = (schema: Schema, value: number): string | null => {
  const whole = schema.type !== "integer" || Number.isInteger(value);
  const inRange =
    Number.isFinite(value) &&
    (schema.minimum === undefined || value >= schema.minimum) &&
    (schema.maximum === undefined || value <= schema.maximum);
  return whole && inRange ? null : `must be ${schema.type}${range(schema)}`;
};

/** What is wrong with a value as a whole; nothing with an object or a list where one is to be. */
const problemOf = (schema: Schema, value: unknown, check: FormatCheck): string | null => {
  if (schema.not) return "must not be here";
  if ("const" in schema) return value === schema.const ? null : `must be ${JSON.stringify(schema.const)}`;
  switch (schema.type) {
    case "object":
    case "array":
      return `must be ${schema.type}`;
    case "string":
      return typeof value === "string" ? ofString(schema, value, check) : "must be string";
    case "integer":
    case "number":
      return typeof value === "number" ? ofNumber(schema, value) : `must be ${schema.type}${range(schema)}`;
    case "boolean":
      return typeof value === "boolean" ? null : "must be boolean";
    case "null":
      return value === null ? null : "must be null";
    default:
      return null;
  }
};

const isOneEach = (items: Schema["items"]): items is readonly Schema[] => Array.isArray(items);

/** The declaration of an item of a list, by its index; undefined where none is declared. */
export const itemSchema = ({ items }: Schema, index: number): Schema | undefined =>
  isOneEach(items) ? items[index] : items;

function* ofArray(schema: Schema, value: readonly unknown[], path: string, check: FormatCheck): Findings {
  const { items } = schema;
  const most = isOneEach(items) ? items.length : schema.maxItems;
  if (schema.minItems !== undefined && value.length < schema.minItems)
    yield { path, problem: `must have at least ${schema.minItems} items` };
  if (most !== undefined && value.length > most) yield { path, problem: `must have at most ${most} items` };
  if (schema.uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    yield { path, problem: "must not repeat an item" };
  for (const [index, item] of value.entries()) {
    const declared = itemSchema(schema, index);
    if (declared) yield* find(declared, item, pointer(path, index), check);
  }
}

function* ofObject(schema: Schema, value: Record<string, unknown>, path: string, check: FormatCheck): Findings {
  for (const key of schema.required ?? []) {
    if (!owns(value, key)) yield { path: pointer(path, key), problem: "is required" };
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (owns(value, key)) yield* find(property, value[key], pointer(path, key), check);
  }
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
    const named = new RegExp(pattern, "u");
    for (const [key, one] of Object.entries(value))
      if (named.test(key)) yield* find(member, one, pointer(path, key), check);
  }
}

/** A union of objects that differ by one required key each: exactly one of the keys must be there (D7). */
function* ofVariants(variants: readonly Schema[], value: unknown, path: string, check: FormatCheck): Findings {
  if (!isObject(value)) return yield { path, problem: "must be object" };
  const keys = variants.map((variant) => variant.required?.[0] ?? "");
  const present = variants.filter((_, index) => owns(value, keys[index] ?? ""));
  const [only] = present;
  if (present.length === 1 && only) yield* find(only, value, path, check);
  else yield { path, problem: `must have exactly one of ${keys.join(", ")}` };
}

function* ofUnion(variants: readonly Schema[], value: unknown, path: string, check: FormatCheck): Findings {
  const solid = variants.filter((variant) => variant.type !== "null");
  const isNullable = solid.length < variants.length;
  if (isNullable && value === null) return;
  const [only] = solid;
  if (solid.length !== 1 || !only) return yield* ofVariants(solid, value, path, check);
  for (const found of find(only, value, path, check)) {
    const isOfItself = isNullable && found.path === path && found.problem.startsWith("must be");
    yield isOfItself ? { path, problem: `${found.problem} or null` } : found;
  }
}

function* find(schema: Schema, value: unknown, path: string, check: FormatCheck): Findings {
  if (schema.anyOf) return yield* ofUnion(schema.anyOf, value, path, check);
  if (schema.type === "object" && isObject(value)) return yield* ofObject(schema, value, path, check);
  if (schema.type === "array" && Array.isArray(value)) return yield* ofArray(schema, value, path, check);
  const problem = problemOf(schema, value, check);
  if (problem !== null) yield { path, problem };
}

/** What of a value does not meet a declaration, in the order in which the service would name it. */
export const findingsIn = (schema: object, value: unknown, check: FormatCheck): Iterable<Finding> =>
  find(schema as Schema, value, "", check);

/** What of it comes first; null when it meets the declaration. */
export const findingIn = (schema: object, value: unknown, check: FormatCheck): Finding | null => {
  for (const found of findingsIn(schema, value, check)) return found;
  return null;
};

/** A finding as a sentence that names the field by its path (D3): `/vehicle/plate_number must be string or null`. */
export const sentenceOf = ({ path, problem }: Finding): string => `${path || "the body"} ${problem}`;

/** The decision that such a sentence rests on, beside D3 (D7, D8, D9); null where the contract says it itself. */
export const decisionOnShape = (said: string): "D7" | "D8" | "D9" | null => {
  if (/must have exactly one of|must not be here/.test(said)) return "D7";
  if (/must be (integer|number)/.test(said)) return "D8";
  return /must not contain U\+0000|must have at most \d+ characters/.test(said) ? "D9" : null;
};

/** Why a value does not meet a declaration, in a sentence. Null when it meets it. */
export const explain = (schema: object, value: unknown, check: FormatCheck): string | null => {
  const found = findingIn(schema, value, check);
  return found && sentenceOf(found);
};
