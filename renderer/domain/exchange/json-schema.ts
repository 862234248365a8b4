import type { Origin } from "../../../sandbox/contract/operation.ts";

/** JSON Schema as the service's documents write it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  /** `{}`: nothing meets it, as of a key that must not be there. */
  readonly not?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly "x-origin"?: Origin;
  readonly "x-decisions"?: readonly string[];
}

/** What schemas refer to, by name. */
export type Definitions = Readonly<Record<string, Schema>>;

/** Without the keys that must not be there. */
const withoutAbsent = (schema: Schema): Schema => {
  const { properties = {} } = schema;
  const present = Object.entries(properties).filter(([, { not }]) => not === undefined);
  return present.length === Object.keys(properties).length
    ? schema
    : { ...schema, properties: Object.fromEntries(present) };
};

/** The schema itself, where another one refers to it by name; of an object the keys that may be there. */
export const followed = (schema: Schema, definitions: Definitions): Schema => {
  if (schema.$ref === undefined) return withoutAbsent(schema);
  const { $ref, ...beside } = schema;
  const named = definitions[$ref.slice($ref.lastIndexOf("/") + 1)];
  return named === undefined ? beside : { ...followed(named, definitions), ...beside };
};
