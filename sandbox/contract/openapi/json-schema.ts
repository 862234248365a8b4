import { namedSchemas } from "./named-schemas.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Plain = { [key: string]: Json };

const names = new Map<unknown, string>(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNull = (schema: unknown): boolean => isPlain(schema) && schema.type === "null";

/** A key that must not be present: said by `oneOf` in the document, so left out of the properties. */
const isAbsent = (schema: unknown): boolean =>
  isPlain(schema) && isPlain(schema.not) && Object.keys(schema.not).length === 0;

/** The contract's own formats in the words of the registry; D9's rule on text has none and is said in prose. */
const formats: Record<string, string | null> = { text: null, "absolute-url": "uri" };

const ofUnion = (variants: readonly unknown[]): Plain => {
  const solid = variants.filter((variant) => !isNull(variant));
  const [only] = solid;
  if (solid.length === 1 && solid.length < variants.length) {
    const schema = documented(only);
    const { type } = schema;
    if (typeof type === "string" && !("enum" in schema) && !("properties" in schema))
      return { ...schema, type: [type, "null"] };
    return { anyOf: [schema, { type: "null" }] };
  }
  return { oneOf: variants.map((variant) => documented(variant)) };
};

const ofProperties = (properties: Record<string, unknown>): Plain =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => !isAbsent(schema))
      .map(([key, schema]) => [key, documented(schema)]),
  );

const written = (schema: Record<string, unknown>): Plain => {
  if (Array.isArray(schema.anyOf)) {
    const { description } = schema;
    return { ...(typeof description === "string" ? { description } : {}), ...ofUnion(schema.anyOf) };
  }
  const result: Plain = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties" && isPlain(value)) result[key] = ofProperties(value);
    else if (key === "items" || key === "additionalProperties")
      result[key] = isPlain(value) ? documented(value) : (value as Json);
    else if (key === "patternProperties" && isPlain(value))
      result.additionalProperties = documented(Object.values(value)[0]);
    else if (key === "format" && typeof value === "string") {
      const format = value in formats ? formats[value] : value;
      if (format) result[key] = format;
    } else result[key] = value as Json;
  }
  return result;
};

/** A declared schema as it stands in the document: named ones by reference. */
export const documented = (schema: unknown): Plain => {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return isPlain(schema) ? written(schema) : {};
};

/** The named schemas, written out. */
export const componentSchemas = (): Plain =>
  Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => [name, written(schema as unknown as Record<string, unknown>)]),
  );
