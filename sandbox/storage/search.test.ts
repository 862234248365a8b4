import { afterEach, beforeEach, expect, test } from "vitest";
import { dice, furnish, job, openWithSuppliers } from "../testing/many-jobs.ts";
import { notePlans } from "../testing/query-plans.ts";
import type { Database } from "./database.ts";
import { searchableJobs } from "./jobs-store.ts";
import { indexAll } from "./lists.ts";
import { searchableProcurements } from "./procurements-store.ts";
import { searched, searchList } from "./search.ts";
import type { Stores } from "./stores.ts";

let db: Database;
let stores: Stores;
beforeEach(() => {
  ({ db, stores } = openWithSuppliers(":memory:"));
  const roll = dice(7);
  for (let number = 1; number <= 1_300; number += 1) {
    const one = job(number, roll);
    stores.jobs.insert(one);
    furnish(stores, one, roll);
  }
});
afterEach(() => db.close());

const labels = (text: string) =>
  searchList(db, searchableJobs, searched(text), 5, stores.jobs.named(text)).map(({ seq, match }) => [
    stores.jobs.at(seq)?.job_number,
    match,
  ]);

test("finds the same whether rows are indexed or not", () => {
  const texts = ["J-12", "estimate:12", "clm 1", "J-1201"];
  const fresh = texts.map(labels);
  expect(fresh[0]?.[0]).toEqual(["J-12", "exact"]);
  expect(fresh[0]?.slice(1).every(([, match]) => match === "prefix")).toBe(true);
  indexAll(db, searchableJobs);
  indexAll(db, searchableProcurements);
  expect(texts.map(labels)).toEqual(fresh);
});

test("looks at no row that no index led to", () => {
  const plans = notePlans(db);
  for (const text of ["J-1", "x", "0000000a-00"]) {
    searchList(db, searchableJobs, searched(text), 5, stores.jobs.named(text));
    searchList(db, searchableProcurements, searched(text), 5);
    const [from, below] = searched(text).id ?? ["", ""];
    stores.requests.between(from, below, 5);
    stores.outbox.idsBetween(from, below, 5);
    stores.outbox.messagesBetween(from, below, 5);
    stores.events.between(from, below, 5);
  }
  for (const step of plans()) {
    // The newest rows end at a limit; organizations are a few of the seed's; what was found is joined by its number.
    expect(step).toMatch(
      /^(SEARCH \w+ |SCAN (jobs|procurements|o|f|jobs_search|procurements_search)\b|SCAN \(subquery|(COMPOUND|UNION|LEFT-MOST|CO-ROUTINE|CORRELATED|USE TEMP B-TREE FOR ORDER)|SCAN CONSTANT)/,
    );
    expect(step).not.toMatch(/AUTOMATIC/);
  }
});
