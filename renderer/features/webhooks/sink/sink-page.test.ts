import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { filterSink } from "./sink-page.tsx";

const receipt = (id: string, changes: Partial<Receipt> = {}): Receipt => ({
  id,
  at: "2026-01-15T12:00:00.000Z",
  outcome: "accepted",
  status: 200,
  reason: null,
  repeat: false,
  message_id: `m-${id}`,
  event_type: "repairer.jobs",
  integration_id: "i-1",
  headers: [],
  body_bytes: 0,
  body_base64: btoa(`{"payload":{"job_id":"JOB-${id}"}}`),
  verification: [],
  ...changes,
});
const all = [
  receipt("1"),
  receipt("2", { outcome: "repeated", repeat: true }),
  receipt("3", { outcome: "refused", status: 401, reason: "bad_signature", event_type: "supplier.procurements" }),
  receipt("4", { event_type: null, message_id: null, integration_id: null, body_base64: "" }),
];
const ids = (filter: Partial<Parameters<typeof filterSink>[1]>) =>
  filterSink(all, { outcome: null, search: "", ...filter }).map(({ id }) => id);

describe("the filter of the sink", () => {
  it("narrows to what became of it", () => {
    expect(ids({})).toEqual(["1", "2", "3", "4"]);
    expect(ids({ outcome: "refused" })).toEqual(["3"]);
    expect(ids({ outcome: "accepted" })).toEqual(["1", "4"]);
  });

  it("finds text in the body, the reason, the event and the ids, in either case", () => {
    expect(ids({ search: "job-2" })).toEqual(["2"]);
    expect(ids({ search: "BAD_sig" })).toEqual(["3"]);
    expect(ids({ search: "supplier." })).toEqual(["3"]);
    expect(ids({ search: " m-1 " })).toEqual(["1"]);
    expect(ids({ search: "nowhere" })).toEqual([]);
    expect(ids({ search: "job-", outcome: "repeated" })).toEqual(["2"]);
  });
});
