import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explain } from "../contract/explain.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { jobsInsert, partnerOperations, partsInsert } from "../contract/operations/partner.ts";
import { meetsFormat } from "../contract/schema.ts";
import { correctedShape, withValueAt } from "./smallest-correction.ts";

const example = requestExamples["repairer.jobs.insert"];
const corrected = (body: unknown) => correctedShape(jobsInsert.request, body, example, meetsFormat);
const places = (value: unknown, pointer = ""): string[] => [
  pointer,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, one]) => places(one, `${pointer}/${key}`))
    : []),
];

describe("the smallest correction of a body's shape", () => {
  it("meets the declaration whatever is wrong with a body, and changes nothing of one that does", () => {
    const torn = fc.constantFrom(...partnerOperations).chain((operation) => {
      const whole = requestExamples[operation.id];
      const changes = fc.array(
        fc.tuple(fc.constantFrom(...places(whole)), fc.option(fc.jsonValue(), { nil: undefined })),
        { maxLength: 3 },
      );
      return fc.tuple(
        fc.constant(operation),
        changes.map((all) => all.reduce<unknown>((body, [at, put]) => withValueAt(body, at, put), whole)),
      );
    });
    fc.assert(
      fc.property(torn, ([{ id, request }, body]) => {
        const result = correctedShape(request, body, requestExamples[id], meetsFormat);
        expect(explain(request, result?.body, meetsFormat)).toBeNull();
        expect(result?.edits.length === 0).toBe(explain(request, body, meetsFormat) === null);
        if (result?.edits.length === 0) expect(result.body).toBe(body);
      }),
      { numRuns: 150 },
    );
  });

  it("takes a value as what it was meant as", () => {
    const part = (quantity: unknown) => ({ job_identity: { external: "a" }, parts: [{ quantity }] });
    const result = correctedShape(
      partsInsert.request,
      part("2"),
      requestExamples["repairer.jobs.parts.insert"],
      meetsFormat,
    );
    expect(result).toEqual({
      body: part(2),
      edits: [
        { pointer: "/parts/0/quantity", before: "2", after: 2, reason: expect.stringContaining("must be integer") },
      ],
    });
    const bare = example.repairer_site_id.replaceAll("-", "");
    expect(corrected({ ...example, repairer_site_id: bare })?.body).toEqual(example);
    expect(corrected({ ...example, if_: { exists: "Update" } })?.body).toEqual(example);
    expect(corrected({ ...example, images: "https://a.test/1.jpg" })?.body).toEqual({
      ...example,
      images: ["https://a.test/1.jpg"],
    });
  });

  it("takes a listed value as the nearest, a number into its range, and a name as the identity it is", () => {
    expect(corrected({ ...example, if_: { exists: "replaced" } })?.body).toEqual({
      ...example,
      if_: { exists: "replace" },
    });
    expect(corrected({ ...example, identity: "estimate:90001" })?.body).toEqual(example);
    const part = (quantity: unknown) => ({ job_identity: { external: "a" }, parts: [{ quantity }] });
    const parts = requestExamples["repairer.jobs.parts.insert"];
    for (const [sent, meant] of [
      [300, 255],
      ["-1", 0],
      [1.5, 2],
    ] as const)
      expect(correctedShape(partsInsert.request, part(sent), parts, meetsFormat)?.body).toEqual(part(meant));
  });

  it("invents no value where null is declared", () => {
    const vehicle = { chassis_number: null, plate_number: "NKR482", plate_state: null };
    expect(corrected({ ...example, vehicle: { plate_number: "NKR482" } })?.edits).toEqual([
      { pointer: "/vehicle/chassis_number", after: null, reason: "/vehicle/chassis_number is required" },
      { pointer: "/vehicle/plate_state", after: null, reason: "/vehicle/plate_state is required" },
    ]);
    expect(corrected({ ...example, vehicle: { ...vehicle, chassis_number: {} } })?.body).toEqual({
      ...example,
      vehicle,
    });
    const long = "x".repeat(5_000);
    expect(corrected({ ...example, claim_number: long })?.body).toEqual({
      ...example,
      claim_number: long.slice(0, 4_096),
    });
  });

  it("adds what is missing as the example has it, and leaves one of several variants", () => {
    const { repairer_site_id, ...rest } = example;
    expect(corrected(rest)?.edits).toEqual([
      { pointer: "/repairer_site_id", after: repairer_site_id, reason: "/repairer_site_id is required" },
    ]);
    const both = { ...example, identity: { external: "mine", id: repairer_site_id } };
    expect(corrected(both)?.body).toEqual({ ...example, identity: { id: repairer_site_id } });
  });
});
