import { describe, expect, test } from "vitest";
import { countLine, exitStatus, fromPlaywright, type Part, slowest, spent, sumResults } from "./results.mjs";

const NONE = { passed: 0, failed: [], skipped: [], times: [] };
const FAILED = { name: "a", reason: "b" };
const GOOD = [
  { name: "types", passed: true },
  { name: "lint", passed: true },
];

const playwrightTest = (status: string, more: object = {}): object => ({
  specs: [
    {
      title: "opens",
      file: "order.spec.ts",
      tests: [{ status, annotations: [], results: [{ duration: 7 }], ...more }],
    },
  ],
});

describe("Playwright's report", () => {
  test("is counted at every depth", () => {
    const inner = { suites: [playwrightTest("expected"), playwrightTest("unexpected")] };
    expect(fromPlaywright({ suites: [inner, playwrightTest("expected")], errors: [] })).toMatchObject({
      passed: 2,
      failed: [{ name: "order.spec.ts: opens" }],
      skipped: [],
    });
  });

  test("lists skipped tests with their reason", () => {
    const skipped = playwrightTest("skipped", { annotations: [{ type: "skip", description: "no Electron here" }] });
    const { skipped: reported } = fromPlaywright({ suites: [skipped] }) ?? NONE;
    expect(reported).toEqual([{ name: "order.spec.ts: opens", reason: "no Electron here" }]);
  });

  test.each([
    ["a test that never ran", playwrightTest("skipped", { results: [] })],
    ["a test that passed only at its second attempt", playwrightTest("flaky")],
    ["an interrupted test", playwrightTest("skipped", { results: [{ status: "interrupted", duration: 7 }] })],
  ])("%s counts as a failure", (_, suite) => {
    expect(fromPlaywright({ suites: [suite] })).toMatchObject({ passed: 0, failed: [{}], skipped: [] });
  });

  test("shows the first line of a failure, without colours", () => {
    const failed = playwrightTest("unexpected", {
      results: [{ duration: 7, error: { message: "\u001b[31mNo order\u001b[39m\nat line 7" } }],
    });
    expect(fromPlaywright({ suites: [failed] })?.failed).toEqual([
      { name: "order.spec.ts: opens", reason: "No order" },
    ]);
  });

  test("an error outside of any test is a failure", () => {
    expect(fromPlaywright({ suites: [], errors: [{ message: "timed out" }] })?.failed).toEqual([
      { name: "outside of any test", reason: "timed out" },
    ]);
  });

  test("is null if the report is missing", () => {
    expect(fromPlaywright(null)).toBeNull();
  });
});

describe("the totals", () => {
  const part = (difference: Partial<Part>): Part => ({
    name: "unit",
    results: { ...NONE, passed: 3 },
    clean: true,
    ...difference,
  });

  test("add up all parts", () => {
    const skipped = [{ name: "a", reason: "b" }];
    expect(
      sumResults([part({}), part({ results: { passed: 2, failed: [FAILED], skipped, times: [] }, clean: false })]),
    ).toEqual({
      passed: 5,
      failed: [FAILED],
      skipped,
      times: [],
    });
  });

  test("count a part without tests, or with an unexplained failure, as one failure", () => {
    expect(sumResults([part({ results: null, clean: false })]).failed).toHaveLength(1);
    expect(sumResults([part({ results: null, clean: true })]).failed).toHaveLength(1);
    expect(sumResults([part({ clean: false })]).failed).toHaveLength(1);
  });
});

test("the slowest tests are listed, slowest first", () => {
  const times = [5, 2_000, 61_040].map((ms) => ({ name: `takes ${ms} ms`, ms }));
  expect(slowest({ ...NONE, times }, 2)).toEqual(["  61.0 s  takes 61040 ms", "   2.0 s  takes 2000 ms"]);
});

describe("the last line", () => {
  test("counts", () => {
    const results = { passed: 123, failed: [], skipped: [{ name: "a", reason: "b" }], times: [] };
    expect(countLine(results, GOOD)).toBe("Tests: 123 passed, 0 failed, 1 skipped (types passed, lint passed)");
  });

  test("names the checks that failed and the parts that did not run", () => {
    const checks = [...GOOD, { name: "architecture", passed: false }];
    expect(countLine({ ...NONE, failed: [FAILED] }, checks, ["end-to-end tests"])).toBe(
      "Tests: 0 passed, 1 failed, 0 skipped (types passed, lint passed, architecture FAILED, not run: end-to-end tests)",
    );
  });

  test("omits checks that were not requested", () => {
    expect(countLine(NONE, [])).toBe("Tests: 0 passed, 0 failed, 0 skipped");
  });
});

test.each([
  ["all is well", { ...NONE, passed: 1 }, GOOD, true, 0],
  ["a test failed", { ...NONE, passed: 1, failed: [FAILED] }, GOOD, true, 1],
  ["a check failed", { ...NONE, passed: 1 }, [{ name: "lint", passed: false }], true, 1],
  ["no test ran", NONE, GOOD, true, 1],
  ["every test was skipped", { ...NONE, skipped: [{ name: "a", reason: "b" }] }, GOOD, true, 1],
  ["only checks were asked for", NONE, GOOD, false, 0],
] as const)("the exit status when %s", (_, results, checks, testsWanted, status) => {
  expect(
    exitStatus(
      { ...results, failed: [...results.failed], skipped: [...results.skipped], times: [] },
      checks,
      testsWanted,
    ),
  ).toBe(status);
});

test("lists the duration of each part in order, then the total", () => {
  const parts = [
    { name: "checks", ms: 61_400 },
    { name: "end-to-end tests", ms: 600_000 },
  ];
  expect(spent(parts)).toEqual(["   1 min  1 s  checks", "  10 min  0 s  end-to-end tests", "  11 min  1 s  all"]);
});
