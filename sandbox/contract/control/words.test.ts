import { describe, expect, it, test } from "vitest";
import type { DeliveryRow, RecentDeliveries } from "./rows.ts";
import { failureWords, isSteady, recentSentence } from "./words.ts";

const delivery = {
  event_type: "supplier.procurements",
  label: "PO-1042",
  url: "http://127.0.0.1:9000/hook",
  attempts_made: 8,
  last_status: 500,
  last_error: null,
};
const failed = (change = {}) => ({ ...delivery, ...change }) as DeliveryRow;

describe("the words of a notice", () => {
  test("say of one failure what it was, where it went and why it was given up", () => {
    expect(failureWords(failed(), 1, null)).toEqual({
      title: "A delivery failed",
      body: "supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: answered 500 after 8 attempts",
    });
  });

  test("give the reason where there was no answer", () => {
    const { body } = failureWords(failed({ last_status: null, last_error: "ECONNREFUSED", attempts_made: 1 }), 1, null);
    expect(body).toMatch(/: ECONNREFUSED after 1 attempt$/);
  });

  test("say of many how many, and of the last one what it was", () => {
    expect(failureWords(failed(), 12, "qa")).toEqual({
      title: "12 deliveries failed",
      body: "The last one in the world qa: supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: answered 500 after 8 attempts",
    });
  });
});

const failure = { delivery_id: "d", status: 500 as number | null, error: null as string | null };
const recent = (some: Partial<RecentDeliveries>): RecentDeliveries => ({
  ...{ ended: 12, at_first_attempt: 0, given_up: 0, least_attempts: 3, most_attempts: 3, acknowledged_p95_ms: 34_000 },
  failures: [{ ...failure, attempts_made: 3, delivered: true }],
  ...some,
});

it("says what deliveries that arrived at last hide", () => {
  expect(recentSentence(recent({}))).toBe(
    "12 of 12 needed 3 attempts: your server answered 500. The same `message_id` is sent each time, so deduplicate.",
  );
  expect(recentSentence(recent({ at_first_attempt: 10, least_attempts: 2 }), "the receiver")).toMatch(
    /^2 of 12 needed 2 to 3 attempts: the receiver answered 500\./,
  );
});

it("says that there was no answer, and why", () => {
  const none = { ...failure, status: null, error: "no answer within 10 s", attempts_made: 2, delivered: true };
  expect(recentSentence(recent({ failures: [none] }))).toContain("your server did not answer (no answer within 10 s).");
});

it("names deliveries that were given up as such, and not as delivered later", () => {
  const lost = { at_first_attempt: 10, least_attempts: 0, most_attempts: 0, given_up: 2 };
  expect(recentSentence(recent(lost))).toBe(
    "2 of 12 were given up: your server answered 500. A delivery that was given up is sent again only manually.",
  );
  expect(recentSentence(recent({ at_first_attempt: 10, given_up: 1 }))).toMatch(
    /^1 of 12 was given up, 1 of 12 needed 3 attempts: your server answered 500\. .* deduplicate\.$/,
  );
  expect(isSteady(recent({ ended: 100, at_first_attempt: 99, given_up: 1 }))).toBe(false);
});

it("says nothing where all came at the first attempt", () => {
  const well = recent({ at_first_attempt: 12, least_attempts: 0, most_attempts: 0, failures: [] });
  expect(recentSentence(well)).toBeNull();
});

it("counts an address as steady while 95 in 100 come at the first attempt", () => {
  expect([94, 95, 100].map((at_first_attempt) => isSteady(recent({ ended: 100, at_first_attempt })))).toEqual([
    false,
    true,
    true,
  ]);
  expect(isSteady(recent({ ended: 0 }))).toBe(true);
});
