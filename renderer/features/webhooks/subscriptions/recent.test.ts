import { expect, it } from "vitest";
import type { RecentDeliveries } from "../../../../sandbox/contract/control/rows.ts";
import { isSteady, recentSentence } from "./recent.ts";

const failure = { delivery_id: "d", status: 500 as number | null, error: null as string | null };
const recent = (some: Partial<RecentDeliveries>): RecentDeliveries => ({
  ...{ ended: 12, at_first_attempt: 0, given_up: 0, least_attempts: 3, most_attempts: 3, acknowledged_p95_ms: 34_000 },
  failures: [{ ...failure, attempts_made: 3, delivered: true }],
  ...some,
});

it("describes retries behind successful deliveries", () => {
  expect(recentSentence(recent({}))).toBe(
    "12 of 12 needed 3 attempts: your server returned 500. The same `message_id` is sent each time, so deduplicate.",
  );
  expect(recentSentence(recent({ at_first_attempt: 10, least_attempts: 2 }), "the receiver")).toMatch(
    /^2 of 12 needed 2 to 3 attempts: the receiver returned 500\./,
  );
});

it("says that there was no response, and why", () => {
  const none = { ...failure, status: null, error: "no response within 10 s", attempts_made: 2, delivered: true };
  expect(recentSentence(recent({ failures: [none] }))).toContain(
    "your server did not respond (no response within 10 s).",
  );
});

it("distinguishes failed deliveries from late ones", () => {
  const lost = { at_first_attempt: 10, least_attempts: 0, most_attempts: 0, given_up: 2 };
  expect(recentSentence(recent(lost))).toBe(
    "2 of 12 failed: your server returned 500. A failed delivery is sent again only manually.",
  );
  expect(recentSentence(recent({ at_first_attempt: 10, given_up: 1 }))).toMatch(
    /^1 of 12 failed, 1 of 12 needed 3 attempts: your server returned 500\. .* deduplicate\.$/,
  );
  expect(isSteady(recent({ ended: 100, at_first_attempt: 99, given_up: 1 }))).toBe(false);
});

it("is null if all arrived at the first attempt", () => {
  const well = recent({ at_first_attempt: 12, least_attempts: 0, most_attempts: 0, failures: [] });
  expect(recentSentence(well)).toBeNull();
});

it("is steady if 95 of 100 arrive at the first attempt", () => {
  expect([94, 95, 100].map((at_first_attempt) => isSteady(recent({ ended: 100, at_first_attempt })))).toEqual([
    false,
    true,
    true,
  ]);
  expect(isSteady(recent({ ended: 0 }))).toBe(true);
});
