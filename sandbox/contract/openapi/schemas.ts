import * as events from "../events.ts";
import { isObject } from "../explain.ts";
import { tier1Prepare } from "../operations/partner.ts";
import * as basket from "../resources/basket.ts";
import * as business from "../resources/business.ts";
import * as condition from "../resources/condition.ts";
import * as job from "../resources/job.ts";
import * as procurement from "../resources/procurement.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Plain = { [key: string]: Json };

/** Names that the contract gives to shapes, with their version (contract, "Versioning"). */
const contractNames: Readonly<Record<string, string>> = {
  Basket: "BasketsLatestGetResponseV1",
  Business: "BusinessV1",
  Job: "JobV1",
  JobIdentity: "JobIdentityV1",
  Offer: "OfferV1",
  Part: "PartV1",
  PartIdentity: "PartIdentityV1",
  PartInsert: "PartInsertV1",
  Supplier: "SupplierV1",
  Vehicle: "VehicleV1",
  WorkProvider: "WorkProviderV1",
};

/** The document's named schemas: every schema that resources and events export. */
const namedSchemas = Object.entries({ ...events, ...basket, ...business, ...condition, ...job, ...procurement })
  .filter(([name, value]) => isObject(value) && /^[A-Z]/.test(name))
  .map(([name, value]) => [contractNames[name] ?? name, value] as const)
  .toSorted(([one], [other]) => (one < other ? -1 : 1));

const names = new Map<unknown, string>(namedSchemas.map(([name, schema]) => [schema, name] as const));

/** Any JSON is accepted here and returned with a reason, so the document also describes the valid form. */
const rawIdentifier: unknown = tier1Prepare.request.properties.identifiers.items;

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === "null";

/**
 * The contract's own formats in JSON Schema; D9's rule for text has no equivalent and is described in prose. An address
 * is stored as browsers accept it (D37), which includes characters that the registered format `uri` forbids: letters
 * beyond ASCII, `|`, a bare `%`.
 */
const formats: Record<string, Plain> = { text: {}, "absolute-url": { pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" } };

const DECIDED = /\s*\((D\d+(?:, D\d+)*)\)$/;

/** Turns a description into a sentence; decisions named at its end become the badge of an assumption. */
const described = (description: string): Plain => {
  const decided = DECIDED.exec(description)?.[1]?.split(", ");
  const text = description.replace(DECIDED, "");
  return {
    description: /[.?!]$/.test(text) ? text : `${text}.`,
    ...(decided ? { "x-origin": "assumption", "x-decisions": decided } : {}),
  };
};

const unionSchema = (variants: readonly unknown[]): Plain => {
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

const propertySchemas = (properties: Record<string, unknown>): Plain =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, documented(schema)]));

const keywordSchema = (key: string, value: unknown): Plain => {
  if (key === "description" && typeof value === "string") return described(value);
  if (key === "properties" && isObject(value)) return { properties: propertySchemas(value) };
  // A tuple in JSON Schema 2020-12.
  if (key === "items" && Array.isArray(value))
    return { prefixItems: value.map(documented), minItems: value.length, items: false };
  if (key === "additionalItems") return {};
  if (key === "items" || key === "additionalProperties")
    return { [key]: isObject(value) ? documented(value) : (value as Json) };
  if (key === "patternProperties" && isObject(value))
    return { additionalProperties: documented(Object.values(value)[0]) };
  if (key === "anyOf" && Array.isArray(value)) return unionSchema(value);
  if (key === "format" && typeof value === "string") return formats[value] ?? { format: value };
  return { [key]: value as Json };
};

const written = (schema: object): Plain =>
  Object.assign({}, ...Object.entries(schema).map(([key, value]) => keywordSchema(key, value)));

/** A declared schema as the document shows it: named schemas become references. */
export const documented = (schema: unknown): Plain => {
  if (schema === rawIdentifier) return { anyOf: [documented(job.VehicleIdentifier), {}] };
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return isObject(schema) ? written(schema) : {};
};

export const componentSchemas: Plain = Object.fromEntries(
  namedSchemas.map(([name, schema]) => [name, written(schema)]),
);

/** Resolves the references of a schema, for tools that don't follow them. */
export const inlined = (schema: Json): Json => {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(inlined);
  const { $ref } = schema;
  if (typeof $ref === "string") return inlined(componentSchemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {});
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value)]));
};
