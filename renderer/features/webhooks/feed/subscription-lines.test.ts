import { expect, test } from "vitest";
import { linesOf } from "./subscription-lines.tsx";

const at = "2026-03-11T22:05:07.204Z";
const one = (id: string, failing = false) => ({
  id,
  paused_at: null,
  failing_since: failing ? at : null,
  pending: 0,
  last_success_at: at,
  recent: {
    ...{ ended: 1, at_first_attempt: 1, least_attempts: 0, most_attempts: 0, acknowledged_p95_ms: 4 },
    failures: [],
  },
});
const ids = (...asked: Parameters<typeof linesOf>) => linesOf(...asked).map(({ id }) => id);

test("the lines of subscriptions keep their order when one begins to fail or is chosen", () => {
  expect(ids([one("a"), one("b"), one("c")], null)).toEqual(["a", "b", "c"]);
  expect(ids([one("a"), one("b"), one("c", true)], "b")).toEqual(["a", "b", "c"]);
});

test("those that need a look are among the lines, and so is the chosen one", () => {
  expect(ids([one("a"), one("b"), one("c"), one("d"), one("e", true)], "d")).toEqual(["a", "d", "e"]);
});
