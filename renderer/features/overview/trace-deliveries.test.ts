import { expect, test } from "vitest";
import { byTrace } from "./trace-deliveries.ts";

const row = (
  trace_id: string,
  status: "pending" | "delivered" | "failed",
  repeats_id: string | null = null,
  attempts_made = 1,
) => ({ trace_id, status, repeats_id, attempts_made });

test("deliveries are counted by their trace and by how they stand", () => {
  const counts = byTrace([row("a", "delivered"), row("b", "failed"), row("a", "pending"), row("a", "failed")]);
  expect(Object.fromEntries(counts)).toEqual({
    a: { all: 3, delivered: 1, failed: 1, retrying: 1 },
    b: { all: 1, delivered: 0, failed: 1, retrying: 0 },
  });
});

test("attempts that failed count where another is waited for", () => {
  const counts = byTrace([row("a", "pending", null, 3), row("a", "pending", null, 2), row("a", "failed", null, 8)]);
  expect(counts.get("a")?.retrying).toBe(5);
});

test("what was sent again is no delivery more", () => {
  expect(byTrace([row("a", "delivered"), row("a", "failed", "first")]).get("a")).toEqual({
    all: 1,
    delivered: 1,
    failed: 0,
    retrying: 0,
  });
});
