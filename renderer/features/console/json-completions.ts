import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { getLocation, parse } from "jsonc-parser";
import { type Definitions, followed, type Schema } from "../../domain/exchange/json-schema.ts";
import type { Path } from "../../lib/json-text.ts";
import { valueAt } from "./json-body.ts";

/** A schema and its alternatives. */
const schemaVariants = (schema: Schema, definitions: Definitions): readonly Schema[] => {
  const whole = followed(schema, definitions);
  const parts = [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  return [whole, ...parts.flatMap((part) => schemaVariants(part, definitions))];
};

const schemasAt = (schema: Schema, definitions: Definitions, path: Path): readonly Schema[] =>
  path.reduce<readonly Schema[]>(
    (all, step) =>
      all.flatMap(({ properties, items }) => {
        const next = typeof step === "number" ? items : properties?.[step];
        return next ? schemaVariants(next, definitions) : [];
      }),
    schemaVariants(schema, definitions),
  );

const schemaTypes = ({ type }: Schema): readonly string[] => (typeof type === "string" ? [type] : (type ?? []));

const declaredValues = (schemas: readonly Schema[]): Completion[] => {
  const written = schemas.flatMap((schema) => [
    ...(schema.enum ?? []).map((one) => JSON.stringify(one)),
    ...("const" in schema ? [JSON.stringify(schema.const)] : []),
    ...(schemaTypes(schema).includes("boolean") ? ["true", "false"] : []),
    ...(schemaTypes(schema).includes("null") ? ["null"] : []),
  ]);
  return [...new Set(written)].map((label) => ({ label, type: "constant" }));
};

const stub = (schemas: readonly Schema[]): string => {
  const [type] = schemas.flatMap(schemaTypes);
  if (type === "object") return "{}";
  if (type === "array") return "[]";
  return type === "string" ? '""' : "";
};

const declaredNames = (
  schemas: readonly Schema[],
  definitions: Definitions,
  there: unknown,
  hasValue: boolean,
): Completion[] =>
  schemas.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => typeof there !== "object" || there === null || !Object.hasOwn(there, name))
      .map(([name, schema]): Completion => {
        const variants = schemaVariants(schema, definitions);
        return {
          label: `"${name}"`,
          apply: hasValue ? `"${name}"` : `"${name}": ${stub(variants)}`,
          detail: required.includes(name) ? "required" : "",
          info: variants[0]?.description ?? "",
          type: "property",
          boost: required.includes(name) ? 1 : 0,
        };
      }),
  );

/** A suggested value with its label. */
interface OfferedValue {
  readonly value: string;
  readonly name: string;
  readonly note: string;
}
/** Finds values of this world for the field at a path, by the typed text. */
export type Offer = (path: Path, typed: string, body: unknown) => Promise<readonly OfferedValue[]>;

const offered = ({ value, name, note }: OfferedValue): Completion => ({
  label: name,
  detail: note,
  apply: JSON.stringify(value),
  type: "variable",
});

/** Completions at the cursor: field names, declared values, and values of this world. */
export const createCompletions =
  (schema: Schema | null, definitions: Definitions, offer: Offer) =>
  async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    if (schema === null) return null;
    const text = state.doc.toString();
    const { path, isAtPropertyKey, previousNode } = getLocation(text, pos);
    const isOver =
      previousNode !== undefined && previousNode.offset <= pos && pos <= previousNode.offset + previousNode.length;
    if (!isOver && !explicit) return null;
    const range = isOver
      ? { from: previousNode.offset, to: previousNode.offset + previousNode.length }
      : { from: pos, to: pos };
    if (!isAtPropertyKey) {
      const values = declaredValues(schemasAt(schema, definitions, path));
      const typed = typeof previousNode?.value === "string" && isOver ? previousNode.value : "";
      const known = isOver && previousNode.type !== "string" ? [] : await offer(path, typed, parse(text));
      if (known.length === 0) return { ...range, options: values, filter: isOver };
      // Not filtered again: the values match the typed text, although their labels may not start with it.
      return { ...range, options: [...known.map(offered), ...(typed === "" ? values : [])], filter: false };
    }
    const holder = path.slice(0, -1);
    const there = valueAt(parse(text), holder);
    const hasValue = /^\s*:/.test(text.slice(range.to));
    return { ...range, options: declaredNames(schemasAt(schema, definitions, holder), definitions, there, hasValue) };
  };
