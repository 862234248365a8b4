import fs from "node:fs";
import path from "node:path";
import { parseSync } from "@swc/core";

/** A test as it stands in its source. */
export interface FoundTest {
  /** From the checkout, with forward slashes. */
  readonly file: string;
  readonly title: string;
  /** The titles of the groups around it and its own, outermost first. */
  readonly fullName: string;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** `test`, `it` or `describe`, and what follows it by dots, for `test.each(rows)(…)` as for `test(…)`. */
const callOf = (callee: unknown): readonly string[] => {
  if (!isNode(callee)) return [];
  if (callee.type === "Identifier") return [String(callee.value)];
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression")
    return callOf(callee.callee ?? callee.tag);
  if (callee.type !== "MemberExpression" || !isNode(callee.property)) return [];
  const before = callOf(callee.object);
  return before.length === 0 ? [] : [...before, String(callee.property.value)];
};

const titleOf = (argument: unknown): string | null => {
  const expression = isNode(argument) ? argument.expression : null;
  if (!isNode(expression)) return null;
  if (expression.type === "StringLiteral") return String(expression.value);
  // What is put together at run time is no title that can be looked up.
  if (expression.type !== "TemplateLiteral" || (expression.expressions as unknown[]).length > 0) return null;
  const [part] = expression.quasis as Node[];
  return String(part?.cooked);
};

/** What never runs holds nothing. */
const NOT_RUN = ["skip", "todo"];

/** The tests of one source, in their order; those that are skipped are none. */
export const testsIn = (file: string, source: string): FoundTest[] => {
  const found: FoundTest[] = [];
  const walk = (value: unknown, groups: readonly string[]): void => {
    if (Array.isArray(value)) {
      for (const one of value) walk(one, groups);
      return;
    }
    if (!isNode(value)) return;
    const [kind, ...modifiers] = value.type === "CallExpression" ? callOf(value.callee) : [];
    const args = Array.isArray(value.arguments) ? (value.arguments as unknown[]) : [];
    const title = kind === "test" || kind === "it" || kind === "describe" ? titleOf(args[0]) : null;
    if (title === null) {
      for (const child of Object.values(value)) walk(child, groups);
      return;
    }
    if (modifiers.some((one) => NOT_RUN.includes(one))) return;
    if (kind === "describe") walk(args.slice(1), [...groups, title]);
    else found.push({ file, title, fullName: [...groups, title].join(" › ") });
  };
  walk(parseSync(source, { syntax: "typescript", tsx: file.endsWith("x") }).body, []);
  return found;
};

/** Every test below these folders of the checkout. */
export const findTests = (root: string, folders: readonly string[]): FoundTest[] =>
  folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.includes("node_modules"))
      .sort()
      .flatMap((name) => {
        const file = path.posix.join(folder, ...name.split(path.sep));
        return testsIn(file, fs.readFileSync(path.join(root, file), "utf8"));
      }),
  );
