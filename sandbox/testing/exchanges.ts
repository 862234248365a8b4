import type { ExchangeRecord } from "../storage/requests-store.ts";
import type { AnsweredExchange } from "../worlds/exchange-buffer.ts";

/** An exchange as it is kept: a small call that was answered. */
export const exchangeRecord = (id: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  seq: 1,
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
  response_headers: [["content-type", "application/json"]],
  response_body: Buffer.from('{"id":1}'),
  outcome: "read only",
  events: 0,
  job_id: null,
  procurement_id: null,
  label: null,
  ...more,
});

/** The same before it has a place in the log. */
export const answeredExchange = (id: string): AnsweredExchange => {
  const {
    seq: _seq,
    request_headers: _q,
    request_body,
    response_headers: _s,
    response_body,
    at,
    ...summary
  } = exchangeRecord(id);
  return {
    summary: () => ({
      ...summary,
      trace_id: id,
      at: new Date(at).toISOString(),
      request_bytes: request_body.length,
      response_bytes: response_body.length,
    }),
    record: () => exchangeRecord(id, { at }),
  };
};
