import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { plantSeed } from "../worlds/plant-seed.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";
import { Database } from "./database.ts";
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
    expectIndexed(plansOf(() => stores.subscriptions.counts(id)).filter((step) => !step.startsWith("USE TEMP B-TREE")));
  });

  it("the deliveries that are due: neither those of all time nor all that wait are looked at to find the next", () => {
    const steps = plansOf(() => stores.outbox.due(0, new Set(), 10));
    for (const step of steps) expect(step).not.toMatch(/^SCAN (deliveries|d)\b|^USE TEMP B-TREE|deliveries_by_status/);
  });

  it("when the next delivery is due, which the first entry of an index says", () => {
    expect(plansOf(() => stores.outbox.nextDueAt())).toEqual([expect.stringContaining("INDEX deliveries_pending")]);
  });

  it("one delivery with its tries", () => {
    expectIndexed(plansOf(() => stores.outbox.delivery(id)));
    expectIndexed(plansOf(() => stores.outbox.attempts(1)));
  });

  it("the log after an entry, a trace, and the exchanges of a job", () => {
    expectIndexed(plansOf(() => stores.log.after(10, 10)));
    expectIndexed(plansOf(() => stores.log.ofTrace(id)));
    expectIndexed(plansOf(() => stores.requests.ofTrace(id)));
    expectIndexed(plansOf(() => stores.requests.get(id)));
    expectIndexed(plansOf(() => stores.requests.list({ job_id: id, limit: 10 })));
    // By its own column or by the events of its trace, each from an index; the few that are found are then sorted.
    const either = plansOf(() => stores.requests.list({ procurement_id: id, limit: 10 }));
    expect(either.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    expectIndexed(either.filter((step) => step.startsWith("SEARCH")));
  });

  it("what is forgotten", () => {
    expectIndexed(plansOf(() => stores.log.trimBefore(0)));
  });
});
