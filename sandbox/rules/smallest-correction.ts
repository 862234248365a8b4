import { type FormatCheck, findingIn, itemSchema, type Schema, sentenceOf } from "../contract/explain.ts";
import { likeness } from "../contract/nearest-names.ts";
import { NO_ONES_ID } from "../contract/no-ones-id.ts";

/** One change of a body; `before` is absent where something is added, `after` where it is taken away. */
export interface BodyEdit {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason: string;
}

export interface CorrectedBody {
  readonly body: unknown;
  readonly edits: readonly BodyEdit[];
}

type Plain = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const keysOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** What is at a place of a value; undefined: nothing. */
export const valueAt = (value: unknown, pointer: string): unknown => {
  let at = value;
  for (const key of keysOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
};

const withKeys = (value: unknown, keys: readonly string[], put: unknown): unknown => {
  const [key, ...rest] = keys;
  if (key === undefined) return put;
  if (Array.isArray(value)) {
    const copy = [...(value as unknown[])];
    const index = Number(key);
    if (rest.length === 0 && put === undefined) copy.splice(index, 1);
    else copy[index] = withKeys(copy[index], rest, put);
    return copy;
  }
  const object = isObject(value) ? value : {};
  const entries = Object.entries(object).filter(([name]) => name !== key);
  if (rest.length === 0 && put === undefined) return Object.fromEntries(entries);
  const next = withKeys(Object.hasOwn(object, key) ? object[key] : undefined, rest, put);
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).map(([name, one]) => [name, name === key ? next : one]))
    : Object.fromEntries([...entries, [key, next]]);
};

/** A copy with something else at a place; undefined takes away what is there. */
export const withValueAt = (value: unknown, pointer: string, put: unknown): unknown =>
  withKeys(value, keysOf(pointer), put);

/** The schema of a place; in one of several variants it is that whose own key is there. */
const schemaAt = (schema: Schema, value: unknown, keys: readonly string[]): Schema | null => {
  const [key, ...rest] = keys;
  if (key === undefined) return schema;
  const variants = schema.anyOf?.filter((one) => one.type !== "null") ?? [schema];
  const variant =
    variants.length === 1
      ? variants[0]
      : variants.find((one) => isObject(value) && Object.hasOwn(value, one.required?.[0] ?? ""));
  const inner = variant?.type === "array" ? itemSchema(variant, Number(key)) : variant?.properties?.[key];
  return inner ? schemaAt(inner, valueAt(value, `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`), rest) : null;
};

/** A value of a schema, as plain as there is. */
export const plainValue = (schema: Schema): unknown => {
  if (schema.anyOf) return schema.anyOf.some((one) => one.type === "null") ? null : plainValue(schema.anyOf[0] ?? {});
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, plainValue(schema.properties?.[key] ?? {})]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, (_, index) => plainValue(itemSchema(schema, index) ?? {}));
    case "string":
      if (schema.format === "uuid") return NO_ONES_ID;
      return schema.format === "absolute-url" ? "https://example.com/" : "";
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    default:
      return null;
  }
};

/** A number as it is declared: whole, within its range. */
const ofNumber = (value: number, { minimum = -Infinity, maximum = Infinity }: Schema): number[] => {
  const whole = Math.round(value);
  return [value, whole, Math.min(maximum, Math.max(minimum, whole))];
};

/** The listed values by how alike they are to what was sent, the nearest first; what is like none is not among them. */
const nearestOf = (listed: readonly unknown[], sent: string): unknown[] => {
  const alike = (one: unknown): number => likeness(sent.toLowerCase(), String(one).toLowerCase());
  return listed.filter((one) => alike(one) > 0).toSorted((one, other) => alike(other) - alike(one));
};

/** What a string may have been meant as. */
const ofText = (text: string, schema: Schema): unknown[] => {
  const trimmed = text.trim();
  const hex = trimmed.replace(/^urn:uuid:/i, "").replace(/[{}-]/g, "");
  const uuid = /^[0-9a-f]{32}$/i.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : null;
  const storable = text.toWellFormed().replaceAll("\u0000", "");
  return [
    ...(/^-?\d+(\.\d+)?$/.test(trimmed) ? ofNumber(Number(trimmed), schema) : []),
    ...(trimmed === "true" || trimmed === "false" ? [trimmed === "true"] : []),
    ...(uuid === null ? [] : [uuid]),
    ...nearestOf(schema.enum ?? [], trimmed),
    trimmed,
    `https://${trimmed}`,
    storable,
    [...storable].slice(0, schema.maxLength ?? storable.length).join(""),
  ];
};

const ofVariant = (value: Plain, schema: Schema): unknown[] => {
  const own = (schema.anyOf ?? []).flatMap(({ required }) => required?.slice(0, 1) ?? []);
  const [kept] = own.filter((key) => Object.hasOwn(value, key));
  if (kept === undefined) return [];
  return [Object.fromEntries(Object.entries(value).filter(([key]) => key === kept || !own.includes(key)))];
};

/** A string as what it is the only key of, such as an identity. */
const ofOnlyKey = (value: string, solid: readonly Schema[]): unknown[] =>
  solid.flatMap(({ required = [] }) => {
    const [key, another] = required;
    return key === undefined || another !== undefined ? [] : [{ [key]: value }];
  });

/** What a value may have been meant as, the nearest first. */
const meant = (value: unknown, schema: Schema): unknown[] => {
  const solid = schema.anyOf?.filter((one) => one.type !== "null") ?? [schema];
  const [only = schema] = solid;
  if (typeof value === "string") return [...ofText(value, only), [value], ...ofOnlyKey(value, solid)];
  if (typeof value === "number") return [String(value), ...ofNumber(value, only), [value]];
  if (typeof value === "boolean") return [String(value), [value]];
  if (Array.isArray(value)) {
    const once = [...new Map(value.map((one) => [JSON.stringify(one), one])).values()];
    return [once, value.slice(0, only.maxItems ?? value.length), ...(value.length === 1 ? [value[0]] : [])];
  }
  if (!isObject(value)) return [];
  return solid.length > 1 ? ofVariant(value, { anyOf: solid }) : [[value]];
};

/** Each edit settles what was found, and finding goes forward through a body that is finite. */
const MOST_EDITS = 1_000;

/**
 * A body with the smallest correction by which it meets a declaration: a value is taken as what it was meant as, where
 * that is plain; else it is null, the example's, the plainest there is, or left out.
 *
 * @param example a body that meets the declaration
 */
export const correctedShape = (
  declared: object,
  body: unknown,
  example: unknown,
  check: FormatCheck,
): CorrectedBody | null => {
  const schema = declared as Schema;
  const fits = (one: Schema, value: unknown): boolean => findingIn(one, value, check) === null;
  let corrected = body;
  const edits: BodyEdit[] = [];
  for (let count = 0; count < MOST_EDITS; count += 1) {
    const found = findingIn(schema, corrected, check);
    if (!found) return { body: corrected, edits };
    const { path } = found;
    const keys = keysOf(path);
    const before = valueAt(corrected, path);
    const at = schemaAt(schema, corrected, keys);
    const choices = at === null || at.not ? [] : [...meant(before, at), null, valueAt(example, path), plainValue(at)];
    const after = choices.find((one) => one !== undefined && at !== null && fits(at, one));
    if (after === undefined && before === undefined) return null;
    corrected = withValueAt(corrected, path, after);
    edits.push({
      pointer: path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      reason: sentenceOf(found),
    });
  }
  return null;
};
