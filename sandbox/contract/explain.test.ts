import Type, { type TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { faultsSet } from "./control/fault-operations.ts";
import { explain, findingSentence, findUnknown } from "./explain.ts";
import { businessesList, jobsInsert, partsInsert, procurementsPlace } from "./operations/partner.ts";
import { U8, U16, U32 } from "./schema.ts";

const ID = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
const job = { identity: { external: "estimate:1" }, repairer_site_id: ID };
const why = (schema: TSchema, value: unknown): string | null => explain(schema, value);
const whyJob = (changes: object): string | null => why(jobsInsert.request, { ...job, ...changes });
const whyPart = (part: unknown): string | null => why(partsInsert.request, { job_identity: { id: ID }, parts: [part] });

describe("the first violation of a declaration", () => {
  it("is null if there is none", () => {
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

  it("D3: names the body if that is wrong", () => {
    for (const value of [null, [], "text", 1, true])
      expect(why(jobsInsert.request, value)).toBe("the body must be object");
  });

  it("writes the path as a JSON Pointer, whatever the key", () => {
    const schema = Type.Object({ "a/b": Type.Object({ "~": Type.String() }), "": Type.Optional(Type.Null()) });
    expect(why(schema, { "a/b": { "~": 1 } })).toBe("/a~1b/~0 must be string");
    expect(why(schema, { "a/b": { "~": "" }, "": 1 })).toBe("/ must be null");
  });

  it("checks each item of a tuple by its own declaration", () => {
    const pair = Type.Tuple([Type.String(), Type.Integer()]);
    expect(why(pair, ["a", 1])).toBeNull();
    expect(why(pair, [1, 1])).toBe("/0 must be string");
    expect(why(pair, ["a", "1"])).toBe("/1 must be integer");
    expect(why(pair, ["a"])).toBe("the body must have at least 2 items");
    expect(why(pair, ["a", 1, null])).toBe("the body must have at most 2 items");
  });

  it("checks the members of a record by their one declaration", () => {
    const named = Type.Object({ policies: Type.Record(Type.String(), Type.String()) });
    expect(why(named, { policies: { a: "b" } })).toBeNull();
    expect(why(named, { policies: { a: "b", "c/d": 1 } })).toBe("/policies/c~1d must be string");
  });

  it("D7: names the keys of which exactly one is allowed", () => {
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

  it("D7: never mistakes a key of the prototype for a sent one", () => {
    const schema = Type.Object({ constructor: Type.Optional(Type.String()), toString: Type.Optional(Type.Null()) });
    expect(why(schema, {})).toBeNull();
    expect(why(Type.Object({ valueOf: Type.Unknown() }), {})).toBe("/valueOf is required");
  });

  it("D8: accepts only integers in range", () => {
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

  it("D9: refuses U+0000 and lone surrogates and accepts every other character", () => {
    for (const bad of ["\u0000", "a\u0000b", "\ud800", "\udc00\ud800", "x\udfff"])
      expect(whyJob({ claim_number: bad })).toMatch(/^\/claim_number must not contain U\+0000 or a lone surrogate/);
    for (const good of ["", " ", "\u0001", "\u{10ffff}", "😀", "e\u0301", "\ufeff", "\u2028", "\uffff"])
      expect(whyJob({ claim_number: good })).toBeNull();
  });

  it("D9: allows 4,096 characters, counted as characters, not as code units", () => {
    for (const character of ["a", "é", "😀"]) {
      expect(whyJob({ claim_number: character.repeat(4096) })).toBeNull();
      expect(whyJob({ claim_number: character.repeat(4097) })).toBe("/claim_number must have at most 4096 characters");
    }
    const url = (length: number): string => "https://pictures.test/".padEnd(length, "a");
    expect(whyJob({ images: [url(2048)] })).toBeNull();
    expect(whyJob({ images: [url(2049)] })).toBe("/images/0 must have at most 2048 characters");
  });

  it("gives the allowed number of items in an array", () => {
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

describe("an unknown member", () => {
  const unknown = (schema: object, value: unknown): string | null => {
    const [found] = findUnknown(schema, value);
    return found ? findingSentence(found) : null;
  };

  it("is named by its path, with the nearest name or the known ones", () => {
    const fault = { effect: { error: { status: 503 } } };
    expect(unknown(faultsSet.request, { ...fault, use: 2 })).toBe("/use is not a known field; did you mean uses?");
    expect(unknown(faultsSet.request, { efect: {} })).toBe("/efect is not a known field; did you mean effect?");
    expect(unknown(faultsSet.request, { effect: { dely: { ms: 1 } } })).toBe(
      "/effect/dely is not a known field; did you mean delay?",
    );
    expect(unknown(faultsSet.request, { effect: { error: { stat: 503 } } })).toBe(
      "/effect/error/stat is not a known field; did you mean status?",
    );
    expect(unknown(faultsSet.request, { ...fault, calls: { nth: 2, xyz: 1 } })).toBe(
      "/calls/xyz is not a known field; known: nth",
    );
    expect(unknown(businessesList.request, { limit: 7 })).toBe("/limit is not a known field; none is expected");
    expect(unknown(jobsInsert.request, { plate_number: "NKR482" })).toBe(
      "/plate_number is not a known field; did you mean /vehicle/plate_number?",
    );
    expect(unknown(jobsInsert.request, { vehicle: { plate: "NKR482" } })).toMatch(/did you mean plate_number\?$/);
    expect(unknown(procurementsPlace.request, { quantity: 2 })).toMatch(/; known: job_identity, sellable_ids$/);
    expect(unknown(jobsInsert.request, { work_provider_name: "A" })).toMatch(/mean work_provider_contract\?$/);
    expect(unknown(jobsInsert.request, { vehicle: { number: "NKR482" } })).toMatch(
      /^\/vehicle\/number is not a known field; did you mean plate_number or chassis_number\?$/,
    );
    expect(unknown(partsInsert.request, { parts: [{}, { descripton: "x" }] })).toBe(
      "/parts/1/descripton is not a known field; did you mean description?",
    );
    expect(unknown(faultsSet.request, { constructor: 1 })).toMatch(/^\/constructor is not a known field/);
  });

  it("is null if all are known", () => {
    expect(unknown(faultsSet.request, { effect: { error: { status: 503 } } })).toBeNull();
    expect(unknown(faultsSet.request, { effect: 7, calls: [null], uses: {} })).toBeNull();
  });
});
