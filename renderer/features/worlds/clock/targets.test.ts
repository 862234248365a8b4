import { describe, expect, it } from "vitest";
import { afterMonth, afterWeekend, listTargets, parseTypedSpan } from "./targets.ts";

const local = (...of: [number, number, number, number?]) => new Date(...of).getTime();

describe("the targets of a clock", () => {
  it("include Monday at nine after the next weekend, from any day of the week", () => {
    const from = (day: number, hour = 12) => afterWeekend(local(2026, 2, day, hour));
    // 9 March 2026 is a Monday.
    expect([9, 12, 14, 15].map((day) => from(day))).toEqual(Array(4).fill(local(2026, 2, 16, 9)));
    expect(from(16, 8)).toBe(local(2026, 2, 23, 9));
  });

  it("include the same day of the next month, or its last day", () => {
    expect(afterMonth(local(2026, 2, 12, 8))).toBe(local(2026, 3, 12, 8));
    expect(afterMonth(local(2026, 0, 31, 8))).toBe(local(2026, 1, 28, 8));
    expect(afterMonth(local(2026, 11, 31, 8))).toBe(local(2027, 0, 31, 8));
  });

  it("include before and after the next expiry, or say why not", () => {
    const now = local(2026, 2, 12, 10);
    const at = (ms: number) => new Date(now + ms).toISOString();
    const find = (code: string | null, name: string) =>
      listTargets(code === null ? [] : [{ what: "code_expires", at: code }], now).find((one) => one.name === name);
    expect(find(at(60_000), "code-before")?.at).toBe(now + 30_000);
    expect(find(at(60_000), "code-after")?.at).toBe(now + 61_000);
    expect(find(at(20_000), "code-before")).toMatchObject({ at: null, why: "it expires in less than 30 s" });
    expect(find(at(20_000), "code-after")?.at).toBe(now + 21_000);
    for (const name of ["code-before", "code-after", "upload-before", "upload-after"])
      expect(find(null, name)).toMatchObject({ at: null, why: expect.stringContaining("no unused") });
  });
});

it("include each kind of deadline, such as an order that is due", () => {
  const [now, at] = [local(2026, 2, 12, 10), local(2026, 8, 1, 10)];
  const names = (items: Parameters<typeof listTargets>[0]) => listTargets(items, now).map(({ name }) => name);
  expect(names([])).not.toContain("due");
  const targets = listTargets([{ what: "delivery_due", at: new Date(at).toISOString() }], now);
  expect(targets.find(({ name }) => name === "due")?.at).toBe(at + 1_000);
});

describe("a custom amount", () => {
  it("is read in any usual spelling, or refused with a sentence", () => {
    expect(parseTypedSpan("2 h 30 min")).toEqual({ seconds: 9_000, problem: null });
    expect(parseTypedSpan("  ")).toEqual({ seconds: null, problem: null });
    expect(parseTypedSpan("5 fortnights").problem).toMatch(/^Enter a number with min/);
  });
});
