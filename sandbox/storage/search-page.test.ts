import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  dice,
  furnish,
  job,
  jobRows,
  naive,
  openWithSuppliers,
  procurement,
  procurementRows,
  type Row,
} from "../testing/many-jobs.ts";
import { Database } from "./database.ts";
import type { SearchIndex } from "./search-index.ts";
import { findPage } from "./search-page.ts";
import { MOST_SORTED, type PageEnd, type PageQuery } from "./search-query.ts";
import { openStores, type Stores } from "./stores.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const base = path.join(folder, "base.sqlite");
openWithSuppliers(base).db.close();
const open = () => {
  const file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite");
  fs.copyFileSync(base, file);
  const db = new Database(file, { durability: "off" });
  return { db, stores: openStores(db) };
};

/** As many pages of a long list are turned as tell whether the others would follow. */
const MOST_PAGES = 8;

/** The pages of a query, one after the other. */
const pagesOf = async (db: Database, index: SearchIndex, query: Omit<PageQuery, "after">) => {
  const seqs: number[] = [];
  let after: PageEnd | null = null;
  const first = await findPage(db, index, { ...query, after });
  let page = first;
  for (let turned = 1; ; turned += 1) {
    expect(page.seqs.length).toBeLessThanOrEqual(query.limit);
    expect(page.total_is_minimum).toBe(first.total_is_minimum);
    seqs.push(...page.seqs);
    after = page.end;
    const ended = after === null;
    if (ended || turned === MOST_PAGES) return { seqs, ended, total: first.total, broad: first.total_is_minimum };
    page = await findPage(db, index, { ...query, after });
  }
};

const expectSame = async (db: Database, index: SearchIndex, rows: readonly Row[], query: Omit<PageQuery, "after">) => {
  const expected = naive(rows, query);
  const { seqs, ended, total, broad } = await pagesOf(db, index, query);
  expect(new Set(seqs).size).toBe(seqs.length);
  if (ended) expect(seqs.length).toBe(expected.length);
  if (broad) {
    expect(expected.length).toBeGreaterThan(total);
    expect(total).toBe(MOST_SORTED);
    const all = new Set(expected);
    expect(seqs.filter((seq) => !all.has(seq))).toEqual([]);
    return;
  }
  expect([total, seqs]).toEqual([expected.length, expected.slice(0, seqs.length)]);
};

/** A piece of what some row is known by. */
const pieceOf = (rows: readonly Row[]) =>
  fc
    .tuple(fc.nat(), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 14 }), fc.boolean())
    .map(([at, which, from, length, loud]) => {
      const row = rows[at % rows.length];
      const texts = [...(row?.texts ?? []), row?.id ?? ""].filter((text): text is string => Boolean(text));
      const text = texts[which % texts.length] ?? "x";
      const piece = text.slice(from % text.length, (from % text.length) + length) || text;
      return loud ? piece.toUpperCase() : piece;
    });

const queries = (rows: readonly Row[], index: SearchIndex, limits: readonly number[]) =>
  fc.record({
    search: fc.oneof(
      fc.constant(undefined),
      pieceOf(rows),
      fc.constantFrom("estimate:1", "j-", "4", "nothing has this", "%", "_", "Ä", "\\"),
    ),
    filters: fc
      .tuple(fc.nat(), fc.subarray(Object.keys(index.list.facets)))
      .map(([at, names]) => Object.fromEntries(names.map((name) => [name, rows[at % rows.length]?.kinds[name] ?? ""]))),
    order: fc.record({ sort: fc.constantFrom(...Object.keys(index.list.sorts)), descending: fc.boolean() }),
    limit: fc.constantFrom(...limits),
  });

describe("a list of 20,000 jobs", () => {
  const JOBS = 20_000;
  let db: Database;
  let stores: Stores;

  beforeAll(() => {
    ({ db, stores } = open());
    const roll = dice(20_000);
    db.handle.transaction(() => {
      for (let number = 1; number <= JOBS; number += 1) {
        const made = job(number, roll);
        stores.jobs.insert(made);
        if (number % 4 === 0) furnish(stores, made, roll);
      }
    })();
  }, 60_000);
  afterAll(() => db.close());

  const compareAll = async (runs: number): Promise<void> => {
    const jobs = jobRows(db);
    const orders = procurementRows(db);
    await fc.assert(
      fc.asyncProperty(queries(jobs, stores.jobs.searched, [100, 500]), (query) =>
        expectSame(db, stores.jobs.searched, jobs, query),
      ),
      { numRuns: runs },
    );
    await fc.assert(
      fc.asyncProperty(queries(orders, stores.procurements.searched, [100, 500]), (query) =>
        expectSame(db, stores.procurements.searched, orders, query),
      ),
      { numRuns: runs },
    );
  };

  it("is found as by looking at every row, before the index knows any of them", async () => {
    expect(stores.jobs.searched.progress()).toBeNull();
    await compareAll(10);
  }, 60_000);

  it("is found as by looking at every row, while the index knows some, all, and not what changed since", async () => {
    const take = (index: SearchIndex, rows: number) => db.handle.transaction(() => index.advance(rows))();
    take(stores.jobs.searched, 9_000);
    take(stores.procurements.searched, 1_000);
    await compareAll(10);
    for (const index of [stores.jobs.searched, stores.procurements.searched]) {
      while (take(index, 2_500)) index.tidy();
      while (index.tidy());
      expect(index.behind()).toBe(0);
    }
    await compareAll(60);

    const roll = dice(3);
    const known = db.all<{ id: string }>("SELECT id FROM jobs");
    for (let count = 0; count < 600; count += 1) {
      const found = stores.jobs.get(known[roll(known.length)]?.id ?? "");
      if (!found) continue;
      if (roll(4) === 0) {
        stores.procurements.deleteOfJob(found.id);
        stores.parts.deleteOfJob(found.id);
        stores.jobs.delete(found.id);
      } else if (roll(2) === 0) stores.jobs.touch(found.id, 30_000_000 + roll(1_000_000));
      else stores.jobs.update({ ...job(2 * JOBS + count, roll), id: found.id });
    }
    for (let number = 30_000; number < 30_700; number += 1) {
      const made = job(number, roll);
      stores.jobs.insert(made);
      furnish(stores, made, roll);
    }
    expect(stores.jobs.searched.behind()).toBeGreaterThan(1_000);
    await compareAll(40);
  }, 120_000);
});

describe("turning the pages", () => {
  it("shows every row once, in the same order, while the index takes rows in between them", async () => {
    const { db, stores } = open();
    onTestFinished(() => db.close());
    const { searched } = stores.jobs;
    const roll = dice(5);
    const add = (from: number, to: number): void => {
      for (let number = from; number < to; number += 1) stores.jobs.insert(job(number, roll));
    };
    add(0, 1_500);
    searched.advance(1_000);
    for (const search of ["estimate:", undefined]) {
      for (const sort of ["updated", "job_number"]) {
        const query = { search, filters: {}, order: { sort, descending: true }, limit: 90 };
        const expected = naive(jobRows(db), query);
        const seqs: number[] = [];
        let broad = false;
        for (let after: PageEnd | null = null; ; ) {
          const page = await findPage(db, searched, { ...query, after });
          seqs.push(...page.seqs);
          broad = page.total_is_minimum;
          searched.advance(37);
          after = page.end;
          if (after === null) break;
        }
        expect(broad).toBe(search !== undefined);
        const ordered = (found: readonly number[]) => (broad ? found.toSorted((a, b) => a - b) : found);
        expect(ordered(seqs)).toEqual(ordered(expected));
        add(unusedNumber(seqs), unusedNumber(seqs) + 300);
      }
    }
  });
});

/** A number no job has yet. */
const unusedNumber = (seqs: readonly number[]): number => Math.max(...seqs) * 2 + 2_000;

describe("a list", () => {
  it("stays what looking at every row finds, whatever happens to its rows and whenever the index is brought up to date", async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          do: fc.constantFrom("insert", "update", "touch", "delete", "delete the newest", "order", "cancel"),
          at: fc.nat(),
        }),
        fc.record({ do: fc.constantFrom("take in", "tidy"), at: fc.integer({ min: 1, max: 30 }) }),
      ),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), fc.infiniteStream(fc.nat()), async (story, start, chance) => {
        const { db, stores } = open();
        onTestFinished(() => db.close());
        const roll = dice(start);
        const indexes = [stores.jobs.searched, stores.procurements.searched];
        let number = 1;
        const add = (): void => {
          const made = job(number++, roll);
          stores.jobs.insert(made);
          furnish(stores, made, roll);
        };
        for (let count = 0; count < 12; count += 1) add();
        for (const step of story) {
          const ids = db.all<{ id: string }>("SELECT id FROM jobs ORDER BY seq").map(({ id }) => id);
          const id = (step.do === "delete the newest" ? ids.at(-1) : ids[step.at % Math.max(1, ids.length)]) ?? "";
          const found = stores.jobs.get(id);
          if (step.do === "insert") add();
          else if (step.do === "take in") for (const index of indexes) index.advance(step.at);
          else if (step.do === "tidy") for (const index of indexes) index.tidy();
          else if (!found) continue;
          else if (step.do === "update") stores.jobs.update({ ...job(number++, roll), id });
          else if (step.do === "touch") stores.jobs.touch(id, roll(9_000_000));
          else if (step.do === "order")
            stores.procurements.insert(procurement(`order ${number++}`, found, "order_requested", roll));
          else if (step.do === "cancel") {
            for (const one of stores.procurements.ofJob(id))
              stores.procurements.update({ ...one, status: "cancelled" });
          } else {
            stores.procurements.deleteOfJob(id);
            stores.parts.deleteOfJob(id);
            stores.jobs.delete(id);
          }
        }
        const lists = [jobRows(db), procurementRows(db)] as const;
        for (const [which, index] of indexes.entries()) {
          const rows = lists[which] ?? [];
          expect(index.total()).toBe(rows.length);
          if (rows.length === 0) continue;
          const [query] = fc.sample(queries(rows, index, [1, 3, 20, 100]), {
            numRuns: 1,
            seed: Number([...chance.take(1)][0]),
          });
          if (query) await expectSame(db, index, rows, query);
        }
        db.close();
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
