import type { FoundTest } from "./find-tests.ts";
import type { Citation, Line } from "./read-table.ts";

/** What the declarations say, as far as the document repeats it. */
export interface Declared {
  /** The statement of each decision, by its id. */
  readonly decisions: Readonly<Record<string, string>>;
  /** Scope and error codes of each operation, by its id. */
  readonly operations: Readonly<Record<string, { readonly scope: string; readonly errors: readonly string[] }>>;
  /** The status of each error code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Everything else that has a line of its own: event types, reasons, states, fields as `Job.id`. */
  readonly names: readonly string[];
}

const decisionsIn = (text: string): string[] => text.match(/\bD\d{1,2}\b/g) ?? [];

const isDecision = (key: string): boolean => /^D\d{1,2}$/.test(key);

const spelt = ({ file, title }: Citation): string => `“${title}” in ${file}`;

/** Lines whose citations lead nowhere, or that nothing holds. */
const unheld = (lines: readonly Line[], find: (citation: Citation) => FoundTest | undefined): string[] =>
  lines.flatMap(({ key, section, citations, noTest }) => {
    const missing = citations.filter((one) => !find(one)).map((one) => `${key}: there is no test ${spelt(one)}`);
    const nothing = citations.length === 0 && noTest === null;
    return nothing ? [...missing, `${key} (${section}): no test holds this line, and it does not say why`] : missing;
  });

const decisionProblems = (
  lines: readonly Line[],
  tests: readonly FoundTest[],
  find: (citation: Citation) => FoundTest | undefined,
  statements: Declared["decisions"],
): string[] => {
  const listed = lines.filter((line) => isDecision(line.key));
  const keys = new Set(listed.map((line) => line.key));
  const unknown = tests.flatMap((test) =>
    decisionsIn(test.fullName)
      .filter((id) => !keys.has(id))
      .map((id) => `${id} is named by ${spelt(test)} and is no decision of the list`),
  );
  const unnamed = listed.flatMap(({ key, citations }) =>
    citations.some((one) => decisionsIn(find(one)?.fullName ?? "").includes(key))
      ? []
      : [`${key}: none of the tests beside it names it`],
  );
  const reworded = listed.flatMap(({ key, says }) =>
    statements[key] === undefined || says[0] === statements[key]
      ? []
      : [`${key}: the declarations say “${statements[key]}”`],
  );
  const missing = Object.keys(statements).filter((id) => !keys.has(id));
  const surplus = [...keys].filter((id) => !Object.hasOwn(statements, id));
  return [
    ...unknown,
    ...unnamed,
    ...reworded,
    ...missing.map((id) => `${id} is declared and has no line`),
    ...surplus.map((id) => `${id} has a line and is not declared`),
  ];
};

/** What is wrong with the document, in sentences; none when every line is held and every declaration has its line. */
export const checkTable = (lines: readonly Line[], tests: readonly FoundTest[], declared: Declared): string[] => {
  const known = new Map(tests.map((test) => [`${test.file}\n${test.title}`, test]));
  const find = ({ file, title }: Citation) => known.get(`${file}\n${title}`);
  const byKey = new Map(lines.map((line) => [line.key, line]));
  const twice = lines.filter((line) => byKey.get(line.key) !== line).map(({ key }) => `${key} has two lines`);
  const differing = (what: string, id: string, cells: readonly string[]): string[] => {
    const line = byKey.get(id);
    if (!line) return [`the ${what} ${id} is declared and has no line`];
    return cells.every((cell) => line.says.map((one) => one.replaceAll("`", "")).includes(cell))
      ? []
      : [`${id}: the declarations say ${cells.join(" · ")}`];
  };
  return [
    ...twice,
    ...unheld(lines, find),
    ...decisionProblems(lines, tests, find, declared.decisions),
    ...Object.entries(declared.operations).flatMap(([id, { scope, errors }]) =>
      differing("operation", id, [scope, errors.join(", ")]),
    ),
    ...Object.entries(declared.errors).flatMap(([code, status]) => differing("error code", code, [String(status)])),
    ...declared.names.flatMap((name) => differing("name", name, [])),
  ];
};
