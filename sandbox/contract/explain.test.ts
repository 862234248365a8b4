import fc from "fast-check";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { controlOperations } from "./control/operations.ts";
import { explain } from "./explain.ts";
import type { Operation } from "./operation.ts";
import { jobsInsert, partnerOperations, partsInsert, procurementsPlace } from "./operations/partner.ts";
import { isAbsoluteUrl, isText, isUuid, meetsFormat, OneOf, U8, U16, U32 } from "./schema.ts";

const ID = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
const job = { identity: { external: "estimate:1" }, repairer_site_id: ID };
const why = (schema: TSchema, value: unknown): string | null => explain(schema, value, meetsFormat);
const whyJob = (changes: object): string | null => why(jobsInsert.request, { ...job, ...changes });
const whyPart = (part: unknown): string | null => why(partsInsert.request, { job_identity: { id: ID }, parts: [part] });

describe("why a value does not meet a declaration", () => {
  it("is nothing when it does", () => {
    expect(whyJob({})).toBeNull();
    expect(
      whyJob({
        vehicle: { chassis_number: null, plate_number: "ABC123", plate_state: null },
        images: [],
        if_: { exists: "replace" },
      }),
    ).toBeNull();
    expect(whyPart({})).toBeNull();
  });

  it("D3: names the field by its path", () => {
    const vehicle = { chassis_number: null, plate_number: null, plate_state: null };
    expect(whyJob({ vehicle: { ...vehicle, plate_number: 7 } })).toBe("/vehicle/plate_number must be string or null");
    expect(whyJob({ vehicle: { chassis_number: null, plate_state: null } })).toBe("/vehicle/plate_number is required");
    expect(whyJob({ vehicle: [] })).toBe("/vehicle must be object or null");
    expect(whyJob({ repairer_site_id: null })).toBe("/repairer_site_id must be string");
    expect(whyJob({ repairer_site_id: "site-1" })).toBe("/repairer_site_id must be a UUID");
    expect(whyJob({ work_provider_id: "site-1" })).toBe("/work_provider_id must be a UUID or null");
    expect(whyJob({ images: ["https://a.test/", "ftp://a.test/"] })).toBe(
      "/images/1 must be an absolute http or https URL",
    );
    expect(whyJob({ if_: null })).toBe("/if_ must be object");
    expect(whyJob({ if_: { exists: "ignore" } })).toBe("/if_/exists must be one of update, replace");
    expect(whyJob({ if_: {} })).toBe("/if_/exists is required");
  });

  it("D3: names the body when that is what is wrong", () => {
    for (const value of [null, [], "text", 1, true])
      expect(why(jobsInsert.request, value)).toBe("the body must be object");
  });

  it("writes the path as a JSON Pointer, whatever the key", () => {
    const schema = Type.Object({ "a/b": Type.Object({ "~": Type.String() }), "": Type.Optional(Type.Null()) });
    expect(why(schema, { "a/b": { "~": 1 } })).toBe("/a~1b/~0 must be string");
    expect(why(schema, { "a/b": { "~": "" }, "": 1 })).toBe("/ must be null");
  });

  it("D7: says which keys exclude each other where exactly one is allowed", () => {
    const shape = "must have exactly one of id, external";
    expect(whyJob({ identity: {} })).toBe(`/identity ${shape}`);
    expect(whyJob({ identity: { id: ID, external: "x" } })).toBe(`/identity ${shape}`);
    expect(whyJob({ identity: { id: ID, external: null } })).toBe(`/identity ${shape}`);
    expect(whyJob({ identity: { external: null } })).toBe("/identity/external must be string");
    expect(whyJob({ identity: { id: "x" } })).toBe("/identity/id must be a UUID");
    expect(whyJob({ identity: ID })).toBe("/identity must be object");
    expect(whyPart({ identity: { id: ID, external_id: "x" } })).toBe(
      "/parts/0/identity must have exactly one of id, external_id",
    );
    expect(whyPart({ identity: [] })).toMatch(/^\/parts\/0\/identity must be object/);
    expect(whyPart({ identity: null })).toBeNull();
  });

  it("D7: ignores unknown keys everywhere else, even in those shapes", () => {
    expect(
      whyJob({
        colour: "red",
        identity: { external: "x", also: 1 },
        vehicle: { chassis_number: null, plate_number: null, plate_state: null, wheels: 4 },
      }),
    ).toBeNull();
    expect(whyPart(JSON.parse('{"__proto__": {"description": 1}, "constructor": 2}'))).toBeNull();
  });

  it("D7: never takes a key of the prototype for one that was sent", () => {
    const schema = Type.Object({ constructor: Type.Optional(Type.String()), toString: Type.Optional(Type.Null()) });
    expect(why(schema, {})).toBeNull();
    expect(why(Type.Object({ valueOf: Type.Unknown() }), {})).toBe("/valueOf is required");
  });

  it("D8: takes an integer in range and nothing else for one", () => {
    for (const good of ["0", "255", "1.0", "2e2", "-0"])
      expect(whyPart({ quantity: JSON.parse(good) as unknown }), good).toBeNull();
    for (const bad of [-1, 256, 1.5, "1", "", true, [1], 1e300]) {
      expect(whyPart({ quantity: bad }), String(bad)).toBe(
        "/parts/0/quantity must be integer between 0 and 255 or null",
      );
    }
    const most = [
      [U8(), 2 ** 8],
      [U16(), 2 ** 16],
      [U32(), 2 ** 32],
    ] as const;
    for (const [schema, limit] of most)
      expect([why(schema, limit - 1), why(schema, limit)]).toEqual([
        null,
        `the body must be integer between 0 and ${limit - 1}`,
      ]);
  });

  it("D9: refuses U+0000 and lone surrogates and keeps every other character", () => {
    for (const bad of ["\u0000", "a\u0000b", "\ud800", "\udc00\ud800", "x\udfff"])
      expect(whyJob({ claim_number: bad })).toMatch(/^\/claim_number must not contain U\+0000 or a lone surrogate/);
    for (const good of ["", " ", "\u0001", "\u{10ffff}", "😀", "e\u0301", "\ufeff", "\u2028", "\uffff"])
      expect(whyJob({ claim_number: good })).toBeNull();
  });

  it("D9: allows 4,096 characters, counted as characters and not as code units", () => {
    for (const character of ["a", "é", "😀"]) {
      expect(whyJob({ claim_number: character.repeat(4096) })).toBeNull();
      expect(whyJob({ claim_number: character.repeat(4097) })).toBe("/claim_number must have at most 4096 characters");
    }
    const url = (length: number): string => "https://pictures.test/".padEnd(length, "a");
    expect(whyJob({ images: [url(2048)] })).toBeNull();
    expect(whyJob({ images: [url(2049)] })).toBe("/images/0 must have at most 2048 characters");
  });

  it("says how many items an array may have", () => {
    expect(whyJob({ images: Array.from({ length: 100 }, () => "https://a.test/") })).toBeNull();
    expect(whyJob({ images: Array.from({ length: 101 }, () => "https://a.test/") })).toBe(
      "/images must have at most 100 items",
    );
    expect(why(partsInsert.request, { job_identity: { id: ID }, parts: Array.from({ length: 501 }, () => ({})) })).toBe(
      "/parts must have at most 500 items",
    );
    expect(why(procurementsPlace.request, { job_identity: { id: ID }, sellable_ids: [] })).toBe(
      "/sellable_ids must have at least 1 items",
    );
    expect(why(procurementsPlace.request, { job_identity: { id: ID }, sellable_ids: [ID, ID] })).toBe(
      "/sellable_ids must not repeat an item",
    );
  });
});

describe("the contract's formats", () => {
  it("take a UUID of any version and case, in its canonical form alone", () => {
    for (const good of [
      ID,
      ID.toUpperCase(),
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ])
      expect(isUuid(good), good).toBe(true);
    for (const bad of [
      "",
      ID.replaceAll("-", ""),
      `{${ID}}`,
      `urn:uuid:${ID}`,
      `${ID}\n`,
      ` ${ID}`,
      ID.replace("0", "g"),
      `${ID}0`,
    ])
      expect(isUuid(bad), bad).toBe(false);
  });

  it("D37: take an absolute http or https URL and no other", () => {
    for (const good of ["http://a.test", "HTTPS://A.test/x?y#z", "https://[::1]:8080/", "https://münchen.test/ö"])
      expect(isAbsoluteUrl(good), good).toBe(true);
    for (const bad of [
      "",
      "a.test",
      "//a.test/x",
      "/x",
      "http:",
      "http://",
      "https:a.test",
      "ftp://a.test/",
      "javascript:alert(1)",
      "data:image/png,x",
      " https://a.test",
      "https://a b.test/",
      "https://a.test/\u0000",
    ]) {
      expect(isAbsoluteUrl(bad), bad).toBe(false);
    }
  });

  it("D9: take exactly the text that UTF-8 gives back unchanged, without U+0000", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)) }), (text) => {
        const unchanged = Buffer.from(text, "utf8").toString("utf8") === text;
        expect(isText(text)).toBe(unchanged && !text.includes("\u0000"));
      }),
    );
  });
});

/** What of a JSON Schema the generator below reads. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly not?: object;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

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

/** Values that meet a schema or nearly do. */
const near = (schema: Schema): fc.Arbitrary<unknown> => {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near));
    switch (schema.type) {
      case "object":
        return nearObject(schema);
      case "array": {
        const items = fc.array(near(schema.items ?? {}), { maxLength: 3 });
        const many = near(schema.items ?? {}).map((item) =>
          Array.from({ length: (schema.maxItems ?? 3) + 1 }, () => item),
        );
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

/** The value a message's path leads to; the parent's key must be missing when it says so. */
const follow = (value: unknown, path: string): { readonly found: boolean } => {
  let at: unknown = value;
  for (const token of path.split("/").slice(1)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, token)) return { found: false };
    at = Reflect.get(at, token);
  }
  return { found: true };
};

describe("explaining", () => {
  it("finds something wrong exactly when the compiled validator does, for every declared request", () => {
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
    // The law means something only when the generator hits both sides.
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(150);
  });

  it("agrees with the validators on schemas the contract may come to use", () => {
    const schema = Type.Object({
      letters: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$" })),
      one: Type.Optional(Type.Literal("v1")),
      choice: Type.Optional(OneOf(["a", "b"])),
      few: Type.Optional(Type.Array(Type.Integer(), { minItems: 1, maxItems: 2, uniqueItems: true })),
      least: Type.Optional(Type.Number({ minimum: 1 })),
      most: Type.Optional(Type.Number({ maximum: 1 })),
    });
    const validator = Compile(schema);
    const value = fc.record(
      {
        letters: fc.oneof(fc.constantFrom("AB", "ab", "ABC", "AB\n"), junk),
        one: fc.oneof(fc.constant("v1"), junk),
        choice: fc.oneof(fc.constantFrom("a", "c"), junk),
        few: fc.oneof(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }), junk),
        least: fc.oneof(fc.integer({ min: 0, max: 2 }), junk),
        most: fc.oneof(fc.integer({ min: 0, max: 2 }), junk),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (one) => {
        expect(why(schema, one) === null).toBe(validator.Check(one));
      }),
      { numRuns: 500 },
    );
  });
});
