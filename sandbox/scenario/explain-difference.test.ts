import { expect, it } from "vitest";
import { explainDifference } from "./explain-difference.ts";

const step = { call: { operation: "supplier.procurements.confirm", as: "supplier" }, expect: { status: 204 } } as const;
const recorded = {
  ...{ at: "2026-11-23T10:00:00.000Z", version: "1.0.0", world: "qa", policies: {}, faults: [] },
  ...{ clock_ahead_seconds: 0, notes: ["left out: a call that no step can say"] },
};

it("attributes an edited step's difference neither to the recording nor to a setting", () => {
  const of = { step, recorded, version: "1.0.0" };
  expect(explainDifference({ ...of, file: {}, run: {} })).toEqual([]);
  const file = { jobs_insert_conflict: "reject" };
  expect(explainDifference({ ...of, file, run: { jobs_insert_conflict: "update" } })).toEqual([]);
});
