import { describe, expect, it } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import { bodyHandlers, controlHandlers } from "./registry.ts";

const bound = [...controlHandlers, ...bodyHandlers];

describe("the registry of control operations", () => {
  it("implements every declared operation exactly once", () => {
    expect(bound.map(({ operation }) => operation.id).toSorted()).toEqual(
      controlOperations.map(({ id }) => id).toSorted(),
    );
  });

  it("refers to the declarations themselves, not to copies", () => {
    const declared = new Set<object>(controlOperations);
    for (const { operation } of bound) expect(declared.has(operation), operation.id).toBe(true);
  });
});
