import { describe, expect, it } from "vitest";
import { partnerOperations } from "../contract/operations/partner.ts";
import { partnerHandlers } from "./registry.ts";

describe("the registry of partner operations", () => {
  it("implements every declared operation exactly once", () => {
    expect(partnerHandlers.map(({ operation }) => operation.id).toSorted()).toEqual(
      partnerOperations.map(({ id }) => id).toSorted(),
    );
  });

  it("refers to the declarations themselves, not to copies", () => {
    const declared = new Set<object>(partnerOperations);
    for (const { operation } of partnerHandlers) expect(declared.has(operation), operation.id).toBe(true);
  });
});
