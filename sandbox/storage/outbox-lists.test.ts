import { describe, expect, it } from "vitest";
import { delivered, event, NOW, openOutbox as open, retryOutcome } from "../testing/outbox.ts";
import type { DeliveryFilter } from "./outbox-store.ts";

describe("the list of deliveries", () => {
  const filled = () => {
    const known = open();
    for (const id of ["a1", "b1", "a2", "c1", "a3", "b2", "a4"]) known.queue(id);
    known.record("a1", delivered);
    known.record("a2", { status: "failed", next_attempt_at: null, ended_at: NOW });
    known.record("a3", retryOutcome(NOW + 1));
    known.record("b1", delivered);
    return known;
  };
  const END = Number.MAX_SAFE_INTEGER;

  it("is sorted newest first, filters by status, integration and subscription, and is counted", () => {
    const { outbox, ids } = filled();
    const list = (filter: DeliveryFilter) => {
      const { rows, total } = outbox.list(filter, END, 9);
      return [ids(rows).join(" "), total];
    };
    expect(list({})).toEqual(["a4 b2 a3 c1 a2 b1 a1", 7]);
    expect(list({ status: "pending" })).toEqual(["a4 b2 a3 c1", 4]);
    expect(list({ status: "delivered" })).toEqual(["b1 a1", 2]);
    expect(list({ status: "failed" })).toEqual(["a2", 1]);
    expect(list({ subscription_id: "a" })).toEqual(["a4 a3 a2 a1", 4]);
    expect(list({ integration_id: "integration of b", status: "delivered" })).toEqual(["b1", 1]);
    expect(list({ integration_id: "integration of b", subscription_id: "a" })).toEqual(["", 0]);
    expect(list({ subscription_id: "nobody" })).toEqual(["", 0]);
    expect(list({ ids: ["a3", "b1", "none"], status: "delivered" })).toEqual(["b1", 1]);
    expect(list({ message_id: "message a2" })).toEqual(["a2", 1]);
  });

  it("finds deliveries about a job, even if their call is no longer stored", () => {
    const { db, outbox, ids } = filled();
    expect(db.get("SELECT count(*) AS calls FROM requests")).toEqual({ calls: 0 });
    expect(ids(outbox.list({ job_id: event.job_id }, END, 9).rows)).toEqual(["a4", "b2", "a3", "c1", "a2", "b1", "a1"]);
    expect(outbox.list({ job_id: "another" }, END, 9)).toEqual({ rows: [], total: 0 });
  });

  it("continues after the previous page", () => {
    const { outbox, ids } = filled();
    for (const filter of [{}, { status: "pending" }, { subscription_id: "a" }] as const) {
      const whole = ids(outbox.list(filter, END, 9).rows);
      const paged: string[] = [];
      for (let before = END; ; ) {
        const page = outbox.list(filter, before, 2).rows;
        if (page.length === 0) break;
        paged.push(...ids(page));
        before = page.at(-1)?.seq ?? 0;
      }
      expect(paged).toEqual(whole);
    }
  });

  it("drops deleted deliveries from the counts", () => {
    const { db, outbox, subscriptions } = filled();
    subscriptions.end("a");
    // The unattempted delivery is deleted; the attempted one has failed.
    const count = (filter: DeliveryFilter) => outbox.list(filter, END, 0).total;
    expect([count({ subscription_id: "a" }), count({})]).toEqual([3, 6]);
    expect(count({ subscription_id: "a", status: "failed" })).toBe(2);
    db.run("DELETE FROM deliveries WHERE status = 'delivered'");
    expect([count({ status: "delivered" }), count({})]).toEqual([0, 4]);
    expect(db.get("SELECT count(*) AS attempts FROM attempts")).toEqual({ attempts: 2 });
  });
});
