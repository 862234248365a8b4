/** The keywords of JSON Schema that the contract's declarations use. */
export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patternProperties?: object;
}

/** What a value should be at which path; the path is a JSON Pointer. */
export interface Finding {
  readonly path: string;
  readonly problem: string;
}

/** Whether a string meets a format of the contract's vocabulary. */
export type FormatCheck = (format: string, value: string) => boolean;

const formatProblems: Record<string, string> = {
  uuid: "must be a UUID",
  text: "must not contain U+0000 or a lone surrogate",
  "absolute-url": "must be an absolute http or https URL",
  "date-time": "must be an RFC 3339 date-time",
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const owns = (value: Record<string, unknown>, key: string): boolean => Object.hasOwn(value, key);

const pointer = (path: string, key: string | number): string =>
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

const ofArray = (schema: Schema, value: readonly unknown[], path: string, check: FormatCheck): Finding | null => {
  if (schema.minItems !== undefined && value.length < schema.minItems)
    return { path, problem: `must have at least ${schema.minItems} items` };
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    return { path, problem: `must have at most ${schema.maxItems} items` };
  if (schema.uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    return { path, problem: "must not repeat an item" };
  for (const [index, item] of value.entries()) {
    const found = schema.items && find(schema.items, item, pointer(path, index), check);
    if (found) return found;
  }
  return null;
};

const ofObject = (schema: Schema, value: Record<string, unknown>, path: string, check: FormatCheck): Finding | null => {
  for (const key of schema.required ?? []) {
    if (!owns(value, key)) return { path: pointer(path, key), problem: "is required" };
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const found = owns(value, key) ? find(property, value[key], pointer(path, key), check) : null;
    if (found) return found;
  }
  return null;
};

/** A union of objects that differ by one required key each: exactly one of the keys must be there (D7). */
const ofVariants = (variants: readonly Schema[], value: unknown, path: string, check: FormatCheck): Finding | null => {
  const keys = variants.map((variant) => variant.required?.[0] ?? "");
  const shape = `must have exactly one of ${keys.join(", ")}`;
  if (!isObject(value)) return { path, problem: "must be object" };
  const present = variants.filter((_, index) => owns(value, keys[index] ?? ""));
  const [only] = present;
  return present.length === 1 && only ? find(only, value, path, check) : { path, problem: shape };
};

const ofUnion = (variants: readonly Schema[], value: unknown, path: string, check: FormatCheck): Finding | null => {
  const solid = variants.filter((variant) => variant.type !== "null");
  if (solid.length < variants.length && value === null) return null;
  const [only] = solid;
  if (solid.length === 1 && only) {
    const found = find(only, value, path, check);
    return found && solid.length < variants.length && found.path === path && found.problem.startsWith("must be")
      ? { path, problem: `${found.problem} or null` }
      : found;
  }
  return ofVariants(solid, value, path, check);
};

const find = (schema: Schema, value: unknown, path: string, check: FormatCheck): Finding | null => {
  if (schema.anyOf) return ofUnion(schema.anyOf, value, path, check);
  if (schema.not) return { path, problem: "must not be here" };
  if ("const" in schema)
    return value === schema.const ? null : { path, problem: `must be ${JSON.stringify(schema.const)}` };
  const problem = (text: string | null): Finding | null => (text === null ? null : { path, problem: text });
  switch (schema.type) {
    case "object":
      return isObject(value) ? ofObject(schema, value, path, check) : problem("must be object");
    case "array":
      return Array.isArray(value) ? ofArray(schema, value, path, check) : problem("must be array");
    case "string":
      return problem(typeof value === "string" ? ofString(schema, value, check) : "must be string");
    case "integer":
    case "number":
      return problem(typeof value === "number" ? ofNumber(schema, value) : `must be ${schema.type}${range(schema)}`);
    case "boolean":
      return problem(typeof value === "boolean" ? null : "must be boolean");
    case "null":
      return problem(value === null ? null : "must be null");
    default:
      return null;
  }
};

/** What of a value does not meet a declaration first; null when it meets it. */
export const findingIn = (schema: object, value: unknown, check: FormatCheck): Finding | null =>
  find(schema as Schema, value, "", check);

/** A finding as a sentence that names the field by its path (D3): `/vehicle/plate_number must be string or null`. */
export const sentenceOf = ({ path, problem }: Finding): string => `${path || "the body"} ${problem}`;

/** Why a value does not meet a declaration, in a sentence. Null when it meets it. */
export const explain = (schema: object, value: unknown, check: FormatCheck): string | null => {
  const found = findingIn(schema, value, check);
  return found && sentenceOf(found);
};
