import { type Finding, pointer } from "../contract/explain.ts";

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly patternProperties?: object;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const find = (schema: Schema, value: unknown, path: string): Finding | null => {
  if (schema.anyOf) {
    const variant = schema.anyOf.find(({ required = [] }) => isObject(value) && required.every((key) => key in value));
    return variant ? find(variant, value, path) : null;
  }
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) {
      const found = find(schema.items, item, pointer(path, index));
      if (found !== null) return found;
    }
  }
  if (!isObject(value) || !schema.properties) return null;
  for (const [key, one] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property === undefined) {
      const known = Object.keys(schema.properties).filter((name) => !schema.properties?.[name]?.not);
      return { path: pointer(path, key), problem: `is not known here; there are ${known.join(", ")}` };
    }
    const found = find(property, one, pointer(path, key));
    if (found !== null) return found;
  }
  return null;
};

/**
 * The first key of a value that meets a schema which the schema does not name. In a file that people write, a key that
 * nobody reads is a mistake that would go unnoticed.
 */
export const unknownKey = (schema: object, value: unknown): Finding | null => find(schema as Schema, value, "");
