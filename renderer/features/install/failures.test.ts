import { describe, expect, it } from "vitest";
import { integrationsInsert } from "../../../sandbox/contract/operations/partner.ts";
import { failureCases } from "./failures.ts";

describe("the installation failures", () => {
  it("follow the order of the contract's checks", () => {
    const checks = failureCases.map(({ check }) => check);
    expect(checks).toEqual(checks.toSorted((a, b) => a - b));
  });

  it("cover every error of the check table", () => {
    const table = integrationsInsert.errors.filter((code) => code !== "unauthorized" && code !== "forbidden");
    expect(new Set(failureCases.map(({ code }) => code))).toEqual(new Set(table));
  });
});
