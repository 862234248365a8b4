import { describe, expect, it } from "vitest";
import { foldBelow, jsonAsText, jsonLines } from "./json-lines.ts";
import { writtenJson } from "./parsed-json.ts";

const text = (value: unknown, folded: readonly string[] = []) =>
  jsonLines(value, new Set(folded)).map(
    (line) => "  ".repeat(line.depth) + line.tokens.map((token) => token.text).join(""),
  );

describe("jsonLines", () => {
  const sample = { status: 'a"b', none: null, items: [1, { deep: true }], empty: [] };

  it("writes the same as JSON.stringify", () => {
    expect(text({ ...sample, empty: 0 }).join("\n")).toBe(JSON.stringify({ ...sample, empty: 0 }, null, 2));
  });
  it("keeps empty lists and objects on one line", () => expect(text([[], {}])).toEqual(["[", "  [],", "  {}", "]"]));
  it("counts what a folded line hides", () => expect(text(sample, ["/items"])).toContain('  "items": [2 items],'));
  it("folds the whole document", () => expect(text(sample, [""])).toEqual(["{4 fields}"]));
  it("escapes slashes and tildes in pointers", () => {
    expect(jsonLines({ "a/b~c": 1 }, new Set())[1]?.pointer).toBe("/a~1b~0c");
  });
  it("shows each number as written", () => {
    const written = '{\n  "n": 12345678901234567890,\n  "list": [\n    0.10,\n    1e400,\n    -0\n  ]\n}';
    expect(jsonAsText(writtenJson(written))).toBe(written);
    expect([...foldBelow(writtenJson(written), 0)]).toEqual(["", "/list"]);
  });
  it("folds long documents below a depth", () => expect([...foldBelow(sample, 1)]).toEqual(["/items", "/items/1"]));
});
