import fc from "fast-check";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { controlOperations } from "./control/all-operations.ts";
import { explain } from "./explain.ts";
import type { Operation } from "./operation.ts";
import { partnerOperations } from "./operations/partner.ts";
import { OneOf } from "./schema.ts";

const why = (schema: TSchema, value: unknown): string | null => explain(schema, value);

/** The part of JSON Schema that the generator below reads. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly maxItems?: number;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const isOneEach = (items: Schema["items"]): items is readonly Schema[] => Array.isArray(items);

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "😀", "e\u0301"),
    fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 6,
});
const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), anyText, fc.double(), fc.constantFrom(Infinity, -0, 1.5, 2 ** 53));

const nearText = ({ enum: choices, format, maxLength = 10 }: Schema): fc.Arbitrary<unknown> => {
  if (choices) return fc.constantFrom<unknown>(...choices);
  if (format === "uuid") return fc.uuid();
  if (format === "absolute-url")
    return fc.constantFrom(
      "https://a.test/",
      "http://[::1]/x",
      "https://a.test/".padEnd(maxLength, "x"),
      "https://a.test/".padEnd(maxLength + 1, "x"),
      "/x",
    );
  return fc.oneof(
    { weight: 8, arbitrary: anyText },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "a".repeat(maxLength),
        "a".repeat(maxLength + 1),
        "😀".repeat(maxLength),
        "😀".repeat(maxLength + 1),
      ),
    },
  );
};

const nearObject = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> => {
  const shape = Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, near(one)]));
  const fitting = fc.record(shape, { requiredKeys: [...required] });
  const torn = fc.record({ ...shape, unknown: junk }, { requiredKeys: [] });
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: torn });
};

/** Generates values that match a schema or nearly do. */
const near = (schema: Schema): fc.Arbitrary<unknown> => {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near));
    switch (schema.type) {
      case "object":
        return nearObject(schema);
      case "array": {
        const declared = schema.items ?? {};
        if (isOneEach(declared)) return fc.oneof(fc.tuple(...declared.map(near)), fc.array(near(declared[0] ?? {})));
        const items = fc.array(near(declared), { maxLength: 3 });
        const many = near(declared).map((item) => Array.from({ length: (schema.maxItems ?? 3) + 1 }, () => item));
        return fc.oneof({ weight: 12, arbitrary: items }, { weight: 1, arbitrary: many });
      }
      case "string":
        return nearText(schema);
      case "integer":
      case "number":
        return fc.oneof(
          fc.integer({ min: (schema.minimum ?? 0) - 2, max: (schema.minimum ?? 0) + 2 }),
          fc.integer({ min: (schema.maximum ?? 9) - 2, max: (schema.maximum ?? 9) + 2 }),
        );
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return junk;
    }
  };
  return fc.oneof({ weight: 24, arbitrary: fitting() }, { weight: 1, arbitrary: junk });
};

const operations: readonly Operation[] = [...partnerOperations, ...controlOperations];
const declared = operations.map(({ id, request }) => ({
  id,
  request,
  validator: Compile(request),
  values: near(request),
}));

/** Follows a path into a value. `found` is false when the last key is missing. */
const follow = (value: unknown, path: string): { readonly found: boolean } => {
  let at: unknown = value;
  for (const token of path.split("/").slice(1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, token)) return { found: false };
    at = Reflect.get(at, token);
  }
  return { found: true };
};

describe("the explaining validator", () => {
  it("finds a problem exactly when the compiled validator does, for every declared request", () => {
    const seen = { good: 0, bad: 0 };
    fc.assert(
      fc.property(
        fc
          .constantFrom(...declared)
          .chain((one) =>
            fc.tuple(
              fc.constant(one),
              fc.oneof({ weight: 9, arbitrary: one.values }, { weight: 1, arbitrary: fc.jsonValue() }),
            ),
          ),
        ([{ id, request, validator }, value]) => {
          const message = why(request, value);
          const good = validator.Check(value);
          seen[good ? "good" : "bad"] += 1;
          expect(message === null, `${id}: ${message}`).toBe(good);
          if (message === null) return;
          const [, path = "", problem] = /^(the body|(?:\/[a-z0-9_]+)+) (must .+|is required)$/su.exec(message) ?? [];
          expect(problem, message).toBeDefined();
          expect(path === "the body" || follow(value, path).found, message).toBe(problem !== "is required");
        },
      ),
      { numRuns: 1_200 },
    );
    // The property means something only when the generator produces valid and invalid values.
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(150);
  });

  it("agrees with the compiled validators on schemas that the contract may use later", () => {
    const few = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 });
    const small = fc.integer({ min: 0, max: 2 });
    const schemas: readonly (readonly [TSchema, fc.Arbitrary<unknown>])[] = [
      [Type.String({ pattern: "^[A-Z]{2}$" }), fc.constantFrom("AB", "ab", "ABC", "AB\n")],
      [Type.Literal("v1"), fc.constant("v1")],
      [OneOf(["a", "b"]), fc.constantFrom("a", "c")],
      [Type.Array(Type.Integer(), { minItems: 1, maxItems: 2, uniqueItems: true }), few],
      [Type.Number({ minimum: 1 }), small],
      [Type.Number({ maximum: 1 }), small],
      [Type.Integer(), fc.constantFrom(2 ** 53, 2 ** 64, -0, 0.1)],
    ];
    for (const [schema, fitting] of schemas) {
      const validator = Compile(schema);
      fc.assert(
        fc.property(fc.oneof(fitting, junk), (value) => {
          expect(why(schema, value) === null).toBe(validator.Check(value));
        }),
        { numRuns: 100 },
      );
    }
  });

  it("agrees with the compiled validators on numbers beyond a float's range", () => {
    for (const schema of [Type.Number(), Type.Number({ minimum: 0 }), Type.Integer(), Type.Integer({ minimum: 0 })]) {
      for (const text of ["1e999", "-1e999", "1e-999", "-0", "123456789012345678901234567890"]) {
        const value = JSON.parse(text) as unknown;
        expect(why(schema, value) === null, text).toBe(Compile(schema).Check(value));
      }
    }
  });
});
