import { escapeHtml } from "../contract/escape-html.ts";
import {
  countOutcomes,
  differenceLines,
  everyStep,
  nothingPassed,
  type ScenarioResult,
  type StepResult,
  stepTitle,
} from "./report.ts";

/**
 * Escapes text for an element or an attribute. Characters that XML 1.0 cannot contain become U+FFFD; terminal control
 * characters become references, which a parser reads as the character.
 */
const escaped = (text: string): string =>
  escapeHtml(text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );

const element = (name: string, attributes: Readonly<Record<string, string | number>>, ...content: string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `<${name}${written.join("")}>${content.join("")}</${name}>`;
};

const lines = (elements: readonly string[]): string => `\n${elements.join("\n")}\n`;

interface Case {
  readonly name: string;
  readonly outcome: "held" | "differs" | "not_run";
  readonly seconds: number;
  readonly within: string;
}

const stepCase = (result: StepResult): Case => {
  const { number, verdict, seconds } = result;
  const { difference, outcome, detail } = verdict;
  const { path = "", expected, got } = difference ?? {};
  const message = `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
  const within = {
    held: "",
    not_run: element("skipped", { message: detail }),
    differs: element("failure", { message, type: "difference" }, escaped(differenceLines(result).join("\n"))),
  }[outcome];
  return { name: `${number} ${stepTitle(result)}`, outcome, seconds, within };
};

/** Reports a scenario without a passed check as a failure, because some tools count only failures. */
const NOTHING_PASSED: Case = {
  ...{ name: "at least one check passed", outcome: "differs", seconds: 0 },
  within: element("failure", { message: "no step of this scenario passed", type: "nothing" }),
};

const scenarioCases = (result: ScenarioResult): Case[] => [
  ...everyStep(result).map(stepCase),
  ...(nothingPassed(result) && countOutcomes(result.steps, "differs") === 0 ? [NOTHING_PASSED] : []),
];

const counts = (cases: readonly Case[]) => ({
  tests: cases.length,
  failures: cases.filter(({ outcome }) => outcome === "differs").length,
  errors: 0,
  time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
});

const suite = (result: ScenarioResult): string => {
  const { scenario, file, policies } = result;
  const cases = scenarioCases(result);
  const skipped = cases.filter(({ outcome }) => outcome === "not_run").length;
  const properties = Object.entries(policies).map(([name, value]) =>
    element("property", { name: `policy.${name}`, value }),
  );
  const written = cases.map(({ name, seconds, within }) =>
    element("testcase", { classname: scenario.name, name, time: seconds.toFixed(3) }, within),
  );
  const within = properties.length === 0 ? written : [element("properties", {}, ...properties), ...written];
  return element("testsuite", { name: scenario.name, file, ...counts(cases), skipped }, lines(within));
};

/** Results as JUnit XML that is valid in Jenkins' schema: a suite for each scenario, a case for each step. */
export const junit = (results: readonly ScenarioResult[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    "testsuites",
    { name: "sandbox run", ...counts(results.flatMap(scenarioCases)) },
    lines(results.map(suite)),
  )}`;
