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
  readonly format?: string;
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

/** The schema itself, where another one refers to it by name. */
export const followed = (schema: Schema, definitions: Definitions): Schema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const named = definitions[$ref.slice($ref.lastIndexOf("/") + 1)];
  return named === undefined ? beside : { ...followed(named, definitions), ...beside };
};
