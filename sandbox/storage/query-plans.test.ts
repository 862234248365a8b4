import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { plantSeed } from "../worlds/plant-seed.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";
import { Database } from "./database.ts";
import { recordStreams } from "./kept-records.ts";
import { openStores, type Stores } from "./stores.ts";

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

/** How SQLite carries out every statement that a call runs, a line for each step. */
const plansOf = (call: () => unknown): string[] => {
  const statements = (["get", "all", "run"] as const).map((method) => vi.spyOn(db, method));
  call();
  const ran = statements.flatMap((spy) => spy.mock.calls);
  for (const spy of statements) spy.mockRestore();
  expect(ran.length).toBeGreaterThan(0);
  return ran.flatMap(([text, ...parameters]) =>
    db.handle
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...parameters)
      .map((step) => (step as { readonly detail: string }).detail),
  );
};

/** Every step must find its rows through an index or their place, in the order they are asked for. */
const expectIndexed = (plans: readonly string[]): void => {
  expect(plans.length).toBeGreaterThan(0);
  for (const step of plans)
    expect(step).toMatch(/^SEARCH \w+ (AS \w+ )?USING (COVERING )?(INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)/);
};

describe("what every call runs is answered from an index, however large the world is", () => {
  const id = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";

  it("a credential by its integration", () => {
    expectIndexed(plansOf(() => stores.credentials.byIntegration(id)));
    expectIndexed(plansOf(() => stores.credentials.code("ac_1")));
  });

  it("a job by its id, by its external id and by its number", () => {
    expectIndexed(plansOf(() => stores.jobs.find({ id }, "organization")));
    expectIndexed(plansOf(() => stores.jobs.get(id)));
    expect(plansOf(() => stores.jobs.find({ external: "x" }, "organization"))).toEqual([
      expect.stringContaining("jobs_by_external (organization_id=? AND external_id=?)"),
    ]);
    expect(plansOf(() => stores.jobs.byNumber("site", "T-1"))).toEqual([
      expect.stringContaining("jobs_by_number (repairer_site_id=? AND job_number=?)"),
    ]);
    expectIndexed(plansOf(() => stores.jobs.touch(id, 0)));
    expectIndexed(plansOf(() => stores.jobs.delete(id)));
  });

  it("the parts of a job, already in their order, and what covers one", () => {
    expect(plansOf(() => stores.parts.ofJob(id))).toEqual([
      expect.stringContaining("INDEX job_parts_by_job (job_id=?)"),
    ]);
    expectIndexed(plansOf(() => stores.parts.jobOf(id)));
    expectIndexed(plansOf(() => stores.parts.coveringStatuses(id)));
    expectIndexed(plansOf(() => stores.parts.setStatus(id, "ordered")));
    expectIndexed(plansOf(() => stores.parts.deleteOfJob(id)));
  });

  it("a procurement by its id, and a job's, already in their order", () => {
    expectIndexed(plansOf(() => stores.procurements.get(id)));
    expect(plansOf(() => stores.procurements.ofJob(id))).toEqual([
      expect.stringContaining("INDEX procurements_by_job (job_id=?)"),
    ]);
    expectIndexed(plansOf(() => stores.procurements.countOfJob(id)));
  });

  it("the sites and businesses of an organization", () => {
    expectIndexed(plansOf(() => stores.directory.businessesOf(id)));
    expectIndexed(plansOf(() => stores.directory.insurers()));
    expectIndexed(plansOf(() => stores.directory.suppliers()));
    expectIndexed(plansOf(() => stores.directory.site(id, id)));
  });

  it("who receives an event", () => {
    const steps = plansOf(() => stores.subscriptions.recipients(id, "repairer"));
    expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expectIndexed(steps.filter((step) => step !== "USE TEMP B-TREE FOR ORDER BY"));
    expectIndexed(plansOf(() => stores.subscriptions.standing(id)));
  });

  it("what waits in a lane, already in the order it is tried: neither all that waits nor all of all time is looked at", () => {
    const { outbox } = stores;
    const untried = plansOf(() => outbox.untried(1, 10, 10));
    expect(untried).toContainEqual(expect.stringContaining("deliveries_by_lane (lane=? AND state=? AND rowid>?)"));
    const again = plansOf(() => outbox.dueAgain(1, 0, 10));
    expect(again).toContainEqual(expect.stringContaining("deliveries_to_retry (lane=? AND next_attempt_at<?)"));
    for (const steps of [untried, again]) expectIndexed(steps);
    expectIndexed(plansOf(() => outbox.nextRetryAt(1)));
    expectIndexed(plansOf(() => outbox.untriedSince(1)));
  });

  it("the newest deliveries, of all lanes and of one", () => {
    const { outbox, subscriptions } = stores;
    expectIndexed(plansOf(() => outbox.newest({}, 10, 10)));
    subscriptions.insert({ id, integration_id: id, url: "http://127.0.0.1/", created_at: 0 });
    const event_seq = outbox.insertEvent({
      id,
      event_type: "repairer.jobs",
      event_timestamp: 0,
      organization_id: id,
      payload: { job_id: id, change_action: "inserted" },
      trace_id: id,
      job_id: id,
      procurement_id: null,
      label: "T-1",
      announces: "inserted",
    });
    const of = { integration_id: id, subscription_id: id, url: "http://127.0.0.1/", created_at: 0, repeats_id: null };
    const seq = outbox.insertDelivery({ ...of, id, event_seq, message_id: id });
    const steps = plansOf(() => outbox.newest({ status: "pending" }, seq + 1, 10));
    // The lanes themselves are few, and read as a whole.
    expectIndexed(steps.filter((step) => step !== "SCAN lanes"));
    subscriptions.delete(id);
  });

  it("one delivery with its tries", () => {
    expectIndexed(plansOf(() => stores.outbox.delivery(id)));
    expectIndexed(plansOf(() => stores.outbox.attempts(1)));
  });

  it("what ends with a subscription, and the list of it in the world's order", () => {
    const one = "6c1b2d3e-4f50-4617-8829-3a4b5c6d7e8f";
    stores.subscriptions.insert({ id: one, integration_id: id, url: "http://127.0.0.1/ends", created_at: 0 });
    const steps = plansOf(() => stores.subscriptions.delete(one));
    expectIndexed(steps);
    expectIndexed(plansOf(() => stores.outbox.endedWith(1, 0, 0, 10)));
  });

  it("what drills are made from and found, and what a receiver was sent", () => {
    const row = { seq: 9, event_seq: 9, subscription_id: id, job_id: id };
    const beside = plansOf(() => stores.drills.neighbour(row));
    expect(beside.filter((step) => step.startsWith("SEARCH d "))).toEqual(
      Array(2).fill(expect.stringContaining("INTEGER PRIMARY KEY (rowid>? AND rowid<?)")),
    );
    expectIndexed(plansOf(() => stores.drills.newestDelivery(id)));
    expectIndexed(plansOf(() => stores.drills.latest(id, "stale")));
    expectIndexed(plansOf(() => stores.drills.get(id)));
    expectIndexed(plansOf(() => stores.receivers.knows(1, id)));
    expectIndexed(plansOf(() => stores.receivers.receipts(1, null, 10)));
  });

  it("the log after an entry, a trace, and the exchanges of a job", () => {
    expectIndexed(plansOf(() => stores.log.page(10, 10)));
    expectIndexed(plansOf(() => stores.log.ofTrace(id)));
    expectIndexed(plansOf(() => stores.requests.ofTrace(id)));
    expectIndexed(plansOf(() => stores.requests.get(id)));
    expectIndexed(plansOf(() => stores.requests.list({ job_id: id, limit: 10 })));
    // By its own column or by the events of its trace, each from an index; the few that are found are then sorted.
    const either = plansOf(() => stores.requests.list({ procurement_id: id, limit: 10 }));
    expect(either.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expectIndexed(either.filter((step) => step.startsWith("SEARCH")));
  });

  it("what changed something, merged from its operations without sorting, and the first call of one", () => {
    const beside = (step: string): boolean => /^(LIST SUBQUERY|MERGE|LEFT$|RIGHT$|UNION ALL$|LEFT-MOST)/.test(step);
    for (const oldestFirst of [false, true]) {
      const steps = plansOf(() => stores.requests.list({ changes: true, oldestFirst, beyond: 10, limit: 10 }));
      expectIndexed(steps.filter((step) => !beside(step)));
      expect(steps).toContainEqual(expect.stringContaining("INDEX requests_done (operation=? AND rowid"));
      const done = plansOf(() => stores.requests.list({ done: "repairer.jobs.get", oldestFirst, limit: 1 }));
      expectIndexed(done);
      expect(done).toEqual(Array(2).fill(expect.stringContaining("INDEX requests_done (operation=?)")));
    }
  });

  it("what was refused, in the order of an index that holds nothing else", () => {
    for (const beyond of [undefined, 10])
      for (const step of plansOf(() => stores.requests.list({ refused: true, beyond, limit: 10 })))
        expect(step).toMatch(/^(SCAN|SEARCH) requests USING (COVERING )?INDEX requests_refused/);
  });

  it("the newest of the log, which stand at its end", () => {
    for (const step of plansOf(() => stores.log.newest(10))) expect(step).toMatch(/^SCAN (log|requests)$/);
    expect(plansOf(() => openStores(db).log.lastId())).toEqual(["SEARCH log", "SEARCH requests"]);
  });

  it("what may be forgotten: what stands after a place is found there, and what it belongs to by an index", () => {
    const { retention } = stores;
    // Where the log stands is read once.
    stores.log.lastId();
    const beside = (step: string): boolean => /^(CORRELATED )?SCALAR SUBQUERY|^SCAN told VIRTUAL TABLE/.test(step);
    for (const stream of recordStreams) {
      const steps = [
        ...plansOf(() => retention.after(stream, 10, 10)),
        ...plansOf(() => retention.forget(stream, [{ seq: 1, since: 0, settled: 0, trace_id: null, bytes: 0 }])),
      ];
      expectIndexed(steps.filter((step) => !beside(step)).map((step) => step.replace(" LEFT-JOIN", "")));
    }
    expectIndexed(plansOf(() => retention.isAwaited({ trace_id: id, since: 0 })).filter((step) => !beside(step)));
    expectIndexed(plansOf(() => retention.settings()));
  });

  it("what waits, which is looked at before something is forgotten: the oldest of each lane, and what is sent again", () => {
    // Lanes are few, what is sent again and waits is in an index of its own.
    const idle = plansOf(() => stores.retention.lookAtWhatWaits());
    expect(idle.toSorted()).toEqual(["SCAN deliveries USING INDEX deliveries_to_repeat", "SCAN lanes"]);
    const busy = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";
    stores.subscriptions.insert({ id: busy, integration_id: id, url: "http://127.0.0.1/busy", created_at: 0 });
    db.run("UPDATE lanes SET pending = 1");
    const steps = plansOf(() => stores.retention.lookAtWhatWaits());
    expectIndexed(steps.filter((step) => !step.startsWith("SCAN")));
    db.run("UPDATE lanes SET pending = 0");
    stores.subscriptions.delete(busy);
  });

  it("how much is kept, a piece at a time; how much of the file is used, without reading it", () => {
    for (const stream of recordStreams) {
      const steps = plansOf(() => stores.retention.measure(stream, 10, 10));
      const outer = /^CO-ROUTINE|^SCAN (\(subquery|SUBQUERY)|^CORRELATED SCALAR SUBQUERY/;
      expectIndexed(steps.filter((step) => !outer.test(step)));
    }
    for (const step of plansOf(() => stores.retention.usedBytes())) expect(step).toMatch(/^SCAN pragma_\w+ VIRTUAL/);
  });

  it("an event by its place, and one that is looked for through all of them, some at a time", () => {
    expectIndexed(plansOf(() => stores.events.get(1)));
    expectIndexed(plansOf(() => stores.events.newest(10, 10)));
    for (const find of [() => stores.events.find(id, 10, 10), () => stores.events.findByMessage(id, 10, 10)])
      expectIndexed(plansOf(find).filter((step) => !/^CO-ROUTINE|^SCAN (\(subquery|SUBQUERY)/.test(step)));
  });

  it("where a world's own addresses led", () => {
    expectIndexed(plansOf(() => stores.subscriptions.ownPlace()));
  });
});
