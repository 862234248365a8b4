import { describe, expect, test } from "vitest";
import { failureWords } from "./failure-words.ts";
import type { DeliveryRow } from "./rows.ts";

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
