import { describe, expect, it } from "vitest";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { cameLater, pickDelivery } from "./delivery-of.ts";

const ORIGIN = "http://127.0.0.1:4026";
const SINK = `${ORIGIN}/__webhooks/sink`;
const row = (id: string, message_id: string, created_at: string, url = SINK): DeliveryRow => ({
  id,
  message_id,
  created_at,
  url,
  event_id: "e",
  event_type: "repairer.jobs",
  integration_id: "i",
  side: "repairer",
  subscription_id: "s",
  status: "delivered",
  attempts_made: 1,
  last_status: 200,
  last_error: null,
  next_attempt_at: null,
  ended_at: null,
  trace_id: "t",
  repeats_id: null,
  job_id: "j",
  procurement_id: null,
  label: "J-1",
  announces: "inserted",
});
const at = "2026-01-15T12:00:05.000Z";
const pick = (rows: readonly DeliveryRow[], here: Parameters<typeof pickDelivery>[2] = { kind: "sink" }) =>
  pickDelivery(rows, { message_id: "m-1", at }, here, ORIGIN)?.id ?? null;

describe("the delivery a receipt is of", () => {
  it("has the receipt's message and leads to where the receipt was written", () => {
    expect(pick([row("other", "m-2", "2026-01-15T12:00:00.000Z"), row("it", "m-1", "2026-01-15T12:00:00.000Z")])).toBe(
      "it",
    );
    expect(pick([row("elsewhere", "m-1", at, "http://127.0.0.1:8787/hooks")])).toBeNull();
    expect(pick([row("mine", "m-1", at, `${ORIGIN}/__receiver/r-1`)], { kind: "receiver", id: "r-1" })).toBe("mine");
    expect(pick([row("other's", "m-1", at, `${ORIGIN}/__receiver/r-2`)], { kind: "receiver", id: "r-1" })).toBeNull();
  });

  it("was settled before a receipt that a drill or another program caused", () => {
    expect(cameLater({ at }, { ended_at: "2026-01-15T12:00:04.000Z" })).toBe(true);
    expect(cameLater({ at }, { ended_at: "2026-01-15T12:00:05.010Z" })).toBe(false);
    expect(cameLater({ at }, { ended_at: null })).toBe(false);
  });

  it("is the last one made before it arrived, when a message was sent again", () => {
    const rows = [
      row("later", "m-1", "2026-01-15T12:00:09.000Z"),
      row("again", "m-1", "2026-01-15T12:00:04.000Z"),
      row("first", "m-1", "2026-01-15T12:00:00.000Z"),
    ];
    expect(pick(rows)).toBe("again");
    expect(pick(rows.slice(0, 1))).toBe("later");
  });
});
