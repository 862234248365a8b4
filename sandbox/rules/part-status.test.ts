import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { procurementStatuses } from "../contract/values.ts";
import { partStatus } from "./part-status.ts";

describe("the status of a part", () => {
  it("D42: is ordered from when an order is placed, unless the world counts from the confirmation", () => {
    expect(policyChoices.part_ordered_on).toEqual(["placed", "confirmed"]);
    expect(procurementStatuses.map((status) => partStatus([status], "placed"))).toEqual([
      "ordered",
      "ordered",
      "estimated",
    ]);
    expect(procurementStatuses.map((status) => partStatus([status], "confirmed"))).toEqual([
      "estimated",
      "ordered",
      "estimated",
    ]);
  });

  it("D42: is estimated when no live procurement covers the part, and ordered as long as one does", () => {
    for (const orderedOn of policyChoices.part_ordered_on) {
      expect(partStatus([], orderedOn)).toBe("estimated");
      expect(partStatus(["cancelled", "cancelled"], orderedOn)).toBe("estimated");
      expect(partStatus(["cancelled", "order_confirmed", "cancelled"], orderedOn)).toBe("ordered");
    }
  });

  it("is decided by which procurements cover the part, not by their order or number", () => {
    const covering = fc.array(fc.constantFrom(...procurementStatuses), { maxLength: 6 });
    fc.assert(
      fc.property(covering, fc.constantFrom(...policyChoices.part_ordered_on), (statuses, orderedOn) => {
        const one = statuses.some((status) => partStatus([status], orderedOn) === "ordered");
        expect(partStatus(statuses, orderedOn)).toBe(one ? "ordered" : "estimated");
      }),
    );
  });
});
