import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { dice, furnish, job, openWithSuppliers } from "../testing/many-jobs.ts";
import type { Database } from "./database.ts";
import type { SearchIndex } from "./search-index.ts";
import { findPage } from "./search-page.ts";
import { findAmong, type PageEnd, type PageQuery } from "./search-query.ts";
import type { Stores } from "./stores.ts";

const folder = temporaryFolder();
let db: Database;
let stores: Stores;

beforeAll(() => {
  ({ db, stores } = openWithSuppliers(path.join(folder, "world.sqlite")));
  const roll = dice(1);
  db.handle.transaction(() => {
    for (let number = 1; number <= 900; number += 1) {
      const made = job(number, roll);
      stores.jobs.insert(made);
      furnish(stores, made, roll);
    }
    for (const { searched } of [stores.jobs, stores.procurements]) searched.advance(10_000);
  })();
});
afterAll(() => {
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** How SQLite carries out every statement that a call runs, a line for each step. */
const plansOf = async (call: () => unknown): Promise<string[]> => {
  const statements = (["get", "all", "run"] as const).map((method) => vi.spyOn(db, method));
  await call();
  const ran = statements.flatMap((spy) => spy.mock.calls);
  for (const spy of statements) spy.mockRestore();
  return ran.flatMap(([text, ...parameters]) =>
    db.handle
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...parameters)
      .map((step) => (step as { readonly detail: string }).detail),
  );
};

/** What may be read whole: the few kinds of rows there are, and what waits to be taken in. */
const FEW = /^SCAN (\w+_facets|\w+_changed|c|f)\b/;
/** By an index of its own, or by the words in it. */
const BY_INDEX =
  /^SEARCH .*\bUSING (COVERING |AUTOMATIC )?(INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)|^SEARCH jobs$|^SEARCH procurements$/;
const BY_WORDS = /^SCAN \w+_grams VIRTUAL TABLE INDEX \d+:([<>=]*\d*M|=$)/;
/** In the order that is asked for, until the page is full. */
const IN_ORDER = /^SCAN r USING COVERING INDEX (jobs_by_change|procurements_by_time)$/;
const PARTS = /^(CO-ROUTINE|MATERIALIZE|COMPOUND|LIST SUBQUERY|CORRELATED SCALAR SUBQUERY|SCALAR SUBQUERY)/;

const expectIndexed = (plans: readonly string[]): void => {
  expect(plans.length).toBeGreaterThan(0);
  for (const step of plans) {
    if (
      FEW.test(step) ||
      BY_WORDS.test(step) ||
      IN_ORDER.test(step) ||
      PARTS.test(step) ||
      step.startsWith("USE TEMP B-TREE FOR GROUP BY")
    )
      continue;
    expect(step).toMatch(BY_INDEX);
    expect(step).not.toContain("AUTOMATIC");
  }
};

const page = (index: SearchIndex, query: Partial<PageQuery>) =>
  findPage(db, index, {
    filters: {},
    order: { sort: index.list.natural, descending: true },
    after: null,
    limit: 50,
    ...query,
  });

describe("a list of any length is answered from indexes", () => {
  const orders = [true, false].flatMap((descending) =>
    ["updated", "created", "job_number"].map((sort) => ({ sort, descending })),
  );

  it("its first page and the one after it, in every order", async () => {
    for (const order of orders) {
      let after: PageEnd | null = null;
      expectIndexed(
        await plansOf(async () => {
          ({ end: after } = await page(stores.jobs.searched, { order }));
        }),
      );
      expect(after).not.toBeNull();
      expectIndexed(await plansOf(() => page(stores.jobs.searched, { order, after })));
    }
    expectIndexed(await plansOf(() => page(stores.procurements.searched, {})));
  });

  it("filtered by what it can be filtered by, in every order", async () => {
    const filters = { site_id: "site-a", work_provider_id: "provider-a", state: "estimated" };
    for (const order of orders) {
      for (const [name, value] of Object.entries(filters))
        expectIndexed(await plansOf(() => page(stores.jobs.searched, { order, filters: { [name]: value } })));
      expectIndexed(await plansOf(() => page(stores.jobs.searched, { order, filters })));
    }
    const status = { status: "order_requested" };
    expectIndexed(await plansOf(() => page(stores.procurements.searched, { filters: status })));
    expectIndexed(
      await plansOf(() => page(stores.procurements.searched, { filters: { ...status, site_id: "site-a" } })),
    );
  });

  it("searched for what few, many and no rows contain, short or long", async () => {
    for (const search of ["estimate:77", "estimate", "e", "4", "J-", "nothing has this", "PO-12"]) {
      let after: PageEnd | null = null;
      expectIndexed(
        await plansOf(async () => {
          ({ end: after } = await page(stores.jobs.searched, { search }));
        }),
      );
      expectIndexed(await plansOf(() => page(stores.jobs.searched, { search, after, filters: { site_id: "site-b" } })));
      expectIndexed(await plansOf(() => page(stores.procurements.searched, { search })));
    }
  });

  it("as are the procurements of a job, and how many rows there are", async () => {
    const query: PageQuery = {
      filters: { status: "cancelled" },
      search: "po",
      order: { sort: "created", descending: true },
      after: null,
      limit: 10,
    };
    const { list } = stores.procurements.searched;
    expectIndexed(await plansOf(() => findAmong(db, list, "r.job_id = ?", "a job", query)));
    for (const { searched } of [stores.jobs, stores.procurements])
      expectIndexed(await plansOf(() => [searched.total(), searched.behind()]));
  });
});

describe("keeping an index up to date", () => {
  it("looks only at rows that are new or changed, and costs a new row nothing", async () => {
    const { searched } = stores.jobs;
    const roll = dice(2);
    expect(await plansOf(() => stores.jobs.insert(job(5_000, roll)))).toEqual([]);
    const [changed] = db.all<{ id: string }>("SELECT id FROM jobs LIMIT 1");
    stores.jobs.touch(changed?.id ?? "", 1);
    expect([searched.behind(), [...searched.changed()]]).toEqual([2, [1]]);
    expectIndexed(await plansOf(() => searched.advance(10)));
    expect(searched.behind()).toBe(0);
  });
});
