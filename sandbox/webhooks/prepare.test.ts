import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { Envelope } from "../contract/events.ts";
import { signBody, verifyNotification } from "../secrets/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { prepare } from "./prepare.ts";

const SECRET = "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
const HAPPENED = Date.UTC(2026, 0, 15, 12, 0, 0, 7);
const NOW = Date.UTC(2026, 0, 15, 13);
const delivery: DeliveryRecord = {
  seq: 1,
  id: "delivery",
  event_seq: 1,
  message_id: "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a",
  integration_id: "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f",
  subscription_id: "s",
  url: "http://127.0.0.1:9/hooks?a=b",
  status: "pending",
  attempts_made: 2,
  next_attempt_at: new Date(NOW).toISOString(),
  last_status: 500,
  last_error: null,
  created_at: new Date(HAPPENED).toISOString(),
  ended_at: null,
  repeats_id: null,
  side: "supplier",
  event_id: "event",
  event_type: "supplier.procurements",
  event_timestamp: HAPPENED,
  trace_id: "t",
  traceparent: null,
  job_id: "job",
  procurement_id: "procurement",
  payload: { procurement_id: "procurement", job_id: "job", status: "order_confirmed" },
  label: "TRC-1-1",
  announces: "order_confirmed",
};
const headersOf = (prepared: ReturnType<typeof prepare>) => Object.fromEntries(prepared.headers);

describe("a prepared notification", () => {
  it("is an envelope of exactly the contract's eight fields, in their order", () => {
    const { body } = prepare(delivery, SECRET, NOW);
    expect(body.toString("utf8")).toBe(
      '{"message_id":"0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a","event_timestamp":"2026-01-15T12:00:00.007Z","webhook_timestamp":"2026-01-15T13:00:00.000Z",' +
        '"event_type":"supplier.procurements","type":"integration_notification","version":"v1","integration_id":"5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f",' +
        '"payload":{"procurement_id":"procurement","job_id":"job","status":"order_confirmed"}}',
    );
    const envelope = JSON.parse(body.toString("utf8")) as Envelope;
    expect(Object.keys(envelope)).toEqual(Object.keys(Envelope.properties));
    expect(Object.keys(envelope)).toHaveLength(8);
    expect(Check(Envelope, envelope)).toBe(true);
  });

  it("contains only the identifiers of a job event", () => {
    const changed: DeliveryRecord = {
      ...delivery,
      event_type: "repairer.jobs",
      payload: { job_id: "job", change_action: "deleted" },
      announces: "deleted",
    };
    const envelope = JSON.parse(prepare(changed, SECRET, NOW).body.toString("utf8")) as Envelope;
    expect([envelope.event_type, envelope.payload]).toEqual([
      "repairer.jobs",
      { job_id: "job", change_action: "deleted" },
    ]);
    expect(Check(Envelope, envelope)).toBe(true);
  });

  it("is signed over its exact bytes, in the lower-case header, with their length", () => {
    const payload = { ...delivery.payload, job_id: "Müller 😀" };
    const prepared = prepare({ ...delivery, payload }, SECRET, NOW);
    const headers = headersOf(prepared);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(prepared.body.byteLength),
      "service-hmac-sha256": signBody(prepared.body, SECRET),
    });
    expect(
      verifyNotification({
        body: prepared.body,
        header: headers["service-hmac-sha256"] ?? null,
        secret: SECRET,
        now: NOW,
      }).reason,
    ).toBeNull();
    expect(prepared.headers.every(([name]) => name === name.toLowerCase())).toBe(true);
  });

  it("D72: has a new timestamp and signature for each attempt, and the same message_id and event_timestamp", () => {
    const [first, second] = [prepare(delivery, SECRET, NOW), prepare(delivery, SECRET, NOW + 1)];
    const [one, other] = [first, second].map(({ body }) => JSON.parse(body.toString("utf8")) as Envelope);
    expect({ ...other, webhook_timestamp: one?.webhook_timestamp }).toEqual(one);
    expect(other?.webhook_timestamp).toBe("2026-01-15T13:00:00.001Z");
    expect(headersOf(first)["service-hmac-sha256"]).not.toBe(headersOf(second)["service-hmac-sha256"]);
    expect([first.number, first.stampedAt]).toEqual([3, NOW]);
  });

  it("never contains the secret", () => {
    const prepared = prepare(delivery, SECRET, NOW);
    expect(prepared.body.toString("utf8") + JSON.stringify(prepared.headers)).not.toContain(SECRET);
  });

  it("continues the trace of its call, with a new span for each attempt", () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traced = { ...delivery, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const sent = [1, 2].map(() => headersOf(prepare(traced, SECRET, NOW)).traceparent ?? "");
    for (const one of sent) expect(one).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(new Set([...sent, traced.traceparent]).size).toBe(3);
    expect(headersOf(prepare(delivery, SECRET, NOW))).not.toHaveProperty("traceparent");
  });
});
