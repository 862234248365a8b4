import { describe, expect, it } from "vitest";
import { signBody, verifyNotification } from "../rules/webhook-signature.ts";
import {
  bodyFault,
  type Delivered,
  deliveredFault,
  eventKey,
  identityFault,
  missingEvents,
  missingFault,
  orderFault,
  repeatsOf,
  stateFault,
  strayFault,
} from "./checks.ts";

const mutation = (asked: number, answered: number, ...events: string[]) => ({ events, asked, answered });
const delivered = (...events: string[]): Delivered => ({
  name: "the buyer",
  concerns: (event) => !event.startsWith("supplier"),
  receipts: events.map((event) => ({ event, message_id: `id of ${event}` })),
});
const three = [mutation(1, 2, "a"), mutation(3, 4, "b", "supplier b"), mutation(5, 6, "c")];

describe("what a subscription received", () => {
  it("is well when every event came once, or came again", () => {
    expect(deliveredFault(delivered("a", "b", "c"), three, 0)).toBeNull();
    expect(deliveredFault(delivered("a", "b", "a", "c", "b", "a"), three, 0)).toBeNull();
    expect(repeatsOf(delivered("a", "b", "a", "c", "b", "a"))).toBe(3);
  });

  it("lacks an event that never came, and none that is meant for others", () => {
    expect(missingEvents(delivered("a", "b"), three)).toEqual(["c"]);
    expect(missingFault(delivered("b"), three)).toBe(
      "the buyer never heard of 2 acknowledged changes, for example “a”.",
    );
    expect(deliveredFault(delivered("a", "b"), three, 5)).toContain("“c”");
  });

  it("is out of order when a later change came first, however many came between", () => {
    expect(orderFault(delivered("b", "a", "c"), three)).toBe("the buyer received “b” before “a”.");
    expect(orderFault(delivered("a", "c", "c", "b"), three)).toBe("the buyer received “c” before “b”.");
    expect(deliveredFault(delivered("c", "a", "b"), three, 0)).toBe("the buyer received “c” before “a”.");
  });

  it("may have changes that were under way together in either order", () => {
    const together = [mutation(1, 4, "a"), mutation(2, 3, "b"), mutation(5, 6, "c")];
    expect(orderFault(delivered("b", "a", "c"), together)).toBeNull();
    expect(orderFault(delivered("a", "b", "c"), together)).toBeNull();
    expect(orderFault(delivered("b", "c", "a"), together)).toBe("the buyer received “c” before “a”.");
  });

  it("gives one event one message_id alone", () => {
    const twice = { ...delivered(), receipts: ["1", "2"].map((message_id) => ({ event: "a", message_id })) };
    expect(identityFault(twice)).toBe("the buyer received “a” as 1 and again as 2.");
    expect(deliveredFault(twice, [mutation(1, 2, "a")], 0)).toContain("again as 2");
  });

  it("goes beyond what was acknowledged only as far as answers were lost", () => {
    expect(strayFault(delivered("a", "x", "b", "c", "x"), three, 1)).toBeNull();
    expect(strayFault(delivered("a", "x", "b", "y", "c"), three, 1)).toContain("2 changes nobody was acknowledged");
    expect(deliveredFault(delivered("a", "x", "b", "c"), three, 0)).toContain("“x”");
  });
});

describe("the name of an event", () => {
  it("differs by type, thing and change", () => {
    const status = "order_requested" as const;
    const payload = { procurement_id: "p", job_id: "j", status };
    expect([
      eventKey({ event_type: "repairer.jobs", payload: { job_id: "j", change_action: "inserted" } }),
      eventKey({ event_type: "repairer.jobs", payload: { job_id: "j", change_action: "updated" } }),
      eventKey({ event_type: "repairer.procurements", payload }),
      eventKey({ event_type: "supplier.procurements", payload: { ...payload, status: "order_confirmed" } }),
    ]).toEqual([
      "repairer.jobs j inserted",
      "repairer.jobs j updated",
      "repairer.procurements p order_requested",
      "supplier.procurements p order_confirmed",
    ]);
  });
});

describe("a body", () => {
  const now = Date.now();
  const body = Buffer.from(JSON.stringify({ webhook_timestamp: new Date(now).toISOString() }));
  const verify = (secret: string, at = now) =>
    bodyFault("the buyer", verifyNotification({ body, header: signBody(body, "pwh_a"), secret, now: at }));

  it("is well when it verifies, and else reported with the reason", () => {
    expect(verify("pwh_a")).toBeNull();
    expect(verify("pwh_b")).toMatch(/^A notification to the buyer does not verify: bad_signature \(.+\)\.$/);
    expect(verify("pwh_a", now + 300_001)).toContain("stale_timestamp");
  });
});

describe("a thing that was acknowledged", () => {
  const job = { what: "Job 7", fields: { id: ["7"], claim_number: ["old", "new"] } };

  it("is there as it was last acknowledged, or as a lost answer may have left it", () => {
    expect(stateFault(job, { status: 200, body: { id: "7", claim_number: "old" } })).toBeNull();
    expect(stateFault(job, { status: 200, body: { id: "7", claim_number: "new" } })).toBeNull();
  });

  it("is missed when it is gone, and when it is another", () => {
    expect(stateFault(job, { status: 404, body: {} })).toBe("Job 7 was acknowledged, and is answered with 404 now.");
    expect(stateFault(job, { status: 200, body: { id: "8", claim_number: "new" } })).toBe('Job 7 has id "8", not "7".');
    expect(stateFault(job, { status: 200, body: { id: "7", claim_number: null } })).toBe(
      'Job 7 has claim_number null, not "old" or "new".',
    );
    expect(stateFault(job, { status: 200, body: undefined })).toContain("has id undefined");
  });
});
