import type { ExchangeRecord } from "../storage/requests-store.ts";

/** The record of a small, successful call. */
export const exchangeRecord = (id: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  id,
  at: Date.now(),
  method: "POST",
  path: "/api/2026-01/repairer.jobs.get",
  operation: "repairer.jobs.get",
  integration_id: "integration",
  side: "repairer",
  status: 200,
  error_code: null,
  duration_ms: 1.5,
  request_headers: [["host", "localhost"]],
  request_body: Buffer.from("{}"),
  body_masked: false,
  response_headers: [["content-type", "application/json"]],
  response_body: Buffer.from('{"id":1}'),
  outcome: "read only",
  events: 0,
  job_id: null,
  procurement_id: null,
  label: null,
  ...more,
});
