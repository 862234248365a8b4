import { expect, it } from "vitest";
import { faultsSet } from "../../../../sandbox/contract/control/fault-operations.ts";
import { explain, findUnknown } from "../../../../sandbox/contract/explain.ts";
import { faultPresets } from "./ready-made.ts";

it.for(faultPresets)("“$name” can be armed unchanged", ({ name, fault }) => {
  const body = { name, ...fault };
  expect(explain(faultsSet.request, body)).toBeNull();
  expect([...findUnknown(faultsSet.request, body)]).toEqual([]);
});
