import { type Definitions, followed, type Schema } from "../../domain/exchange/json-schema.ts";
import { NumberText } from "../../lib/parsed-json.ts";

interface Shared {
  readonly required: boolean;
  readonly nullable: boolean;
  readonly description: string;
  /** Decisions behind the field's meaning. */
  readonly decisions: readonly string[];
  /** Valid values in a few words: "UUID", "list of addresses, at most 100". */
  readonly takes: string;
}

/** A body field for the form. */
export type Field = Shared &
  (
    | { readonly kind: "text" | "number" | "yesno" | "json" }
    | { readonly kind: "choice"; readonly choices: readonly string[] }
    | { readonly kind: "object"; readonly fields: Fields }
    | { readonly kind: "list"; readonly item: Field }
    /** Exactly one of several objects. */
    | { readonly kind: "variants"; readonly variants: readonly Fields[] }
  );
export type Fields = ReadonlyMap<string, Field>;

const isNull = ({ type }: Schema): boolean => type === "null";
/** `{}` beside a typed schema only says that any other value is accepted, too. */
const isAnything = (schema: Schema): boolean => Object.keys(schema).length === 0;

/** Removes null and `{}` from a schema's alternatives. */
const withoutNull = (schema: Schema): { readonly schema: Schema; readonly nullable: boolean } => {
  const { type, anyOf, ...rest } = schema;
  if (typeof type === "object" && type.includes("null")) {
    const [only, ...more] = type.filter((one) => one !== "null");
    return { schema: more.length === 0 && only !== undefined ? { ...rest, type: only } : rest, nullable: true };
  }
  if (anyOf === undefined) return { schema, nullable: false };
  const [only, ...more] = anyOf.filter((one) => !isNull(one) && !isAnything(one));
  if (more.length + 1 === anyOf.length) return { schema, nullable: false };
  return {
    schema: more.length === 0 && only ? { ...rest, ...only } : { ...rest, anyOf: [only ?? {}, ...more] },
    nullable: anyOf.some(isNull),
  };
};

const atMost = ({ maxItems }: Schema) => (maxItems === undefined ? "" : `, at most ${maxItems}`);

const rangeText = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return minimum === 0 ? "" : ` from ${minimum}`;
  return maximum === undefined ? "" : ` up to ${maximum}`;
};

const formatText: Readonly<Record<string, string>> = { uuid: "UUID", "date-time": "time" };
const isAddress = ({ format, pattern = "" }: Schema): boolean => format === "uri" || pattern.endsWith("://");
const plurals: Readonly<Record<string, string>> = {
  text: "texts",
  UUID: "UUIDs",
  address: "addresses",
  time: "times",
  choice: "choices",
  object: "objects",
};

type Shape = Field extends infer F ? (F extends Field ? Omit<F, keyof Shared> & Pick<Shared, "takes"> : never) : never;

const fieldShape = (schema: Schema, definitions: Definitions): Shape => {
  const { type, properties, items, oneOf } = schema;
  if (schema.enum) return { kind: "choice", choices: schema.enum, takes: "choice" };
  if (typeof schema.const === "string") return { kind: "choice", choices: [schema.const], takes: "choice" };
  if (oneOf) {
    const variants = oneOf.map((one) => followed(one, definitions));
    if (!variants.every((one) => one.properties)) return { kind: "json", takes: "JSON" };
    return { kind: "variants", variants: variants.map((one) => schemaFields(one, definitions)), takes: "object" };
  }
  if (type === "object" && properties)
    return { kind: "object", fields: schemaFields(schema, definitions), takes: "object" };
  if (type === "array" && items) {
    const item = readField(items, definitions, true);
    return { kind: "list", item, takes: `list of ${plurals[item.takes] ?? item.takes}${atMost(schema)}` };
  }
  if (type === "string")
    return { kind: "text", takes: isAddress(schema) ? "address" : (formatText[schema.format ?? ""] ?? "text") };
  if (type === "integer") return { kind: "number", takes: `whole number${rangeText(schema)}` };
  if (type === "number") return { kind: "number", takes: `number${rangeText(schema)}` };
  if (type === "boolean") return { kind: "yesno", takes: "true or false" };
  return { kind: "json", takes: type === "object" ? "object" : "JSON" };
};

const readField = (declared: Schema, definitions: Definitions, required: boolean): Field => {
  const outer = withoutNull(followed(declared, definitions));
  // A nullable schema may also be a reference.
  const inner = withoutNull(followed(outer.schema, definitions));
  const shape = fieldShape(inner.schema, definitions);
  const nullable = outer.nullable || inner.nullable;
  return {
    ...shape,
    required,
    nullable,
    takes: nullable ? `${shape.takes} or null` : shape.takes,
    description: inner.schema.description ?? "",
    decisions: inner.schema["x-decisions"] ?? [],
  };
};

/** Returns an object's fields in their declared order. */
export const schemaFields = (schema: Schema, definitions: Definitions): Fields => {
  const { properties = {}, required = [] } = followed(schema, definitions);
  return new Map(
    Object.entries(properties).map(([name, one]) => [name, readField(one, definitions, required.includes(name))]),
  );
};

/** The initial value of an added field. */
export const startingValue = (field: Field): unknown => {
  switch (field.kind) {
    case "choice":
      return field.choices[0] ?? "";
    case "yesno":
      return true;
    case "number":
      return 1;
    case "list":
      return [];
    case "object":
      return initialValues(field.fields);
    case "variants":
      return initialValues(field.variants.at(-1) ?? new Map());
    case "json":
      return field.nullable ? null : {};
    default:
      return "";
  }
};

export const initialValues = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...fields].filter(([, field]) => field.required).map(([name, field]) => [name, startingValue(field)]),
  );

const words: Readonly<Record<string, string>> = {
  if_: "If it exists",
  exists: "What to do if it exists",
  job_identity: "Which job",
  external: "Your identifier",
  external_id: "Your identifier",
  id: "Identifier",
  images: "Pictures",
  repairer_site_id: "Site",
  sellable_ids: "Offers",
  work_provider_contract: "Insurer, by name",
  work_provider_id: "Insurer",
  plate_number: "Plate",
  plate_state: "State",
  chassis_number: "Chassis",
  procurement_id: "Order",
  integration_id: "Integration",
  url: "Address",
};

/** A field's label; the API name is shown beside it. */
export const fieldLabel = (name: string, operation: string | null = null): string => {
  const known = words[name];
  if (known !== undefined) return known;
  if (name === "identity" && operation !== null)
    return operation.startsWith("repairer.jobs.") ? "Which job" : "Which order";
  const text = name
    .replace(/_ids?$/, "")
    .replaceAll("_", " ")
    .trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Parses a typed number; keeps invalid text, which the service refuses. */
export const parseNumber = (text: string): NumberText | string => (NUMBER.test(text) ? new NumberText(text) : text);
