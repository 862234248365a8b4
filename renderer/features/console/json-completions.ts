import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { getLocation, parse } from "jsonc-parser";
import { type Definitions, followed, type Schema } from "../../domain/exchange/json-schema.ts";
import type { Path } from "../../lib/json-text.ts";
import { valueAt } from "./json-body.ts";

/** The schema itself and those it is one of. */
const variantsOf = (schema: Schema, definitions: Definitions): readonly Schema[] => {
  const whole = followed(schema, definitions);
  const parts = [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  return [whole, ...parts.flatMap((part) => variantsOf(part, definitions))];
};

/** What is declared at a path. */
const schemasAt = (schema: Schema, definitions: Definitions, path: Path): readonly Schema[] =>
  path.reduce<readonly Schema[]>(
    (all, step) =>
      all.flatMap(({ properties, items }) => {
        const next = typeof step === "number" ? items : properties?.[step];
        return next ? variantsOf(next, definitions) : [];
      }),
    variantsOf(schema, definitions),
  );

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === "string" ? [type] : (type ?? []));

const valuesOf = (schemas: readonly Schema[]): Completion[] => {
  const written = schemas.flatMap((schema) => [
    ...(schema.enum ?? []).map((one) => JSON.stringify(one)),
    ...("const" in schema ? [JSON.stringify(schema.const)] : []),
    ...(typesOf(schema).includes("boolean") ? ["true", "false"] : []),
    ...(typesOf(schema).includes("null") ? ["null"] : []),
  ]);
  return [...new Set(written)].map((label) => ({ label, type: "constant" }));
};

const stub = (schemas: readonly Schema[]): string => {
  const [type] = schemas.flatMap(typesOf);
  if (type === "object") return "{}";
  if (type === "array") return "[]";
  return type === "string" ? '""' : "";
};

const namesOf = (
  schemas: readonly Schema[],
  definitions: Definitions,
  there: unknown,
  hasValue: boolean,
): Completion[] =>
  schemas.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => typeof there !== "object" || there === null || !Object.hasOwn(there, name))
      .map(([name, schema]): Completion => {
        const variants = variantsOf(schema, definitions);
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

/** A value that a field can have, under the name a person knows it by. */
export interface OfferedValue {
  readonly value: string;
  readonly name: string;
  readonly note: string;
}
/** What the field at a path can name, found by what was typed in it. */
export type Offer = (path: Path, typed: string, body: unknown) => Promise<readonly OfferedValue[]>;

const offered = ({ value, name, note }: OfferedValue): Completion => ({
  label: name,
  detail: note,
  apply: JSON.stringify(value),
  type: "variable",
});

/** What can be written at the cursor: the names of fields, the values that are declared, and what they can name. */
export const completionsOf =
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
      const values = valuesOf(schemasAt(schema, definitions, path));
      const typed = typeof previousNode?.value === "string" && isOver ? previousNode.value : "";
      const known = isOver && previousNode.type !== "string" ? [] : await offer(path, typed, parse(text));
      if (known.length === 0) return { ...range, options: values, filter: isOver };
      // They were found by what was typed, which their names need not begin with.
      return { ...range, options: [...known.map(offered), ...(typed === "" ? values : [])], filter: false };
    }
    const holder = path.slice(0, -1);
    const there = valueAt(parse(text), holder);
    const hasValue = /^\s*:/.test(text.slice(range.to));
    return { ...range, options: namesOf(schemasAt(schema, definitions, holder), definitions, there, hasValue) };
  };
