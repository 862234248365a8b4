import { SaxesParser, type SaxesTagPlain } from "saxes";
import { describe, expect, it } from "vitest";
import { junit } from "./junit.ts";
import type { ScenarioResult } from "./report.ts";
import { differs, held } from "./verdict.ts";

interface Element {
  readonly name: string;
  readonly attributes: SaxesTagPlain["attributes"];
  text: string;
}

/** Returns the elements in their order. @throws when a strict parser rejects the XML */
const parse = (xml: string): Element[] => {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return elements;
};

const list = { call: { operation: "businesses.list" } };
const result = (name: string, answer: string): ScenarioResult => ({
  policies: {},
  file: `${name}.json`,
  scenario: { scenario: 1, name, steps: [{ ...list, name }, list, list] },
  steps: [
    { number: 1, step: { ...list, name }, verdict: held(name, null), seconds: 0.5 },
    {
      number: 2,
      step: list,
      verdict: { ...differs(name, `/${name}`, name, undefined), answer },
      seconds: 0.25,
    },
  ],
});
const NASTY = `<a b="c" d='e'>&amp; ]]> <![CDATA[ \t\r\n\u{1f600} ö`;

describe("a report as JUnit XML", () => {
  it("has a suite per scenario and a case per step, including unreached ones", () => {
    const [all, suite, first, second, failure, third, skipped, ...more] = parse(junit([result("One", "text")]));
    const counts = { tests: "3", failures: "1", errors: "0", time: "0.750" };
    expect(all).toMatchObject({ name: "testsuites", attributes: counts });
    expect(suite).toMatchObject({ name: "testsuite", attributes: { name: "One", file: "One.json", ...counts } });
    expect(first).toMatchObject({ name: "testcase", attributes: { classname: "One", name: "1 One", time: "0.500" } });
    expect(second).toMatchObject({ name: "testcase", attributes: { name: "2 businesses.list", time: "0.250" } });
    expect(failure).toMatchObject({ name: "failure", attributes: { message: '/One: expected "One", got undefined' } });
    expect(failure?.text).toBe('path      /One\nexpected  "One"\nactual    nothing\nresponse  text');
    expect(third).toMatchObject({ name: "testcase", attributes: { name: "3 businesses.list" } });
    expect(skipped).toMatchObject({ name: "skipped", attributes: { message: "an earlier step failed" } });
    expect(more).toEqual([]);
  });

  // https://github.com/jenkinsci/xunit-plugin, junit-10.xsd
  it("has only attributes of Jenkins' schema", () => {
    const known: Readonly<Record<string, readonly string[]>> = {
      testsuites: ["name", "time", "tests", "failures", "disabled", "errors"],
      testsuite: ["name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "file"],
      testcase: ["name", "assertions", "time", "classname", "status"],
      properties: [],
      property: ["name", "value"],
      failure: ["type", "message"],
      skipped: ["type", "message"],
    };
    const none: ScenarioResult = { ...result("None", ""), steps: [], policies: { a: "b" } };
    for (const { name, attributes } of parse(junit([result("One", "text"), none])))
      expect(known[name], name).toEqual(expect.arrayContaining(Object.keys(attributes)));
  });

  it("reports a scenario without a passed check as failed", () => {
    const none: ScenarioResult = { ...result("None", ""), steps: [] };
    const [all, , ...cases] = parse(junit([none]));
    expect(all?.attributes).toMatchObject({ tests: "4", failures: "1" });
    expect(cases.at(-2)?.attributes.name).toBe("at least one check passed");
  });

  it("contains no control characters of a terminal", () => {
    const text = junit([result("\u001b[31m\u009b2J\u202e", "\u001b]0;title\u0007")]);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(parse(text)[1]?.attributes.name).toBe("\ufffd[31m\u009b2J\u202e");
  });

  it("contains any text of a scenario or response, character by character", () => {
    const elements = parse(junit([result(NASTY, NASTY), result("Two", "")]));
    expect(elements.filter(({ name }) => name === "testsuite").map(({ attributes }) => attributes.name)).toEqual([
      NASTY,
      "Two",
    ]);
    const failure = elements.find(({ name }) => name === "failure");
    expect(failure?.attributes.message).toContain(`/${NASTY}: expected`);
    expect(failure?.text).toContain(`response  ${NASTY}`);
  });

  it("replaces characters that XML can't contain by U+FFFD", () => {
    const [, suite] = parse(junit([result("a\u0000\u001b\ud800\ufffe\uffffb", "")]));
    expect(suite?.attributes.name).toBe(`a${"\ufffd".repeat(5)}b`);
  });
});
