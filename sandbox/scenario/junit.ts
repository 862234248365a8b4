import { differenceLines, everyStep, type ScenarioResult, type StepResult, titleOf } from "./report.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for an element or an attribute. What XML 1.0 has no way to write becomes U+FFFD. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

const element = (name: string, attributes: Readonly<Record<string, string | number>>, ...content: string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `<${name}${written.join("")}>${content.join("")}</${name}>`;
};

const sum = (steps: readonly StepResult[]): string =>
  steps.reduce((seconds, step) => seconds + step.seconds, 0).toFixed(3);
const count = (steps: readonly StepResult[], outcome: StepResult["verdict"]["outcome"]): number =>
  steps.filter(({ verdict }) => verdict.outcome === outcome).length;
const counts = (steps: readonly StepResult[]) => ({
  tests: steps.length,
  failures: count(steps, "differs"),
  skipped: count(steps, "not_run"),
  errors: 0,
  time: sum(steps),
});

const outcomeOf = (result: StepResult): string => {
  const { verdict } = result;
  if (verdict.outcome === "held") return "";
  if (verdict.outcome === "not_run") return element("skipped", { message: verdict.detail });
  const { path, expected, got } = verdict.difference;
  const message = `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
  return element("failure", { message, type: "difference" }, escaped(differenceLines(result).join("\n")));
};

const suite = (result: ScenarioResult): string => {
  const steps = everyStep(result);
  const { name } = result.scenario;
  const cases = steps.map((step) =>
    element(
      "testcase",
      { classname: name, name: `${step.number} ${titleOf(step)}`, file: result.file, time: step.seconds.toFixed(3) },
      outcomeOf(step),
    ),
  );
  const changed = result.changed.map(({ name: policy, file, run }) =>
    element("property", { name: `policy.${policy}`, value: `${run} (the file: ${file})` }),
  );
  const properties = changed.length === 0 ? [] : ["\n", element("properties", {}, ...changed)];
  return element(
    "testsuite",
    { name, file: result.file, ...counts(steps) },
    ...properties,
    "\n",
    cases.join("\n"),
    "\n",
  );
};

/** Results as JUnit XML: a suite for each scenario, a case for each step. */
export const junit = (results: readonly ScenarioResult[]): string => {
  const suites = results.map(suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    element(
      "testsuites",
      { name: "sandbox run", ...counts(results.flatMap(everyStep)) },
      "\n",
      suites.join("\n"),
      "\n",
    ),
  ].join("\n");
};
