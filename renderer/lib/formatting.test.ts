import { describe, expect, it } from "vitest";
import { shortened } from "../../sandbox/contract/text.ts";
import {
  formatAmount,
  formatBytes,
  formatClock,
  formatCountdown,
  formatMs,
  formatOffset,
  formatRelative,
  formatSpan,
  plural,
} from "./formatting.ts";

const now = Date.parse("2026-03-11T11:04:22.000Z");
const ago = (ms: number) => new Date(now - ms).toISOString();

describe("relative times", () => {
  it.each([
    [0, "now"],
    [9_000, "now"],
    [12_000, "12 s ago"],
    [59_999, "59 s ago"],
    [6 * 60_000, "6 min ago"],
    [2 * 3_600_000 + 1, "2 h ago"],
    [3 * 86_400_000, "3 d ago"],
  ])("read %i ms ago as %s", (ms, text) => expect(formatRelative(ago(ms), now)).toBe(text));

  it("round up the future, so that a countdown never ends early", () => {
    expect(formatRelative(ago(-11_001), now)).toBe("in 12 s");
    expect(formatRelative(ago(-200), now)).toBe("now");
  });

  it("name the day beyond a week, and another year", () => {
    expect(formatRelative("2026-03-01T12:00:00Z", now)).toBe("Sun 1 Mar");
    expect(formatRelative("2025-03-01T12:00:00Z", now)).toBe("Sat 1 Mar 2025");
  });

  it("return invalid times unchanged", () => {
    expect(formatRelative("soon", now)).toBe("soon");
    expect(formatClock("soon")).toBe("soon");
  });
});

describe("a clock's offset", () => {
  it.each([
    [0, null],
    [-0.4, null],
    [3_600, "1 h ahead"],
    [-720, "12 min behind"],
  ])("reads %f seconds as %s", (seconds, text) => expect(formatOffset(seconds)).toBe(text));
});

describe("amounts", () => {
  it.each([
    ["2044.35", "2,044.35"],
    ["96.20", "96.20"],
    ["0.5", "0.5"],
    ["1234567", "1,234,567"],
    ["-1234.00", "-1,234.00"],
  ])("keep the digits of %s", (given, shown) => expect(formatAmount(given)).toBe(shown));

  it("never pass through a float", () =>
    expect(formatAmount("90071992547409931.10")).toBe("90,071,992,547,409,931.10"));
  it("leave other text unchanged", () => expect(formatAmount("on request")).toBe("on request"));
});

describe("identifiers and secrets", () => {
  it("shorten a UUID in the middle", () =>
    expect(shortened("ad2daf65-00d4-4be7-aaa0-6f1b0c719340")).toEqual(["ad2daf", "9340"]));
  it("leave a short identifier whole", () => expect(shortened("TRC-20397-1")).toBeNull());
});

describe("spans and sizes", () => {
  it("name the two largest units", () => {
    expect(formatSpan(8_100_000)).toBe("2 h 15 min");
    expect(formatSpan(42_000)).toBe("42 s");
    expect(formatSpan(0)).toBe("0 s");
    expect([2_591_998_000, 86_399_000, 7_170_000, 3_599_000].map(formatSpan)).toEqual([
      "30 d",
      "1 d",
      "2 h",
      "59 min 59 s",
    ]);
  });
  it("count down to the second, never below zero", () => {
    expect(formatCountdown(521_000)).toBe("8:41");
    expect(formatCountdown(-5)).toBe("0:00");
  });
  it("write durations from tenths of milliseconds to minutes", () => {
    expect([0.68, 18.44, 204.4, 1204, 10_000, 67_000].map(formatMs)).toEqual([
      "0.7 ms",
      "18.4 ms",
      "204 ms",
      "1.2 s",
      "10.0 s",
      "1 min 7 s",
    ]);
    expect([99.96, 999.6, 59_960].map(formatMs)).toEqual(["100 ms", "1.0 s", "1 min"]);
  });
  it("count bytes", () =>
    expect([1, 430, 1234, 999_960, 3.4e6, 1.25e9].map(formatBytes)).toEqual([
      "1 byte",
      "430 bytes",
      "1.2 KB",
      "1.0 MB",
      "3.4 MB",
      "1.3 GB",
    ]));
  it("form plurals", () =>
    expect([plural(1, "event"), plural(2, "delivery", "deliveries")]).toEqual(["1 event", "2 deliveries"]));
});
