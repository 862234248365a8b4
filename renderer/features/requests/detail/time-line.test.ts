import { describe, expect, it } from "vitest";
import type { Attempt, DeliveryRow, EventRow, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { scaleOf, stepsOf } from "./time-line.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 12, 10) + ms).toISOString();
const request = { at: at(0), duration_ms: 18, operation: "o", path: "/o", side: "supplier", status: 200 } as RequestRow;
const delivery = {
  id: "d",
  event_id: "e",
  url: "http://127.0.0.1:8787/hooks",
  side: "repairer",
  next_attempt_at: null,
} as DeliveryRow;
const event = {
  id: "e",
  event_type: "repairer.procurements",
  payload: { status: "order_confirmed" },
} as unknown as EventRow;
const attempt = (number: number, start: number, took: number, status: number | null) =>
  ({ number, started_at: at(start), duration_ms: took, response_status: status, error: null }) as Attempt;

describe("a trace on its time line", () => {
  it("is the call, its events, and each attempt under its event", () => {
    const attempts = new Map([["d", [attempt(1, 22, 31, 503), attempt(2, 5_053, 12, 200)]]]);
    const steps = stepsOf({ changes: [], events: [event], deliveries: [delivery] }, request, attempts);
    expect(steps.map(({ name, start, end, status }) => [name, start, end, status])).toEqual([
      ["Request", 0, 18, 200],
      ["Event", 18, 18, null],
      ["Attempt 1", 22, 53, 503],
      ["Attempt 2", 5_053, 5_065, 200],
    ]);
  });

  it("shows what is still due", () => {
    const due = { ...delivery, next_attempt_at: at(9_000) };
    const steps = stepsOf({ changes: [], events: [event], deliveries: [due] }, request, new Map());
    expect(steps.at(-1)).toMatchObject({ kind: "waiting", start: 9_000 });
  });

  it("lies within its scale, in order, however far apart its steps are", () => {
    const steps = [
      { start: 0, end: 18 },
      { start: 22, end: 53 },
      { start: 86_400_000, end: 86_400_012 },
    ];
    const { x, ticks, gaps } = scaleOf(steps);
    const places = [0, 18, 22, 53, 86_400_000, 86_400_012].map(x);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
    expect((places[5] ?? 0) - (places[4] ?? 0)).toBeGreaterThan(0.05);
    expect(gaps).toEqual([{ from: 53, to: 86_400_000 }]);
    for (const [index, tick] of ticks.entries())
      if (index > 0) expect(tick.x - (ticks[index - 1]?.x ?? 0)).toBeGreaterThan(0.1);
  });

  it("of a call that took no time is a point", () => {
    expect(scaleOf([{ start: 0, end: 0 }]).x(0)).toBe(0);
  });
});
