import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawItems, replaceFields } from "./raw-json.ts";

describe("the raw items of an array", () => {
  it("keep their exact text, including what parsing and printing would change", () => {
    const items = [
      "1.0",
      "1e2",
      "123456789012345678901234567890",
      '{"a":1,"a":2}',
      '"\\u0041\\/"',
      '{ "spaced" : [ 1 , 2 ] }',
      "-0",
      "null",
      "[]",
      '"]}"',
      '"\\\\"',
      '{"k\\"":"}"}',
    ];
    expect(rawItems(`{"identifiers":[${items.join(",")}]}`, "identifiers")).toEqual(items);
    expect(rawItems(`{"identifiers":[\n\t${items.join(" \r\n,\t")} ]}`, "identifiers")).toEqual(items);
  });

  it("are found at any position, even under an escaped name", () => {
    for (const text of [
      '{"a":{"identifiers":[0]},"identifiers":[1,2],"b":[3]}',
      '\ufeff \n{ "a" : "identifiers" , "identifiers" : [1,2] }',
      '{"\\u0069dentifiers":[1,2]}',
      '{"a":"}],\\"identifiers\\":[9]","identifiers":[1,2]}',
      '{"":[],"identifiers":[1,2]}',
    ]) {
      expect(rawItems(text, "identifiers"), text).toEqual(["1", "2"]);
    }
  });

  it("are those of the last repeated field, as in parsing", () => {
    expect(rawItems('{"identifiers":[1],"identifiers":[2,3]}', "identifiers")).toEqual(["2", "3"]);
    expect(rawItems('{"identifiers":[1],"\\u0069dentifiers":[2,3]}', "identifiers")).toEqual(["2", "3"]);
  });

  it("are empty without the field or its items", () => {
    for (const text of ["{}", '{"a":[1]}', '{"identifiers":[]}', '{"identifiers":[ \n ]}', '{"__proto__":[1]}'])
      expect(rawItems(text, "identifiers"), text).toEqual([]);
  });

  it("may be deeply nested and many", () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    expect(rawItems(`{"identifiers":[${deep},1]}`, "identifiers")).toEqual([deep, "1"]);
    expect(rawItems(`{"identifiers":[${"0,".repeat(99_999)}0]}`, "identifiers")).toHaveLength(100_000);
  });

  it("parse to the same values as the whole text", () => {
    const text = fc.tuple(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      fc.constantFrom(0, 1, "\t"),
    );
    fc.assert(
      fc.property(text, ([identifiers, others, space]) => {
        const body = JSON.stringify({ ...others, identifiers, last: others }, null, space);
        const raw = rawItems(body, "identifiers");
        expect(raw.map((item) => JSON.parse(item) as unknown)).toEqual(
          (JSON.parse(body) as { readonly identifiers: unknown[] }).identifiers,
        );
        for (const item of raw) expect([body.includes(item), item.trim()]).toEqual([true, item]);
      }),
    );
  });
});

describe("replacing fields of a JSON text", () => {
  const hide = (text: string): string =>
    replaceFields(
      text,
      (key) => key === "secret",
      () => '"hidden"',
    );

  it("replaces any value and keeps every other byte", () => {
    expect(hide('{"a":1.0,"secret" : "x" ,"b":"secret"}')).toBe('{"a":1.0,"secret" : "hidden" ,"b":"secret"}');
    for (const value of ["null", "12", "-0.5e3", "[1,[2]]", '{"a":"}"}', '"\\"\\\\"', "true", "[ ]"]) {
      expect(hide(`{"secret":${value},"b":1}`), value).toBe('{"secret":"hidden","b":1}');
      expect(hide(`[{"x":{"secret":\n${value}\n}}]`), value).toBe('[{"x":{"secret":\n"hidden"\n}}]');
    }
  });

  it("matches a field by its parsed name, and never a value", () => {
    expect(hide('{"s\\u0065cret":"x"}')).toBe('{"s\\u0065cret":"hidden"}');
    for (const text of [
      '{"Secret":"x"}',
      '{"a":"secret"}',
      '["secret","x"]',
      '{"a":"\\"secret\\":1"}',
      '"secret"',
      "{}",
      "[]",
      "1",
    ])
      expect(hide(text), text).toBe(text);
  });

  it("passes on the value as written", () => {
    const seen: string[] = [];
    replaceFields(
      '{"secret":"a\\u0062","x":{"secret": [1, 2] }}',
      (key) => key === "secret",
      (value) => {
        seen.push(value);
        return value;
      },
    );
    expect(seen).toEqual(['"a\\u0062"', "[1, 2]"]);
  });

  it("equals parsing, replacing and printing, for any JSON", () => {
    const key = fc.constantFrom("secret", "a", 'se"cret', "\\");
    const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        tie("leaf"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(key, tie("tree"), { maxKeys: 3 }),
      ),
      leaf: fc.oneof(fc.string(), fc.constantFrom("secret", null, 1.5, '"secret":1')),
    }));
    const replaced = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(replaced);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, name === "secret" ? "hidden" : replaced(one)]),
      );
    };
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 1), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(JSON.parse(hide(text))).toEqual(replaced(JSON.parse(text)));
      }),
    );
  });
});
