import fs from "node:fs";
import path from "node:path";
import { errorCodes } from "../contract/errors.ts";
import { decisionTexts } from "../contract/openapi/decisions.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { rejectReasons } from "../contract/signature.ts";

/** A title of a test or a group, as written in its source. */
export interface Title {
  /** Path from the checkout's root. */
  readonly file: string;
  readonly text: string;
}

/** A call with a string and a function as arguments; skipped tests don't count. */
const TITLE = /(?<!\.(?:skip|todo))\(\s*(["`])((?:\\.|(?!\1).)+)\1,\s*(?:\{[^}]*\},\s*)?(?:async )?(?:\(|function)/g;

export const readTitles = (file: string, source: string): Title[] =>
  [...source.matchAll(TITLE)].map(([, , text = ""]) => ({ file, text: text.replaceAll(/\\(.)/g, "$1") }));

export const allTitles = (root: string): Title[] =>
  ["sandbox", "e2e"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      // Excludes the test of this document, which quotes titles.
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && path.basename(name) !== "contract-doc.test.ts")
      .sort()
      .flatMap((name) => {
        const file = path.posix.join(folder, ...name.split(path.sep));
        return readTitles(file, fs.readFileSync(path.join(root, file), "utf8"));
      }),
  );

/** Returns whether a title contains the ID of an operation or a decision, and not just as part of a longer one. */
const names = (text: string, id: string): boolean =>
  new RegExp(`(?<![\\w.])${id.replaceAll(".", "\\.")}(?![\\w-]|\\.\\w)`).test(text);

const INTRODUCTION = `# The contract, and the tests that hold it

Written by \`npm run contract-doc\` from the declarations in \`sandbox/contract\` and the titles of tests: a test that names an
operation or a decision stands beside it. \`GET /openapi.json\` has every field and every error of every operation.
`;

/** Lists the contract's statements with their tests; `unheld` contains operations and decisions that no title names. */
export const contractDocument = (titles: readonly Title[]): { readonly text: string; readonly unheld: string[] } => {
  const unheld: string[] = [];
  const heldBy = (id: string): string => {
    const found = titles.filter(({ text }) => names(text, id));
    if (found.length === 0) unheld.push(id);
    const cite = ({ file, text }: Title): string =>
      `[${path.basename(file).replace(/\.(test|spec)\.tsx?$/, "")}](../${file}) “${text.replaceAll("|", "\\|")}”`;
    return found.map(cite).join("<br>");
  };
  const table = (...rows: string[][]): string => rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const code = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(", ");
  const operations = partnerOperations.map(({ id, surface, scope, errors }) => [
    ...[`\`${id}\``, surface, scope, code(errors), heldBy(id)],
  ]);
  const decisions = Object.entries(decisionTexts()).map(([id, says]) => [id, says, heldBy(id)]);
  const errors = Object.entries(errorCodes).map(([type, { status, meaning }]) => [
    `\`${type}\``,
    String(status),
    meaning,
  ]);
  const text = [
    INTRODUCTION,
    "## Operations\n",
    table(
      ["operation", "surface", "scope", "error codes", "held by"],
      ["---", "---", "---", "---", "---"],
      ...operations,
    ),
    "## Error codes\n",
    table(["code", "status", "meaning"], ["---", "---", "---"], ...errors),
    `A subscription or a notification is refused with one of ${code(rejectReasons)}.\n`,
    "## Decisions where the contract is silent\n",
    table(["id", "decision", "held by"], ["---", "---", "---"], ...decisions),
  ];
  return { text: text.join("\n"), unheld };
};
