import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { notePlans } from "../testing/query-plans.ts";
import { readPage } from "../testing/read-page.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";
import { plantSeed } from "../worlds/template.ts";
import { Database } from "./database.ts";
import { jobList, updateJobState } from "./jobs-store.ts";
import type { List, PageQuery, Position } from "./lists.ts";
import { procurementList } from "./procurements-store.ts";
import { ReadinessStore } from "./readiness-store.ts";
import { type RequestFilter, requestList, requestQuery } from "./requests-store.ts";
import { openStores, type Stores } from "./stores.ts";
import { createTotals } from "./totals.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
let db: Database;
let stores: Stores;

beforeAll(() => {
  db = new Database(path.join(folder, "world.sqlite"), { durability: "off" });
  plantSeed(db, buildSeedWorld());
  stores = openStores(db);
});
afterAll(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Query plan of every statement a call runs, one line per step. */
const collectPlans = (call: () => unknown): string[] => {
  const plans = notePlans(db);
  call();
  return plans();
};

/** Every step must find its rows through an index or rowid, in the requested order. */
const expectIndexed = (plans: readonly string[]): void => {
  expect(plans.length).toBeGreaterThan(0);
  for (const step of plans)
    expect(step).toMatch(/^SEARCH \w+ (AS \w+ )?USING (COVERING )?(INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)/);
};

describe("frequent reads use an index in a world of any size", () => {
  const id = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";

  it("a credential by its integration", () => {
    expectIndexed(collectPlans(() => stores.credentials.findByIntegration(id)));
    expectIndexed(collectPlans(() => stores.credentials.code("ac_1")));
  });

  it("an integration's history and receiver, from its own newest records", () => {
    const store = new ReadinessStore(db);
    const steps = collectPlans(() => [store.calls(id), store.deliveries(1)]);
    const read = steps.filter((step) => /\b(requests|deliveries|drills|e)\b/.test(step));
    expectIndexed(read);
    // The limited result is grouped; nothing is sorted before the limit.
    const others = steps.filter((step) => !read.includes(step));
    for (const step of others) expect(step).toMatch(/^(CO-ROUTINE|SCAN (d|\(subquery)|USE TEMP B-TREE FOR GROUP BY)/);
  });

  it("the state of a job from its own parts and orders", () => {
    const plans = collectPlans(() => updateJobState(db, id));
    expect(plans.filter((step) => step.startsWith("SEARCH p "))).toEqual([
      expect.stringContaining("procurements_of_jobs (job_id=? AND status=?)"),
      expect.stringContaining("procurements_of_jobs (job_id=? AND status=?)"),
      expect.stringContaining("(job_id=?)"),
    ]);
  });

  it("a job by its ID, its external ID and its number", () => {
    expectIndexed(collectPlans(() => stores.jobs.find({ id }, "organization")));
    expectIndexed(collectPlans(() => stores.jobs.get(id)));
    expect(collectPlans(() => stores.jobs.find({ external: "x" }, "organization"))).toEqual([
      expect.stringContaining("jobs_by_external (organization_id=? AND external_id=?)"),
    ]);
    expect(collectPlans(() => stores.jobs.byNumber("site", "T-1"))).toEqual([
      expect.stringContaining("jobs_by_number (repairer_site_id=? AND job_number=?)"),
    ]);
    expectIndexed(collectPlans(() => stores.jobs.touch(id, 0)));
    expectIndexed(collectPlans(() => stores.jobs.delete(id)));
  });

  it("the parts of a job in order, and the orders of one", () => {
    expect(collectPlans(() => stores.parts.listByJob(id))).toEqual([
      expect.stringContaining("INDEX job_parts_by_job (job_id=?)"),
    ]);
    expectIndexed(collectPlans(() => stores.parts.findJobId(id)));
    expect(collectPlans(() => stores.parts.isCovered(id, id, ["order_requested", "order_confirmed"]))).toEqual([
      expect.stringContaining("procurements_of_jobs (job_id=? AND status=?)"),
      expect.stringContaining("USING PRIMARY KEY (job_part_id=? AND procurement_id=?)"),
    ]);
    expectIndexed(collectPlans(() => stores.parts.setStatus(id, "ordered")));
    expectIndexed(collectPlans(() => stores.parts.deleteByJob(id)).filter((step) => step.startsWith("S")));
  });

  it("an order by its ID, and a job's orders in order", () => {
    expectIndexed(collectPlans(() => stores.procurements.get(id)));
    expect(collectPlans(() => stores.procurements.listByJob(id))).toEqual([
      expect.stringContaining("INDEX procurements_by_job (job_id=?)"),
    ]);
    expectIndexed(collectPlans(() => stores.procurements.countByJob(id)));
  });

  it("the sites and businesses of an organization", () => {
    expectIndexed(collectPlans(() => stores.directory.listBusinesses(id)));
    expectIndexed(collectPlans(() => stores.directory.insurers()));
    expectIndexed(collectPlans(() => stores.directory.suppliers()));
    expectIndexed(collectPlans(() => stores.directory.site(id, id)));
  });

  it("the recipients of an event", () => {
    const steps = collectPlans(() => stores.subscriptions.recipients(id, "repairer.jobs"));
    expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expectIndexed(steps.filter((step) => step !== "USE TEMP B-TREE FOR ORDER BY"));
    expectIndexed(collectPlans(() => stores.subscriptions.get(id)));
  });

  it("pending deliveries of a subscription in sending order, without reading others", () => {
    const { outbox } = stores;
    const steps = collectPlans(() => outbox.due(1, 0, 10));
    for (const index of [
      "deliveries_never_attempted (subscription_seq=? AND status=?)",
      "deliveries_to_retry (subscription_seq=? AND next_attempt_at<?)",
    ])
      expect(steps).toContainEqual(expect.stringContaining(index));
    expectIndexed(steps);
    expectIndexed(collectPlans(() => outbox.nextRetryAt(1)));
    expectIndexed(collectPlans(() => outbox.dueAt(1)));
  });

  it("the newest deliveries of a subscription, with one attempt of each", () => {
    const steps = collectPlans(() => stores.outbox.listLastEnded(1, 10));
    const few =
      /^(CO-ROUTINE|COMPOUND QUERY|LEFT-MOST SUBQUERY|UNION ALL|SCAN \((subquery-\d+|p)\)|SCAN p|USE TEMP B-TREE FOR ORDER BY)/;
    expectIndexed(steps.filter((step) => !few.test(step)));
    expect(steps).toContainEqual(
      expect.stringContaining("deliveries_by_subscription (subscription_seq=? AND status=?)"),
    );
  });

  it("the newest deliveries, of all subscriptions and of one", () => {
    const { outbox, subscriptions } = stores;
    expectIndexed(collectPlans(() => outbox.list({}, 10, 10)).filter((step) => step !== "SCAN s"));
    subscriptions.insert({ id, integration_id: id, url: "http://127.0.0.1/", created_at: 0 });
    const event_seq = outbox.insertEvent({
      id,
      event_type: "repairer.jobs",
      event_timestamp: 0,
      organization_id: id,
      payload: { job_id: id, change_action: "inserted" },
      trace_id: id,
      traceparent: null,
      job_id: id,
      procurement_id: null,
      label: "T-1",
      announces: "inserted",
    });
    const of = { subscription_id: id, created_at: 0, repeats_id: null };
    outbox.insertDelivery({ ...of, id, event_seq, message_id: id });
    const steps = collectPlans(() => outbox.list({ status: "pending" }, 10, 10));
    // Subscriptions are few, so they are scanned.
    expect(steps.filter((step) => step.startsWith("SCAN ")).toSorted()).toEqual([
      "SCAN s",
      "SCAN s",
      "SCAN st VIRTUAL TABLE INDEX 1:",
    ]);
    expect(steps).toContain(
      "SEARCH deliveries USING COVERING INDEX deliveries_by_subscription (subscription_seq=? AND status=? AND rowid<?)",
    );
    db.run("UPDATE deliveries SET status = 'delivered' WHERE id = ?", id);
    for (const which of ["first", "last"] as const)
      expectIndexed(
        collectPlans(() => outbox.findDelivered(which)).filter((step) => step.startsWith("SEARCH deliveries")),
      );
    db.run("DELETE FROM deliveries WHERE id = ?", id);
    subscriptions.end(id);
  });

  it("counts up to the limit, from the ends of indexes", () => {
    const steps = collectPlans(() => createTotals(db));
    // Counts of whole tables read the start of an index.
    const counts = /^(SCAN \((subquery-\d+)\)|SCAN \w+ USING COVERING INDEX \w+|CO-ROUTINE .*)$/;
    expectIndexed(steps.filter((step) => !counts.test(step)));
    expect(steps).toContain("SEARCH jobs USING COVERING INDEX jobs_by_change");
    expect(collectPlans(() => stores.requests.firstDone())).toContain("SEARCH r USING INTEGER PRIMARY KEY (rowid=?)");
  });

  it("one delivery with its attempts", () => {
    expectIndexed(collectPlans(() => stores.outbox.delivery(id)));
    expectIndexed(collectPlans(() => stores.outbox.list({ message_id: id }, 9, 10)));
    expectIndexed(collectPlans(() => stores.outbox.attempts(1)));
    // Looks back over at most 500 rows.
    const few = /^(CO-ROUTINE a|SCAN a|SCALAR SUBQUERY \d+)$/;
    const delivery = { seq: 1 };
    expectIndexed(collectPlans(() => stores.outbox.countEndedBefore(delivery, 1, 0)).filter((step) => !few.test(step)));
  });

  it("the records that end with a subscription", () => {
    const one = "6c1b2d3e-4f50-4617-8829-3a4b5c6d7e8f";
    stores.subscriptions.insert({ id: one, integration_id: id, url: "http://127.0.0.1/ends", created_at: 0 });
    const steps = collectPlans(() => stores.subscriptions.end(one));
    expectIndexed(steps);
  });

  it("drill results and a receiver's arrivals", () => {
    expectIndexed(collectPlans(() => stores.drills.latest(id)));
    expectIndexed(collectPlans(() => stores.drills.get(id)));
    expectIndexed(collectPlans(() => stores.receivers.hasAcknowledged(1, id)));
    expectIndexed(collectPlans(() => stores.receivers.receipts(1, 9, 10)));
  });

  it("the next deadlines of the clock", () => {
    expectIndexed(collectPlans(() => stores.clock.upcoming(1, 10)));
  });

  /** Merges tables that are already ordered, without a sort. */
  const expectMerged = (plans: readonly string[]): void => {
    expect(plans.length).toBeGreaterThan(0);
    for (const step of plans) expect(step).not.toContain("TEMP B-TREE");
  };

  it("the feed after an entry, a trace, and the exchanges of a job", () => {
    const steps = collectPlans(() => stores.log.after(10, 10));
    expectMerged(steps);
    expectIndexed(steps.filter((step) => !/^(MERGE|LEFT|RIGHT)/.test(step)));
    expectIndexed(collectPlans(() => stores.log.listByTrace(id)));
    expectIndexed(collectPlans(() => stores.requests.findByTrace(id)));
    expectIndexed(collectPlans(() => stores.requests.get(id)));
    expectIndexed(collectPlans(() => stores.requests.at(1)));
  });

  /** Query plan of a page's rows. */
  const collectReads = async (list: List, query: Partial<PageQuery>, after: Position | null): Promise<string[]> => {
    const statements = vi.spyOn(db, "sql");
    const order = { sort: Object.keys(list.orders)[0] ?? "", descending: true };
    await readPage(db, list, { conditions: [], order, limit: 50, ...query, after });
    const texts = statements.mock.calls.map(([text]) => text).filter((text) => text.includes("ORDER BY"));
    statements.mockRestore();
    return texts.map((text) => {
      const values = Array(text.split("?").length - 1).fill(null);
      const steps = db.handle.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { readonly detail: string }[];
      return steps.map(({ detail }) => detail.replace("COVERING ", "")).join("; ");
    });
  };

  it("jobs and orders in the order of their index, with any filter", async () => {
    const of = (index: string) => `SCAN r USING INDEX ${index}`;
    const plans = { updated: of("jobs_by_change"), created: "SCAN r", job_number: of("jobs_in_order_of_numbers") };
    const conditions = [{ sql: "r.repairer_site_id = ?", values: ["site"] }];
    for (const descending of [true, false])
      for (const [sort, plan] of Object.entries(plans))
        expect(await collectReads(jobList, { conditions, order: { sort, descending } }, null)).toEqual([plan]);
    const tied = await collectReads(jobList, { conditions }, { key: 5, seq: 5 });
    expect(tied.slice(-2)).toEqual([
      "SEARCH r USING INDEX jobs_by_change (updated_at=? AND seq<?)",
      "SEARCH r USING INDEX jobs_by_change (updated_at<?)",
    ]);
    const bySite = [{ sql: "r.buyer_business_id = ?", values: ["site"] }];
    const next = await collectReads(procurementList, { conditions: bySite }, { key: 5, seq: 5 });
    expect(next.at(-1)).toMatch(/^SEARCH r USING INDEX procurements_by_creation \(/);
  });

  it("filtered exchanges, in order from the narrow index or from a specific one", async () => {
    const narrow = "SCAN r USING INDEX requests_narrow";
    const filters: readonly (readonly [RequestFilter, string])[] = [
      [{}, narrow],
      [{ job_id: id }, "SEARCH r USING INDEX requests_by_job (job_id=?)"],
      [{ integration_id: id, status: 422 }, "SEARCH r USING INDEX requests_by_integration (integration_id=?)"],
      [{ anonymous: true }, "SEARCH r USING INDEX requests_by_integration (integration_id=?)"],
      [{ pinned: true }, "SCAN r USING INDEX requests_pinned"],
      [{ refused: true }, "SCAN r USING INDEX requests_refused"],
      ...(
        [
          { writes: true },
          { changes: true },
          { operation: "repairer.jobs.get", origin: "explorer" },
          { status: 422 },
          { status_class: 4 },
          { error_code: "unprocessable", side: "repairer" },
          { faulted: true },
          { unrouted: true },
          { user_agent: "PartsBridge" },
          { origin: "partner" },
          { origin: "replay", from: 1, to: 2 },
        ] as const
      ).map((filter): [RequestFilter, string] => [filter, narrow]),
    ];
    for (const [filter, plan] of filters)
      expect([filter, await collectReads(requestList, requestQuery(db, filter), null)]).toEqual([filter, [plan]]);
    const next = await collectReads(requestList, requestQuery(db, { changes: true }), { key: 9, seq: 9 });
    expect(next.at(-1)).toBe("SEARCH r USING INDEX requests_narrow (seq<?)");
    const of = collectPlans(() => requestQuery(db, { procurement_id: id }));
    for (const index of ["requests_by_procurement (procurement_id=?)", "events_by_procurement (procurement_id=?)"])
      expect(of).toContainEqual(expect.stringContaining(index));
  });

  it("the newest entries of the feed, from the ends of its tables", () => {
    expectMerged(collectPlans(() => stores.log.newest(10)));
  });

  it("an event by its number, its ID and a notification's", () => {
    const traces = collectPlans(() => stores.events.deliveriesOfTraces(100));
    // The newest events are at the end of their table.
    expect(traces.filter((step) => step.startsWith("SCAN"))).toEqual(["SCAN events"]);
    expectIndexed(collectPlans(() => stores.events.get(1)));
    expectIndexed(collectPlans(() => stores.events.find(id)).filter((step) => step.startsWith("S")));
  });

  it("a world's own addresses", () => {
    expectIndexed(collectPlans(() => stores.settings.get("own_addresses")));
  });
});
