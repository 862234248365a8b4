/** The JSON Schema keywords of the service's documents. */
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
  /** `{}` forbids every value, for keys that must be absent. */
  readonly not?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly description?: string;
  readonly "x-decisions"?: readonly string[];
}

/** Named schemas for references. */
export type Definitions = Readonly<Record<string, Schema>>;

/** Removes keys that must be absent. */
const withoutAbsent = (schema: Schema): Schema => {
  const { properties = {} } = schema;
  const present = Object.entries(properties).filter(([, { not }]) => not === undefined);
  return present.length === Object.keys(properties).length
    ? schema
    : { ...schema, properties: Object.fromEntries(present) };
};

/** Resolves a reference, and removes an object's forbidden keys. */
export const followed = (schema: Schema, definitions: Definitions): Schema => {
  if (schema.$ref === undefined) return withoutAbsent(schema);
  const { $ref, ...beside } = schema;
  const named = definitions[$ref.slice($ref.lastIndexOf("/") + 1)];
  return named === undefined ? beside : { ...followed(named, definitions), ...beside };
};
