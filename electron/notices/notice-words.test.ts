import { describe, expect, test } from "vitest";
import type { FailedDelivery } from "./live-failures.ts";
import { noticeWords } from "./notice-words.ts";

const delivery = {
  event_type: "supplier.procurements",
  label: "PO-1042",
  url: "http://127.0.0.1:9000/hook",
  attempts_made: 8,
  last_status: 500,
  last_error: null,
};
const failed = (world: string, change = {}) => ({ world, delivery: { ...delivery, ...change } }) as FailedDelivery;

describe("the words of a notice", () => {
  test("say of one failure what it was, where it went and why it was given up", () => {
    expect(noticeWords(failed("default"), 1)).toEqual({
      title: "A delivery failed",
      body: "supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: answered 500 after 8 attempts",
    });
  });

  test("give the reason where there was no answer", () => {
    const { body } = noticeWords(
      failed("default", { last_status: null, last_error: "ECONNREFUSED", attempts_made: 1 }),
      1,
    );
    expect(body).toMatch(/: ECONNREFUSED after 1 attempt$/);
  });

  test("say of many how many, and of the last one what it was", () => {
    expect(noticeWords(failed("qa"), 12)).toEqual({
      title: "12 deliveries failed",
      body: "The last one in the world qa: supplier.procurements PO-1042 to http://127.0.0.1:9000/hook: answered 500 after 8 attempts",
    });
  });
});
