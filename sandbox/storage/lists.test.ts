import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  addPartsAndOrders,
  job,
  jobRows,
  type ListRequest,
  openWithSuppliers,
  procurement,
  procurementRows,
  type Row,
  randomNumbers,
  scanRows,
} from "../testing/many-jobs.ts";
import { readPage } from "../testing/read-page.ts";
import { Database } from "./database.ts";
import { jobList } from "./jobs-store.ts";
import { type List, MAX_COUNTED, type PageQuery } from "./lists.ts";
import { procurementList } from "./procurements-store.ts";
import { indexAll } from "./search.ts";
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
const lists = [jobList, procurementList] as const;

const toPageQuery = ({ search, kinds, order }: ListRequest): Omit<PageQuery, "after" | "limit"> => ({
  search,
  order,
  conditions: Object.entries(kinds).map(([column, value]) => ({ sql: `${column} IS ?`, values: [value] })),
});

/** Enough pages to check that the next ones follow. */
const MAX_PAGES = 6;

const expectSame = async (db: Database, list: List, rows: readonly Row[], asked: ListRequest, limit: number) => {
  const expected = scanRows(rows, asked);
  const seqs: number[] = [];
  let after: PageQuery["after"] = null;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const page = await readPage(db, list, { ...toPageQuery(asked), after, limit });
    seqs.push(...page.seqs);
    after = page.end;
    if (page.total_is_minimum) expect(page.total).toBeLessThanOrEqual(Math.min(expected.length, MAX_COUNTED));
    else expect(page.total).toBe(expected.length);
    expect(page.seqs.length).toBe(Math.min(limit, expected.length - read * limit));
    if (after === null) break;
  }
  expect(seqs).toEqual(expected.slice(0, after === null ? undefined : seqs.length));
};

/** A substring of a row's searchable text. */
const arbitraryPiece = (rows: readonly Row[]) =>
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
      arbitraryPiece(rows),
      fc.constantFrom(
        "estimate:1",
        // Read as a plate, too.
        "f3-",
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
    order: fc.record({ sort: fc.constantFrom(...Object.keys(list.orders)), descending: fc.boolean() }),
  });

describe("a list of 5,000 jobs", () => {
  let db: Database;
  let stores: Stores;

  beforeAll(() => {
    ({ db, stores } = open());
    const roll = randomNumbers(20_000);
    db.handle.transaction(() => {
      for (let number = 1; number <= 5_000; number += 1) {
        const made = job(number, roll);
        stores.jobs.insert(made);
        if (number % 4 === 0) addPartsAndOrders(stores, made, roll);
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

  it("equals a full scan, even after changes and a complete reindex", async () => {
    await compareAll(20);
    const roll = randomNumbers(3);
    for (const { id } of db.all<{ id: string }>("SELECT id FROM jobs WHERE seq % 40 = 0")) {
      if (roll(4) === 0) {
        stores.procurements.deleteByJob(id);
        stores.parts.deleteByJob(id);
        stores.jobs.delete(id);
      } else stores.jobs.update({ ...job(20_000 + roll(9_000_000), roll), id });
    }
    await compareAll(10);
    for (const { searchable } of lists) indexAll(db, searchable);
    await compareAll(5);
  }, 120_000);

  it("marks partial counts, and counts a rare match among thousands completely", async () => {
    const order = { sort: "updated", descending: true };
    const all = await readPage(db, jobList, { conditions: [], order, after: null, limit: 1 });
    expect([all.total, all.total_is_minimum]).toEqual([500, true]);
    // Counts stay the same on a machine where each clock check exceeds a slice.
    const slow = vi.spyOn(performance, "now").mockImplementation(() => Date.now() + 1_000 * slow.mock.calls.length);
    const late = await readPage(db, jobList, { conditions: [], order, after: null, limit: 1 });
    slow.mockRestore();
    expect([late.total, late.total_is_minimum]).toEqual([500, true]);
    // Without an index for either, the rows are scanned to the last one.
    const [oldest] = jobRows(db).toSorted((a, b) => Number(a.keys.updated) - Number(b.keys.updated));
    db.run("UPDATE jobs SET plate_state = 'rare' WHERE seq = ?", oldest?.seq);
    const conditions = [
      { sql: "r.repairer_site_id >= ?", values: [""] },
      { sql: "length(r.plate_state) + length(r.id) > ?", values: [36] },
    ];
    const few = await readPage(db, jobList, { conditions, order, after: null, limit: 10 });
    expect(few).toEqual({ seqs: [oldest?.seq], end: null, total: 1, total_is_minimum: false });
  });

  it("accepts any search text without errors or syntax", async () => {
    const query = { conditions: [], order: { sort: "updated", descending: true }, after: null, limit: 5 };
    const text = fc.oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "binary", minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(text, async (search) => {
        const wanted = search.replaceAll("\0", " ");
        for (const list of lists) await readPage(db, list, { ...query, search: wanted });
      }),
      { numRuns: 20 },
    );
    for (const search of ["Ä", "äXY", "plate_number:ABC", "-abc", "{a b}: c", "NOT abc", "^abc"])
      await readPage(db, jobList, { ...query, search });
  });

  it("matches letters of any alphabet in either case, and the start of an ID", async () => {
    stores.jobs.insert({ ...job(50_001, randomNumbers(9)), claim_number: "СТРАХОВКА-Ω7 Müller" });
    const [known] = db.all<{ seq: number; id: string }>("SELECT seq, id FROM jobs ORDER BY seq DESC LIMIT 1");
    const query = { conditions: [], order: { sort: "updated", descending: true }, after: null, limit: 5 };
    const id = known?.id ?? "";
    for (const search of ["траховка-ω7", "MÜLLER", "ü", "üL", id, id.slice(0, 11).toUpperCase()])
      expect([search, (await readPage(db, jobList, { ...query, search })).seqs]).toEqual([search, [known?.seq]]);
    expect((await readPage(db, jobList, { ...query, search: id.slice(1, 30) })).seqs).toEqual([]);
  });
});

describe("a list", () => {
  it("equals a full scan after any sequence of changes", async () => {
    const steps = fc.array(
      fc.record({
        do: fc.constantFrom("insert", "update", "touch", "delete", "delete the newest", "order", "cancel"),
        at: fc.nat(),
      }),
      { minLength: 5, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), fc.infiniteStream(fc.nat()), async (story, start, chance) => {
        const { db, stores } = open();
        onTestFinished(() => db.close());
        const roll = randomNumbers(start);
        let number = 1;
        const add = (): void => {
          const made = job(number++, roll);
          stores.jobs.insert(made);
          addPartsAndOrders(stores, made, roll);
        };
        for (let count = 0; count < 70; count += 1) add();
        for (const step of story) {
          const ids = db.all<{ id: string }>("SELECT id FROM jobs ORDER BY seq").map(({ id }) => id);
          const id = (step.do === "delete the newest" ? ids.at(-1) : ids[step.at % Math.max(1, ids.length)]) ?? "";
          const found = stores.jobs.get(id);
          if (step.do === "insert") add();
          else if (!found) continue;
          else if (step.do === "update") stores.jobs.update({ ...job(number++, roll), id });
          else if (step.do === "touch") stores.jobs.touch(id, roll(9_000_000));
          else if (step.do === "order")
            stores.procurements.insert(procurement(`order ${number++}`, found, "order_requested", roll));
          else if (step.do === "cancel") {
            for (const one of stores.procurements.listByJob(id))
              stores.procurements.update({ ...one, status: "cancelled" });
          } else {
            stores.procurements.deleteByJob(id);
            stores.parts.deleteByJob(id);
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
      { numRuns: 20 },
    );
  }, 60_000);

  it("shows every row once while others are inserted between pages", async () => {
    const { db, stores } = open();
    onTestFinished(() => db.close());
    const roll = randomNumbers(5);
    for (let number = 0; number < 1_500; number += 1) stores.jobs.insert(job(number, roll));
    let number = 20_000;
    for (const asked of [
      { search: "estimate:", kinds: {}, order: { sort: "updated", descending: true } },
      { search: undefined, kinds: {}, order: { sort: "job_number", descending: false } },
    ]) {
      const expected = scanRows(jobRows(db), asked);
      const seqs: number[] = [];
      for (let after: PageQuery["after"] = null; ; ) {
        const page = await readPage(db, jobList, { ...toPageQuery(asked), after, limit: 90 });
        seqs.push(...page.seqs);
        stores.jobs.insert(job(number, roll));
        number += 1;
        after = page.end;
        if (after === null) break;
      }
      expect(new Set(seqs).size).toBe(seqs.length);
      const known = new Set(expected);
      expect(seqs.filter((seq) => known.has(seq))).toEqual(expected);
    }
  });

  it("can be limited to IDs, together with other filters", async () => {
    const { db, stores } = open();
    onTestFinished(() => db.close());
    const roll = randomNumbers(8);
    for (let number = 1; number <= 40; number += 1) stores.jobs.insert(job(number, roll));
    const rows = jobRows(db);
    const ids = rows.slice(3, 12).map(({ id }) => id.toUpperCase());
    const query = { conditions: [], order: { sort: "created", descending: false }, after: null, limit: 50 };
    const found = await readPage(db, jobList, { ...query, ids: [...ids, "none"] });
    expect([found.seqs.toSorted((a, b) => a - b), found.total]).toEqual([rows.slice(3, 12).map(({ seq }) => seq), 9]);
    const searched = await readPage(db, jobList, { ...query, ids, search: "estimate:5" });
    expect(searched.seqs).toEqual([rows[4]?.seq]);
    expect((await readPage(db, jobList, { ...query, ids: [] })).seqs).toEqual([]);
  });
});
