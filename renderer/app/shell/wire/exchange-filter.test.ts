import { describe, expect, it } from "vitest";
import { isRefused, matchesExchange } from "./exchange-filter.ts";

const row = {
  method: "POST",
  path: "/api/2026-01/supplier.procurements.confirm",
  operation: "supplier.procurements.confirm",
  status: 403,
  error_code: "forbidden",
  outcome: "nothing changed",
  side: "repairer",
} as const;

describe("an exchange on the wire", () => {
  it("is found by every typed word, in any order and case", () => {
    expect(matchesExchange(row, "Tarn & Rowe Collision", "403 Confirm")).toBe(true);
    expect(matchesExchange(row, "Tarn & Rowe Collision", "rowe forbidden")).toBe(true);
    expect(matchesExchange(row, "Tarn & Rowe Collision", "confirm 200")).toBe(false);
  });
  it("is found by the side that called, under both its names", () => {
    expect(matchesExchange(row, "", "buyer")).toBe(true);
    expect(matchesExchange({ ...row, operation: null, path: "/", side: null }, "", "repairer")).toBe(false);
  });
  it("is found by nothing at all", () => expect(matchesExchange(row, "", "  ")).toBe(true));
  it("is refused from 400 on", () => {
    expect(isRefused({ status: 400 })).toBe(true);
    expect(isRefused({ status: 302 })).toBe(false);
  });
});
