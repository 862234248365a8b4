import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type Asked,
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
import { notePlans } from "../testing/query-plans.ts";
import { Database } from "./database.ts";
import { searchableJobs } from "./jobs-store.ts";
import { findPage, indexAll, indexRows, type List, MOST_COUNTED, type PageQuery } from "./lists.ts";
import { searchableProcurements } from "./procurements-store.ts";
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

const rowsOf = { jobs: jobRows, procurements: procurementRows };
const lists = [searchableJobs, searchableProcurements] as const;

const queryOf = ({ search, kinds, order }: Asked): Omit<PageQuery, "after" | "limit"> => ({
  search,
  order,
  conditions: Object.entries(kinds).map(([column, value]) => ({ sql: `${column} IS ?`, values: [value] })),
});

/** As many pages of a long list are turned as tell whether the others would follow. */
const MOST_PAGES = 6;

const expectSame = async (db: Database, list: List, rows: readonly Row[], asked: Asked, limit: number) => {
  const expected = naive(rows, asked);
  const seqs: number[] = [];
  let after: PageQuery["after"] = null;
  for (let read = 0; read < MOST_PAGES; read += 1) {
    const page = await findPage(db, list, { ...queryOf(asked), after, limit });
    seqs.push(...page.seqs);
    after = page.end;
    if (page.total_is_minimum) expect(page.total).toBeLessThanOrEqual(Math.min(expected.length, MOST_COUNTED));
    else expect(page.total).toBe(expected.length);
    expect(page.seqs.length).toBe(Math.min(limit, expected.length - read * limit));
    if (after === null) break;
  }
  expect(seqs).toEqual(expected.slice(0, after === null ? undefined : seqs.length));
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

const queries = (rows: readonly Row[], list: List) =>
  fc.record({
    search: fc.oneof(
      fc.constant(undefined),
      pieceOf(rows),
      fc.constantFrom(
        "estimate:1",
        "j-",
        "4",
        "nothing has this",
        "%",
        "_",
        "ä",
        "SSY",
        "\\",
        '"',
        '" OR "',
        "a* NEAR(b)",
      ),
    ),
    kinds: fc
      .tuple(fc.nat(), fc.subarray(Object.keys(rows[0]?.kinds ?? {})))
      .map(([at, names]) =>
        Object.fromEntries(names.map((name) => [name, rows[at % rows.length]?.kinds[name] ?? null])),
      ),
    order: fc.record({ sort: fc.constantFrom(...Object.keys(list.sorts)), descending: fc.boolean() }),
  });

const indexLists = (db: Database): void => {
  for (const list of lists) db.handle.transaction(() => indexAll(db, list))();
};

describe("a list of 12,000 jobs", () => {
  let db: Database;
  let stores: Stores;

  beforeAll(() => {
    ({ db, stores } = open());
    const roll = dice(20_000);
    db.handle.transaction(() => {
      for (let number = 1; number <= 12_000; number += 1) {
        const made = job(number, roll);
        stores.jobs.insert(made);
        if (number % 4 === 0) furnish(stores, made, roll);
      }
    })();
  }, 60_000);
  afterAll(() => db.close());

  const compareAll = async (numRuns: number): Promise<void> => {
    for (const list of lists) {
      const rows = rowsOf[list.name](db);
      await fc.assert(
        fc.asyncProperty(queries(rows, list), fc.constantFrom(100, 500), (asked, limit) =>
          expectSame(db, list, rows, asked, limit),
        ),
        { numRuns },
      );
    }
  };

  it("is found as by looking at every row, while the index knows none of them, some, all, and not what changed since", async () => {
    await compareAll(12);
    for (const list of lists) db.handle.transaction(() => indexRows(db, list, 3_000))();
    await compareAll(12);
    indexLists(db);
    await compareAll(40);
    const roll = dice(3);
    for (const { id } of db.all<{ id: string }>("SELECT id FROM jobs WHERE seq % 40 = 0")) {
      if (roll(4) === 0) {
        stores.procurements.deleteOfJob(id);
        stores.parts.deleteOfJob(id);
        stores.jobs.delete(id);
      } else stores.jobs.update({ ...job(20_000 + roll(9_000_000), roll), id });
    }
    await compareAll(25);
  }, 120_000);

  it("says what is not counted, and that a rare thing behind thousands of others is all there is", async () => {
    indexLists(db);
    const order = { sort: "updated", descending: true };
    const all = await findPage(db, searchableJobs, { conditions: [], order, after: null, limit: 1 });
    expect([all.total, all.total_is_minimum]).toEqual([500, true]);
    // Neither is in an index: rows are looked at one after the other, to the last.
    const [oldest] = jobRows(db).toSorted((a, b) => Number(a.keys.updated) - Number(b.keys.updated));
    db.run("UPDATE jobs SET plate_state = 'rare' WHERE seq = ?", oldest?.seq);
    const conditions = [
      { sql: "r.repairer_site_id >= ?", values: [""] },
      { sql: "length(r.plate_state) + length(r.id) > ?", values: [36] },
    ];
    const few = await findPage(db, searchableJobs, { conditions, order, after: null, limit: 10 });
    expect(few).toEqual({ seqs: [oldest?.seq], end: null, total: 1, total_is_minimum: false });
  });

  it("takes any text as it is: no text is an error, and none is syntax", async () => {
    const query = { conditions: [], order: { sort: "updated", descending: true }, after: null, limit: 5 };
    const text = fc.oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "binary", minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(text, async (search) => {
        const wanted = search.replaceAll("\0", " ");
        for (const list of lists) await findPage(db, list, { ...query, search: wanted });
      }),
      { numRuns: 100 },
    );
    for (const search of ["Ä", "äXY", "plate_number:ABC", "-abc", "{a b}: c", "NOT abc", "^abc"])
      await findPage(db, searchableJobs, { ...query, search });
  });

  it("finds letters of any alphabet in either case, indexed or not, and an id by what it begins with", async () => {
    stores.jobs.insert({ ...job(50_001, dice(9)), claim_number: "СТРАХОВКА-Ω7 Müller Straße ΟΔΟΣ" });
    const [known] = db.all<{ seq: number; id: string }>("SELECT seq, id FROM jobs ORDER BY seq DESC LIMIT 1");
    const query = { conditions: [], order: { sort: "updated", descending: true }, after: null, limit: 5 };
    const idStart = (known?.id ?? "").slice(0, 11).toUpperCase();
    for (const isIndexed of [false, true]) {
      if (isIndexed) indexLists(db);
      for (const search of [
        "траховка-ω7",
        "MÜLLER",
        "ü",
        "üL",
        "STRASSE",
        "straße",
        "οδος",
        "δοσ",
        known?.id ?? "",
        idStart,
      ])
        expect([search, (await findPage(db, searchableJobs, { ...query, search })).seqs]).toEqual([
          search,
          [known?.seq],
        ]);
    }
    expect((await findPage(db, searchableJobs, { ...query, search: (known?.id ?? "").slice(1, 30) })).seqs).toEqual([]);
  });
});

describe("a list", () => {
  it("stays what looking at every row finds, whatever happens to its rows and whenever they are indexed", async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          do: fc.constantFrom("insert", "update", "touch", "delete", "delete the newest", "order", "cancel"),
          at: fc.nat(),
        }),
        fc.record({ do: fc.constant("index"), at: fc.integer({ min: 1, max: 30 }) }),
      ),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), fc.infiniteStream(fc.nat()), async (story, start, chance) => {
        const { db, stores } = open();
        onTestFinished(() => db.close());
        const roll = dice(start);
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
          else if (step.do === "index") for (const list of lists) indexRows(db, list, step.at);
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
        for (const list of lists) {
          const rows = rowsOf[list.name](db);
          if (rows.length === 0) continue;
          const [asked] = fc.sample(queries(rows, list), { numRuns: 1, seed: Number([...chance.take(1)][0]) });
          if (asked) for (const limit of [1, 3, 100]) await expectSame(db, list, rows, asked, limit);
        }
        db.close();
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it("shows every row once while others are inserted and indexed between its pages", async () => {
    const { db, stores } = open();
    onTestFinished(() => db.close());
    const roll = dice(5);
    for (let number = 0; number < 1_500; number += 1) stores.jobs.insert(job(number, roll));
    let number = 20_000;
    for (const asked of [
      { search: "estimate:", kinds: {}, order: { sort: "updated", descending: true } },
      { search: undefined, kinds: {}, order: { sort: "job_number", descending: false } },
    ]) {
      const expected = naive(jobRows(db), asked);
      const seqs: number[] = [];
      for (let after: PageQuery["after"] = null; ; ) {
        const page = await findPage(db, searchableJobs, { ...queryOf(asked), after, limit: 90 });
        seqs.push(...page.seqs);
        stores.jobs.insert(job(number, roll));
        number += 1;
        indexRows(db, searchableJobs, 37);
        after = page.end;
        if (after === null) break;
      }
      expect(new Set(seqs).size).toBe(seqs.length);
      const known = new Set(expected);
      expect(seqs.filter((seq) => known.has(seq))).toEqual(expected);
    }
  });

  it("is narrowed to ids, together with everything else", async () => {
    const { db, stores } = open();
    onTestFinished(() => db.close());
    const roll = dice(8);
    for (let number = 1; number <= 40; number += 1) stores.jobs.insert(job(number, roll));
    const rows = jobRows(db);
    const ids = rows.slice(3, 12).map(({ id }) => id.toUpperCase());
    const query = { conditions: [], order: { sort: "created", descending: false }, after: null, limit: 50 };
    const found = await findPage(db, searchableJobs, { ...query, ids: [...ids, "none"] });
    expect([found.seqs.toSorted((a, b) => a - b), found.total]).toEqual([rows.slice(3, 12).map(({ seq }) => seq), 9]);
    const searched = await findPage(db, searchableJobs, { ...query, ids, search: "estimate:5" });
    expect(searched.seqs).toEqual([rows[4]?.seq]);
    expect((await findPage(db, searchableJobs, { ...query, ids: [] })).seqs).toEqual([]);
  });
});

describe("a list of any length is answered from indexes", () => {
  let db: Database;
  beforeAll(() => {
    const opened = open();
    db = opened.db;
    const roll = dice(1);
    for (let number = 1; number <= 300; number += 1) {
      const made = job(number, roll);
      opened.stores.jobs.insert(made);
      furnish(opened.stores, made, roll);
    }
  });
  afterAll(() => db.close());

  /** How SQLite carries out every statement that a page takes, a line for each step. */
  const plansOf = async (list: List, query: Partial<PageQuery>): Promise<string[]> => {
    const plans = notePlans(db);
    const [sort = ""] = Object.keys(list.sorts);
    await findPage(db, list, { conditions: [], order: { sort, descending: true }, after: null, limit: 50, ...query });
    return plans();
  };

  /** In the order that is asked for, until the page is full; what an index found; what came of either. */
  const IN_ORDER =
    /^SCAN r( USING (COVERING )?INDEX (jobs_by_change|jobs_in_order_of_numbers|procurements_by_creation))?$/;
  const FOUND = /^SCAN (f VIRTUAL TABLE INDEX \d+:(M\d*|=)?|f VIRTUAL TABLE INDEX 1:|e$|\(subquery-\d+\))/;
  const PARTS =
    /^(CO-ROUTINE|MATERIALIZE|LIST SUBQUERY|CORRELATED SCALAR SUBQUERY|SCALAR SUBQUERY|MULTI-INDEX OR|INDEX \d|SCAN json_each)/;
  const BY_INDEX = /^SEARCH .*\bUSING (COVERING )?(INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)/;

  it("in every order, narrowed, searched for short and long texts, few and many", async () => {
    const conditions = {
      jobs: ["r.repairer_site_id = ?", "r.work_provider_id = ?", "r.state <> 'no_parts' AND r.state = ?"],
      procurements: ["r.job_id = ?", "r.buyer_business_id = ?", "r.supplier_business_id = ?", "r.status = ?"],
    };
    for (const list of lists) {
      for (const sort of Object.keys(list.sorts)) {
        for (const descending of [true, false]) {
          const order = { sort, descending };
          const after = { key: sort === "job_number" ? "J-2" : 5_000, seq: 5 };
          const asked: Partial<PageQuery>[] = [
            {},
            { after },
            ...["e", "J-", "estimate:77", "nothing has this", "0000004d"].map((search) => ({ search, after })),
            ...conditions[list.name].map((sql) => ({ conditions: [{ sql, values: ["site-a"] }] })),
            { ids: ["one"] },
          ];
          for (const query of asked) {
            const sorts = /USE TEMP B-TREE FOR (ORDER BY|LAST TERM OF ORDER BY)/;
            const plans = await plansOf(list, { order, ...query });
            for (const step of plans)
              if (![IN_ORDER, FOUND, PARTS, sorts].some((known) => known.test(step))) expect(step).toMatch(BY_INDEX);
            // All rows are never sorted, only those that an index found.
            if (plans.some((step) => IN_ORDER.test(step))) expect(plans.filter((step) => sorts.test(step))).toEqual([]);
          }
        }
      }
    }
  });
});
