import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { gramQuery, gramsOf, markOf, reachesIds } from "./search-grams.ts";

const ID = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
/** Text as people and tests write it: letters of both cases, digits, signs, accents, pairs of surrogates. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."aAbBzZ019-/ :_%\\'\"*ÄéßıſK😀𝒳"), minLength: 1, maxLength: 24 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);

/** Whether an index that holds one row finds it. */
const finds = (grams: string, query: string): boolean => {
  const db = new Sqlite(":memory:");
  onTestFinished(() => void db.close());
  db.exec("CREATE VIRTUAL TABLE t USING fts5 (grams, detail = none, tokenize = \"ascii tokenchars '_'\")");
  db.prepare("INSERT INTO t VALUES (?)").run(grams);
  const found = db.prepare("SELECT 1 FROM t WHERE t MATCH ?").get(query) !== undefined;
  db.close();
  return found;
};

describe("grams", () => {
  it("find a text by any piece of it, in either case, however thoroughly it is looked for", () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.nat(),
        fc.integer({ min: 1, max: 24 }),
        fc.boolean(),
        (one, other, from, length, thorough) => {
          const piece = one.slice(from % one.length).slice(0, length);
          const loud = piece.replace(/[a-z]/g, (letter) => letter.toUpperCase());
          const grams = gramsOf([other, null, one], ID, []);
          expect(finds(grams, gramQuery(piece, [], thorough))).toBe(true);
          expect(finds(grams, gramQuery(loud, [], thorough))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("find an identifier by four characters of it or more", () => {
    const grams = gramsOf(["T-1"], ID, []);
    for (const piece of [ID, "0d5f", "3A2C-7E41", "5b6a", "c35-1f2e3d4c"]) {
      expect([piece, reachesIds(piece), finds(grams, gramQuery(piece, [], true))]).toEqual([piece, true, true]);
    }
    for (const piece of ["0d5", "d5", "a"])
      expect([reachesIds(piece), finds(grams, gramQuery(piece, [], true))]).toEqual([false, false]);
  });

  it("do not find what no text contains", () => {
    const grams = gramsOf(["KDA116", "J-20331", "estimate:87904"], ID, []);
    for (const piece of ["KDB", "20332", "estimate:87905", "z", "a2", "-/", "KDA116 "])
      expect([piece, finds(grams, gramQuery(piece, [], true))]).toEqual([piece, false]);
  });

  it("never cross from one text into the next", () => {
    expect(finds(gramsOf(["abc", "def"], ID, []), gramQuery("cd", [], true))).toBe(false);
  });

  it("find only rows that bear the marks asked for, and no text can look like a mark", () => {
    const mark = markOf("state", "no_parts");
    const grams = gramsOf(["T-1"], ID, [mark]);
    expect(finds(grams, gramQuery("t-1", [mark], false))).toBe(true);
    expect(finds(grams, gramQuery("t-1", [markOf("state", "estimated")], false))).toBe(false);
    expect(finds(gramsOf([mark], ID, []), gramQuery(mark, [mark], false))).toBe(false);
    expect(markOf("a", "b_c")).not.toBe(markOf("a", "b-c"));
  });

  it("stay few however long the text is that is looked for", () => {
    const long = "0123456789".repeat(400);
    expect(gramQuery(long, [], true).split('"').length).toBeLessThan(50);
    expect(finds(gramsOf([long], ID, []), gramQuery(long, [], true))).toBe(true);
  });
});
