import { expect, test } from "vitest";
import type { DeliveryRow, RequestRow } from "../contract/control/rows.ts";
import { readableLine, type TailEntry } from "./tail-line.ts";

const call: RequestRow = {
  id: "0190d0e0-0000-7000-8000-000000000001",
  trace_id: "0190d0e0-0000-7000-8000-000000000001",
  at: "2026-11-22T10:11:12.345Z",
  method: "POST",
  path: "/api/2026-01/repairer.jobs.insert",
  operation: "repairer.jobs.insert",
  integration_id: "3f2b9a1c-5d4e-4c6b-8a70-1e2d3c4b5a69",
  side: "repairer",
  status: 200,
  error_code: null,
  duration_ms: 3.0712,
  request_bytes: 2,
  response_bytes: 2,
  outcome: "job J-1 inserted",
  events: 1,
  job_id: null,
  procurement_id: null,
  label: "J-1",
};
const delivery: DeliveryRow = {
  id: "0190d0e0-0000-7000-8000-000000000002",
  message_id: "m",
  event_id: "e",
  event_type: "repairer.jobs",
  integration_id: "3f2b9a1c-5d4e-4c6b-8a70-1e2d3c4b5a69",
  side: "repairer",
  subscription_id: "s",
  url: "http://127.0.0.1:9/hook",
  status: "pending",
  attempts_made: 2,
  last_status: 500,
  last_error: null,
  next_attempt_at: null,
  created_at: "2026-11-22T10:11:12.345Z",
  ended_at: null,
  trace_id: "t",
  repeats_id: null,
  job_id: "j",
  procurement_id: null,
  label: "J-1",
  announces: "inserted",
};
const ofCall = (changes: Partial<RequestRow> = {}): TailEntry => ({
  kind: "request",
  at: call.at,
  data: { ...call, ...changes },
});
const ofDelivery = (changes: Partial<DeliveryRow> = {}): TailEntry => ({
  kind: "delivery",
  at: delivery.created_at,
  data: { ...delivery, ...changes },
});
const words = (one: TailEntry): string => readableLine(one).replace(/ {2,}/g, " | ");

test("a call shows time, caller, operation, status, duration and outcome", () => {
  expect(words(ofCall())).toBe(
    "10:11:12.345 | call | repairer 3f2b9a…5a69 | repairer.jobs.insert | 200 | 3.1 ms | job J-1 inserted",
  );
});

test("a counterpart's call names the organization that it acts for, with or without a key", () => {
  const acted = { origin: "counterpart" as const, counterpart: "Halfmoon", integration_id: null };
  expect(words(ofCall(acted))).toContain("| call | counterpart Halfmoon | repairer.jobs.insert |");
});

test("an anonymous call without operation shows its method and path, and a missing response", () => {
  const stray = ofCall({ operation: null, integration_id: null, side: null, path: "/x", status: 0, outcome: "closed" });
  expect(words(stray)).toBe("10:11:12.345 | call | anonymous | POST /x | no response | 3.1 ms | closed");
});

test("a delivery shows its state and the receiver's response", () => {
  expect(words(ofDelivery())).toBe(
    "10:11:12.345 | delivery | repairer 3f2b9a…5a69 | repairer.jobs inserted | pending | (returned 500, attempt 2) | J-1 to http://127.0.0.1:9/hook",
  );
  expect(words(ofDelivery({ attempts_made: 0, last_status: null }))).toContain("(no attempt yet)");
  expect(words(ofDelivery({ last_status: null, last_error: "it hung" }))).toContain(
    "(no response: it hung, attempt 2)",
  );
});

// Colours and titles, a line feed, C1's escape, a change of direction, a line separator, a lone surrogate.
const HOSTILE = "a\u001b]0;owned\u0007\u001b[2J\r\nb\u009b31m\u202ec\u2028d\ud800e\u{e0041}";

test("no value can send control characters or line breaks to a terminal", () => {
  const hostile = { label: HOSTILE, url: HOSTILE, last_error: HOSTILE };
  for (const one of [
    ofCall({ outcome: HOSTILE, operation: HOSTILE }),
    ofCall({ operation: null, path: HOSTILE }),
    ofDelivery(hostile),
  ])
    expect(readableLine(one)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});

test("secrets of this service and secret parameters are masked", () => {
  const key = "isk_0123456789abcdef0123456789abcdef";
  const told = { outcome: key, operation: null, path: `/x?access_code=opensesame&b=${key}` };
  expect(
    readableLine(ofCall(told)) + readableLine(ofDelivery({ url: `https://x/?token=opensesame`, label: key })),
  ).not.toMatch(/opensesame|0123456789abcdef0123/);
});

test("a long value is cut", () => {
  expect(readableLine(ofCall({ outcome: "x".repeat(5_000) })).length).toBeLessThan(300);
});
