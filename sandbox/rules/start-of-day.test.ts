import { expect, it } from "vitest";
import { startOfDay } from "./start-of-day.ts";

it.each([
  ["UTC", "2026-03-12T11:04:22.246Z", "2026-03-12T00:00:00.000Z"],
  ["Pacific/Auckland", "2026-03-12T11:04:22.246Z", "2026-03-12T11:00:00.000Z"],
  ["America/New_York", "2026-03-12T03:00:00.000Z", "2026-03-11T04:00:00.000Z"],
  ["Asia/Kathmandu", "2026-03-12T18:15:00.000Z", "2026-03-12T18:15:00.000Z"],
  // Clocks go forward at 02:00, and back at 03:00.
  ["Europe/Berlin", "2026-03-29T10:00:00.000Z", "2026-03-28T23:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T20:00:00.000Z", "2026-10-24T22:00:00.000Z"],
  // The day begins at 01:00.
  ["Africa/Cairo", "2026-04-24T10:00:00.000Z", "2026-04-23T22:00:00.000Z"],
  ["Europe/Berlin", "9989-07-01T10:00:00.500Z", "9989-06-30T22:00:00.000Z"],
  ["UTC", "1969-12-31T23:59:59.750Z", "1969-12-31T00:00:00.000Z"],
])("the day in %s at %s began at %s", (zone, at, start) => {
  expect(new Date(startOfDay(Date.parse(at), zone)).toISOString()).toBe(start);
});

it("refuses an unknown time zone", () => {
  expect(() => startOfDay(0, "Mars/Olympus")).toThrow(RangeError);
});
