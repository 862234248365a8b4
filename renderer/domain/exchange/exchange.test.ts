import { describe, expect, it } from "vitest";
import { matchesExchange } from "./exchange.tsx";

const row = {
  id: "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1",
  method: "POST",
  path: "/api/2026-01/supplier.procurements.confirm",
  operation: "supplier.procurements.confirm",
  status: 403,
  error_code: "forbidden",
  outcome: "nothing changed",
  side: "repairer",
  label: "TRC-20397-1",
} as const;

describe("an exchange on the wire", () => {
  it("matches every typed word, in any order and case", () => {
    expect(matchesExchange(row, "Tarn & Rowe Collision", "403 Confirm")).toBe(true);
    expect(matchesExchange(row, "Tarn & Rowe Collision", "rowe forbidden")).toBe(true);
    expect(matchesExchange(row, "Tarn & Rowe Collision", "confirm 200")).toBe(false);
  });
  it("matches the calling side, under both its names", () => {
    expect(matchesExchange(row, "", "buyer")).toBe(true);
    expect(matchesExchange({ ...row, operation: null, path: "/", side: null }, "", "repairer")).toBe(false);
  });
  it("matches its subject, and its ID or a long part of it", () => {
    expect(matchesExchange(row, "", "trc-20397")).toBe(true);
    expect(matchesExchange(row, "", row.id.toUpperCase())).toBe(true);
    expect(matchesExchange(row, "", "01a1ff86")).toBe(true);
    expect(matchesExchange(row, "", "865")).toBe(false);
  });
  it("matches an empty search", () => expect(matchesExchange(row, "", "  ")).toBe(true));
});
