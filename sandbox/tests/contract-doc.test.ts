import path from "node:path";
import { expect, test } from "vitest";
import { decisionTexts } from "../contract/openapi/decisions.ts";
import { allTitles, contractDocument, readTitles } from "../testing/contract-document.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const titles = allTitles(ROOT);

test("docs/contract.md is the output of `npm run contract-doc`, and every operation and decision has a test", async () => {
  const { text, unheld } = contractDocument(titles);
  expect(unheld).toEqual([]);
  await expect(text).toMatchFileSnapshot(path.join(ROOT, "docs", "contract.md"));
});

test("tests name only existing decisions", () => {
  const made = new Set(Object.keys(decisionTexts()));
  const named = titles.flatMap(({ file, text }) =>
    (text.match(/\bD\d{1,2}\b/g) ?? []).map((id) => ({ id, file, text })),
  );
  expect(named.filter(({ id }) => !made.has(id))).toEqual([]);
});

test("counts only titles of tests that run, for exactly the operations they name", () => {
  const source = `
    describe("a group", () => {
      test("one | two \\"three\\"", async () => {});
      test.each([[1], [2]])("%s of repairer.jobs.get, D3", (count) => {});
      test.skip("skipped", () => {});
      const text = "no title";
    });`;
  const found = readTitles("a.test.ts", source);
  expect(found.map(({ text }) => text)).toEqual(["a group", 'one | two "three"', "%s of repairer.jobs.get, D3"]);
  const { unheld } = contractDocument(found);
  expect(unheld).not.toContain("repairer.jobs.get");
  expect(unheld).not.toContain("D3");
  expect(unheld).toEqual(expect.arrayContaining(["repairer.jobs.insert", "procurements.cancel", "D30"]));
});
