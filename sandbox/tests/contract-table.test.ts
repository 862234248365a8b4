import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkTable, type Declared } from "../testing/contract-table/check-table.ts";
import { declaredContract } from "../testing/contract-table/declared.ts";
import { findTests, testsIn } from "../testing/contract-table/find-tests.ts";
import { readTable } from "../testing/contract-table/read-table.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");

test("docs/contract.md: every line is held by tests that are there, and everything declared has its line", () => {
  const lines = readTable(read("docs/contract.md"), "docs");
  expect(lines.length).toBeGreaterThan(300);
  expect(checkTable(lines, findTests(ROOT, ["sandbox", "e2e"]), declaredContract())).toEqual([]);
});

/** A document, the tests it names and what is declared, all in order; each test below breaks one thing. */
const SOURCE = `
import { describe, expect, it as other, test } from "vitest";
describe("things", () => {
  test("D1: are counted", () => {});
  describe.each([1, 2])("inner %s", () => {
    test.each([[1], [2]])("hold %s", () => {});
  });
  test.skip("are skipped", () => {});
  test.todo("are promised");
  test(\`are \${computed}\`, () => {});
  test(\`are | piped\`, () => {});
});
describe.skip("later", () => {
  test("is not run", () => {});
});
const text = "test('is no test', () => {})"; // test("is a comment", () => {});
`;
const tests = testsIn("sandbox/things.test.ts", SOURCE);
const cite = (title: string): string => `[things](../sandbox/things.test.ts) “${title}”`;
const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
const table = (...rows: string[]): string =>
  ["# Things", row("line", "held by"), "|---|---|", ...rows, "", "Text | not."].join("\n");
const declared: Declared = {
  decisions: { D1: "Things are counted." },
  operations: { "things.get": { scope: "either", errors: ["forbidden", "not_found"] } },
  errors: { not_found: 404 },
  names: ["Thing.id", "thing.made"],
};
const good = [
  row("D1", "Things are counted.", cite("D1: are counted")),
  row(
    "`things.get`",
    "either",
    "`forbidden`, `not_found`",
    "all of it",
    `${cite("hold %s")}<br>${cite("are \\| piped")}`,
  ),
  row("`not_found`", "404", "Nothing is there.", cite("hold %s")),
  row("`Thing.id`", "A number.", cite("hold %s")),
  row("`thing.made`", "When.", cite("hold %s")),
  row("Colour", "Any.", "No test: a thing has no colour that could be seen."),
];
const problems = (rows: readonly string[], found = tests, what = declared): string[] =>
  checkTable(readTable(table(...rows), "docs"), found, what);
const without = (index: number): string[] => good.filter((_, at) => at !== index);
const with_ = (index: number, changed: string): string[] => good.with(index, changed);

describe("the tests of a source", () => {
  test("are those that run, under their titles and groups; not what is skipped, computed, quoted or commented", () => {
    expect(tests.map((one) => one.fullName)).toEqual([
      "things › D1: are counted",
      "things › inner %s › hold %s",
      "things › are | piped",
    ]);
    expect(tests.every((one) => one.file === "sandbox/things.test.ts")).toBe(true);
  });
});

describe("the check of the document", () => {
  test("finds nothing where nothing is wrong", () => {
    expect(problems(good)).toEqual([]);
  });

  test.each<[string, string[], RegExp]>([
    [
      "a test whose title is not there",
      with_(3, row("`Thing.id`", "A number.", cite("hold"))),
      /Thing\.id: there is no test “hold” in sandbox\/things/,
    ],
    [
      "a test in a file that is not there",
      with_(3, row("`Thing.id`", "A number.", "[x](../sandbox/x.test.ts) “hold %s”")),
      /there is no test “hold %s” in sandbox\/x/,
    ],
    [
      "a test that is skipped",
      with_(3, row("`Thing.id`", "A number.", cite("are skipped"))),
      /there is no test “are skipped”/,
    ],
    [
      "a test in a group that is skipped",
      with_(3, row("`Thing.id`", "A number.", cite("is not run"))),
      /there is no test “is not run”/,
    ],
    [
      "a test that is only promised",
      with_(3, row("`Thing.id`", "A number.", cite("are promised"))),
      /there is no test “are promised”/,
    ],
    [
      "one test of two that is not there",
      with_(3, row("`Thing.id`", "A number.", `${cite("hold %s")}<br>${cite("gone")}`)),
      /there is no test “gone”/,
    ],
    [
      "a line without tests",
      with_(3, row("`Thing.id`", "A number.", "")),
      /Thing\.id \(Things\): no test holds this line/,
    ],
    [
      "a line without tests whose reason is no reason",
      with_(5, row("Colour", "Any.", "No test: later.")),
      /Colour \(Things\): no test holds/,
    ],
    [
      "a link that is no citation",
      with_(3, row("`Thing.id`", "A number.", "[things](../sandbox/things.test.ts)")),
      /Thing\.id \(Things\): no test holds/,
    ],
    ["two lines for one thing", [...good, good[3] ?? ""], /Thing\.id has two lines/],
    [
      "a decision none of whose tests names it",
      with_(0, row("D1", "Things are counted.", cite("hold %s"))),
      /D1: none of the tests beside it names it/,
    ],
    [
      "a decision that is worded otherwise",
      with_(0, row("D1", "Things are weighed.", cite("D1: are counted"))),
      /D1: the declarations say “Things are counted\.”/,
    ],
    ["a decision without a line", without(0), /D1 is declared and has no line/],
    [
      "a decision that is not declared",
      [...good, row("D2", "More.", cite("D1: are counted"))],
      /D2 has a line and is not declared/,
    ],
    ["an operation without a line", without(1), /the operation things\.get is declared and has no line/],
    [
      "an operation of another scope",
      with_(1, row("`things.get`", "supplier", "`forbidden`, `not_found`", cite("hold %s"))),
      /things\.get: the declarations say either · forbidden, not_found/,
    ],
    [
      "an operation with other error codes",
      with_(1, row("`things.get`", "either", "`not_found`", cite("hold %s"))),
      /things\.get: the declarations say/,
    ],
    ["an error code without a line", without(2), /the error code not_found is declared and has no line/],
    [
      "an error code of another status",
      with_(2, row("`not_found`", "400", "Nothing is there.", cite("hold %s"))),
      /not_found: the declarations say 404/,
    ],
    ["a field without a line", without(3), /the name Thing\.id is declared and has no line/],
    ["an event type without a line", without(4), /the name thing\.made is declared and has no line/],
    [
      "rows that are in no table",
      good.map((one) => `- ${one}`),
      /the operation things\.get is declared and has no line/,
    ],
  ])("notices %s", (_, rows, problem) => {
    expect(problems(rows).join("\n")).toMatch(problem);
  });

  test("notices a test that names a decision nobody made", () => {
    const found = testsIn("sandbox/x.test.ts", 'describe("D99: more", () => { test("is told", () => {}); });');
    expect(problems(good, [...tests, ...found])).toEqual([
      "D99 is named by “is told” in sandbox/x.test.ts and is no decision of the list",
    ]);
  });

  test("notices that a test was renamed, with nothing in the document changed", () => {
    const renamed = testsIn("sandbox/things.test.ts", SOURCE.replace("hold %s", "are held %s"));
    expect(problems(good, renamed)).toHaveLength(4);
    expect(problems(good, testsIn("sandbox/things.test.ts", SOURCE.replace("D1: are", "are")))).toEqual([
      "D1: there is no test “D1: are counted” in sandbox/things.test.ts",
      "D1: none of the tests beside it names it",
    ]);
  });
});
