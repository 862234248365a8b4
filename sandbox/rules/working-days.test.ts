import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workingDaysAhead } from "./working-days.ts";

const DAY = 86_400_000;
const weekday = (at: number): number => new Date(at).getUTCDay();
const isWorkingDay = (at: number): boolean => weekday(at) !== 0 && weekday(at) !== 6;
const ahead = (from: string, days: number): string => new Date(workingDaysAhead(Date.parse(from), days)).toISOString();

describe("working days ahead", () => {
  it("are the next days within a week, and leap over its end", () => {
    // 2026-01-12 is a Monday.
    expect(ahead("2026-01-12T09:30:15.250Z", 3)).toBe("2026-01-15T09:30:15.250Z");
    expect(ahead("2026-01-13T09:30:00.000Z", 3)).toBe("2026-01-16T09:30:00.000Z");
    expect(ahead("2026-01-14T09:30:00.000Z", 3)).toBe("2026-01-19T09:30:00.000Z");
    expect(ahead("2026-01-15T09:30:00.000Z", 3)).toBe("2026-01-20T09:30:00.000Z");
    expect(ahead("2026-01-16T23:59:59.999Z", 3)).toBe("2026-01-21T23:59:59.999Z");
    expect(ahead("2026-01-17T00:00:00.000Z", 3)).toBe("2026-01-21T00:00:00.000Z");
    expect(ahead("2026-01-18T12:00:00.000Z", 3)).toBe("2026-01-21T12:00:00.000Z");
    expect(ahead("2026-01-16T09:30:00.000Z", 1)).toBe("2026-01-19T09:30:00.000Z");
    expect(ahead("2024-02-27T09:30:00.000Z", 3)).toBe("2024-03-01T09:30:00.000Z");
    expect(ahead("2026-01-12T09:30:00.000Z", 0)).toBe("2026-01-12T09:30:00.000Z");
  });

  it("are so many, none of them at a weekend, at the same time of day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.integer({ min: 1, max: 30 }), (from, days) => {
        const at = workingDaysAhead(from, days);
        const between = Array.from({ length: (at - from) / DAY }, (_, index) => from + (index + 1) * DAY);
        expect((at - from) % DAY).toBe(0);
        expect(between.filter(isWorkingDay)).toHaveLength(days);
        expect(isWorkingDay(at)).toBe(true);
      }),
    );
  });
});
