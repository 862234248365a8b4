import { inlined, type Json, type Plain } from "../../sandbox/contract/openapi/schemas.ts";
import { table } from "./page.ts";

const isPlain = (value: Json | undefined): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const plains = (value: Json | undefined): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : []);
const strings = (value: Json | undefined): string[] => [value ?? []].flat().filter((one) => typeof one === "string");

/** The alternatives of a schema except null; the schema itself without alternatives. */
const schemaVariants = (schema: Plain): Plain[] => {
  const variants = [...plains(schema.anyOf), ...plains(schema.oneOf)].filter(
    // A variant that accepts anything has no fields.
    (one) => one.type !== "null" && Object.keys(one).length > 0,
  );
  return variants.length === 0 ? [schema] : variants.flatMap(schemaVariants);
};

const isNullable = ({ type, anyOf, oneOf }: Plain): boolean =>
  strings(type).includes("null") || [...plains(anyOf), ...plains(oneOf)].some((one) => one.type === "null");

const wordFor = (schema: Plain): string => {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.type === "array") return isPlain(schema.items) ? `array of ${fieldType(schema.items)}` : "array";
  const [type] = strings(schema.type).filter((one) => one !== "null");
  if (String(schema.pattern).endsWith("://")) return "URL";
  return schema.format === undefined ? (type ?? "any") : String(schema.format);
};

const fieldType = (schema: Plain): string => {
  const words = [...new Set(schemaVariants(schema).map(wordFor)), ...(isNullable(schema) ? ["`null`"] : [])];
  return words.join(" or ");
};

const fieldNote = (schema: Plain): string => {
  const decisions = strings(schema["x-decisions"]);
  const links = decisions.map((id) => `[${id}](/help/explanation/assumptions/#${id.toLowerCase()})`);
  return [...strings(schema.description), ...(links.length > 0 ? [`(${links.join(", ")})`] : [])].join(" ");
};

/** Permitted fields; excludes the keys of other variants. */
const permittedFields = ({ properties }: Plain): Plain =>
  isPlain(properties)
    ? Object.fromEntries(Object.entries(properties).filter(([, field]) => !(isPlain(field) && field.not)))
    : {};

/** Returns whether a body must have a variant's field: always, in some variants, or as one of several alternatives. */
const requirement = (variants: readonly Plain[], variant: Plain, name: string): string => {
  if (!strings(variant.required).includes(name)) return "no";
  const objects = variants.filter(({ properties }) => isPlain(properties));
  if (objects.every((one) => name in permittedFields(one))) return "yes";
  const others = objects.map((one) => Object.keys(permittedFields(one)));
  return others.every(({ length }) => length === 1)
    ? `one of ${others.map(([one]) => `\`${one}\``).join(", ")}`
    : "in some cases";
};

/** Rows for each field; nested fields have their full path. */
const fieldRows = (schema: Plain, path: string): string[][] => {
  const rows: string[][] = [];
  const variants = schemaVariants(schema);
  for (const variant of variants) {
    if (isPlain(variant.items)) rows.push(...fieldRows(variant.items, `${path}[]`));
    for (const [name, field] of Object.entries(permittedFields(variant))) {
      if (!isPlain(field)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      rows.push([`\`${at}\``, fieldType(field), requirement(variants, variant, name), fieldNote(field)]);
      rows.push(...fieldRows(field, at));
    }
  }
  return rows;
};

/** The fields of a declared body as a table. A field of several variants appears once, as declared in the first. */
export const fieldTable = (schema: Json): string => {
  const plain = inlined(schema);
  const rows = isPlain(plain) ? fieldRows(plain, "") : [];
  const first = new Map(rows.toReversed().map((row) => [row[0], row]));
  const known = [...new Set(rows.map(([name]) => name))].flatMap((name) => [first.get(name) ?? []]);
  // A field that one variant may omit is optional.
  const required = (name: string | undefined): string => {
    const said = new Set(rows.filter((row) => row[0] === name).map((row) => row[2]));
    return said.has("no") ? "no" : ([...said][0] ?? "no");
  };
  return table(
    ["Field", "Type", "Required", "Meaning"],
    known.map(([name = "", type = "", , meaning = ""]) => [name, type, required(name), meaning]),
  );
};
