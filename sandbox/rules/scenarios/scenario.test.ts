import { describe, expect, it } from "vitest";
import { expectationProblem, findDifference } from "./scenario-match.ts";
import { MAX_WRITTEN_BYTES, referredNames, resolve } from "./scenario-references.ts";

const values = new Map<string, unknown>([
  [
    "job",
    {
      id: "j-1",
      parts: [
        { id: "p-1", n: 2 },
        { id: "p-2", n: null },
      ],
      "a b": true,
    },
  ],
  ["side", { name: "p-2" }],
  ["mixed", [null, 3, "x", { id: 1 }]],
  ["text", "plain"],
]);

describe("a reference", () => {
  it("is replaced by the value itself if alone, else written into the text", () => {
    const json = {
      a: "{{job.parts.0}}",
      b: ["{{ job.id }}!", "{{job.parts.0.n}} of {{text}}", 1, null],
      c: "{{text}}",
      d: "{{mixed.[id=1]}}",
    };
    expect(resolve(json, values)).toEqual({
      value: { a: { id: "p-1", n: 2 }, b: ["j-1!", "2 of plain", 1, null], c: "plain", d: { id: 1 } },
    });
  });

  it("selects an array item by a value, given or referred to", () => {
    expect(resolve("{{job.parts.[id=p-2].n}}", values)).toEqual({ value: null });
    expect(resolve("{{job.parts.[id=@side.name].id}}", values)).toEqual({ value: "p-2" });
  });

  it("without a target says where it ended", () => {
    const problems: [string, string][] = [
      ["{{jobs.id}}", "{{jobs.id}} refers to jobs, which no earlier step saved; there are job, side, mixed, text"],
      ["x {{job.parts.2.id}}", "{{job.parts.2.id}} leads nowhere: job.parts has no 2"],
      ["{{job.parts.[id=none]}}", "{{job.parts.[id=none]}} leads nowhere: job.parts has no [id=none]"],
      ["{{job.constructor}}", "{{job.constructor}} leads nowhere: job has no constructor"],
      [
        "{{job.parts.[id=@nobody.id].n}}",
        "{{nobody.id}} refers to nobody, which no earlier step saved; there are job, side, mixed, text",
      ],
    ];
    for (const [text, problem] of problems) expect(resolve({ a: [text] }, values)).toEqual({ problem });
  });
});

it("lists the names that earlier steps must save, even behind an @", () => {
  expect(referredNames({ a: ["{{job.id}} {{text}}", 1], b: "{{job.parts.[id=@side.name].n}}" })).toEqual([
    "job",
    "text",
    "job",
    "side",
  ]);
});

describe("text from a stranger", () => {
  it("is read in linear time, whatever braces it contains", () => {
    const began = performance.now();
    for (const piece of ["{{", "}}", "{{ ", " }}", "{", "{{a}", "[", "{{[", "{{a.[b=@"]) {
      const hostile = piece.repeat(200_000 / piece.length);
      for (const text of [hostile, `{{${hostile}`, `${hostile}}}`, `{{${" ".repeat(100_000)}${hostile}`]) {
        resolve(text, values);
        referredNames(text);
      }
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("isn't a reference with more than 200 characters between the braces", () => {
    const long = `{{job.${"x".repeat(200)}}}`;
    expect([resolve(long, values), referredNames(long)]).toEqual([{ value: long }, []]);
    expect(resolve("{{{job.id}} {{job.id}}}", values)).toEqual({ value: "{j-1 j-1}" });
  });

  it("is inserted only up to the size limit, and not built beyond it", () => {
    const large = new Map<string, unknown>([["big", { text: "x".repeat(500_000) }]]);
    expect(resolve(["{{big}}", "{{big.text}}"], large)).toHaveProperty("value");
    const began = performance.now();
    for (const many of ["{{big.text}}".repeat(900), Array.from({ length: 900 }, () => "{{big}}")])
      expect(resolve(many, large)).toEqual({ problem: "its references write more than 1 MiB into it" });
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(MAX_WRITTEN_BYTES).toBe(1_048_576);
  });
});

describe("an expected response", () => {
  const got = {
    id: "0f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
    at: "2026-01-01T00:00:00.000Z",
    n: 1,
    items: [{ a: 1, b: 2 }],
    tags: ["new", "old"],
  };

  it("may give only some keys at any depth, and match many values", () => {
    for (const expected of [
      { n: 1 },
      { items: [{ a: 1 }] },
      { id: { $is: "uuid" }, at: { $is: "timestamp" }, n: { $is: "number" }, none: { $absent: true } },
      { id: { $matches: "^0f0c" }, items: { $length: 1 } },
      { items: { $contains: { b: 2 } }, at: { $contains: "2026" } },
      { tags: { $contains: "old" } },
    ])
      expect(findDifference(expected, got), JSON.stringify(expected)).toBeNull();
  });

  it("matches exactly the values of its kind", () => {
    const uuid = "0f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01";
    const values = ["a", uuid, "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z ", 1, true, [], {}, null];
    const matches = (kind: string) =>
      values.map((value) => Number(findDifference({ $is: kind }, value) === null)).join("");
    expect(["any", "string", "uuid", "timestamp", "number", "boolean", "array", "object", "none"].map(matches)).toEqual(
      [
        "111111111",
        ...["111100000", "010000000", "001000000", "000010000", "000001000", "000000100", "000000010", "000000000"],
      ],
    );
    expect(findDifference({ $is: "timestamp" }, " 2026-01-01T00:00:00.000Z")).not.toBeNull();
  });

  it("names the path of a mismatch", () => {
    const not: [unknown, string][] = [
      [{ n: 2 }, "/n"],
      [{ items: [] }, "/items/0"],
      [{ items: [{ a: { $is: "string" } }] }, "/items/0/a"],
      [{ none: { $is: "any" } }, "/none"],
      [{ n: { $absent: true } }, "/n"],
      [{ items: { $contains: { b: 3 } } }, "/items"],
      [{ id: { $matches: "^1" } }, "/id"],
      [{ n: { $length: 1 } }, "/n"],
      [{ n: { $contains: "1" } }, "/n"],
      [{ at: { $contains: 2026 } }, "/at"],
      [{ at: { $contains: "2027" } }, "/at"],
      [{ n: { $matches: "1" } }, "/n"],
    ];
    for (const [expected, path] of not)
      expect(findDifference(expected, got)?.path, JSON.stringify(expected)).toBe(path);
  });

  it("is refused if meaningless, with the path", () => {
    expect(expectationProblem({ a: [{ $is: "uuid" }, { b: { $like: 1 } }] }, "/body")).toEqual({
      path: "/body/a/1/b/$like",
      problem: "is not known; there are $is, $matches, $length, $contains, $absent",
    });
    expect(expectationProblem({ $is: "text" }, "")?.problem).toMatch(/^must be one of any, string/);
    for (const [expected, problem] of [
      [{ $matches: "(?=a)" }, expect.stringMatching(/^must be a regular expression/)],
      [{ $length: "1" }, "must be integer"],
      [{ $absent: false }, "must be true"],
    ] as const)
      expect(expectationProblem(expected, "/a")).toEqual({ path: `/a/${Object.keys(expected)[0]}`, problem });
    expect(expectationProblem({ a: { $contains: { $is: "string" } }, b: null }, "")).toBeNull();
  });
});
