import { describe, expect, it } from "vitest";
import { bytesFromText } from "../../../lib/bytes.ts";
import { halfHoursOff, isWithinWindow, parseStamp, readStamp } from "./stamp.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const stamped = (value: unknown) => readStamp(bytesFromText(JSON.stringify({ webhook_timestamp: value })));

describe("the stamp of a body", () => {
  it("is a time of any zone and precision", () => {
    for (const text of [
      "2026-01-15T12:00:00Z",
      "2026-01-15T12:00:00.000Z",
      "2026-01-15T14:00:00+02:00",
      "2026-01-15T06:30:00.0000-0530",
      "2026-01-15T12:00Z",
    ])
      expect(stamped(text), text).toEqual({ kind: "time", at: NOW, text });
  });

  it("is not one when it is missing, and a field named almost like it is pointed out", () => {
    expect(readStamp(bytesFromText("{}"))).toEqual({ kind: "missing", near: null });
    expect(readStamp(bytesFromText('{"webhookTimestamp":"2026-01-15T12:00:00Z"}'))).toEqual({
      kind: "missing",
      near: "webhookTimestamp",
    });
    for (const text of ["", "no json", "null", '"text"']) expect(readStamp(bytesFromText(text)).kind).toBe("missing");
  });

  it("is told from a number, from a time without a zone, and from what is no time", () => {
    expect(stamped(NOW)).toEqual({ kind: "number", value: NOW });
    for (const text of ["2026-01-15T12:00:00", "2026-01-15 12:00:00.5", "2026-01-15"])
      expect(stamped(text), text).toEqual({ kind: "without_zone", text });
    for (const value of ["", "now", "not a time", "2026-13-45T12:00:00Z", null, true, ["2026-01-15T12:00:00Z"]])
      expect(stamped(value).kind, JSON.stringify(value)).toBe("no_time");
    expect(parseStamp("2026-01-15T12:00:00Z ")).toBeNull();
  });
});

describe("the window", () => {
  it("is five minutes either side, and not a millisecond more", () => {
    for (const sign of [-1, 1]) {
      expect(isWithinWindow(NOW, NOW + sign * 300_000)).toBe(true);
      expect(isWithinWindow(NOW, NOW + sign * 300_001)).toBe(false);
    }
  });

  it("knows a stamp that is off by a zone from one that is merely old", () => {
    const minute = 60_000;
    expect(halfHoursOff(NOW, NOW + 600 * minute)).toBe(20);
    expect(halfHoursOff(NOW, NOW - 120 * minute - 4_000)).toBe(-4);
    expect(halfHoursOff(NOW, NOW + 330 * minute + 2 * minute)).toBe(11);
    expect(halfHoursOff(NOW, NOW + 6 * minute)).toBeNull();
    expect(halfHoursOff(NOW, NOW + 45 * minute)).toBeNull();
    expect(halfHoursOff(NOW, NOW + 20 * 60 * minute)).toBeNull();
  });
});
