import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { controlOperations } from "../contract/control/all-operations.ts";
import type { Operation } from "../contract/operation.ts";
import { jobsInsert, partnerOperations } from "../contract/operations/partner.ts";
import { describeViolation, notJson, parseBody, readBody, refuseEncoding } from "./validation.ts";

/** Any Unicode character; fast-check's own `binary` unit takes most of a second to prepare. */
const character = fc
  .nat({ max: 0x10_ff_ff - 0x8_00 })
  .map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00));

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const BOM = "\ufeff";

/** Parsed value; undefined for a problem. */
const parsedOf = (body: Uint8Array | null): unknown => {
  const parsed = parseBody(body);
  return "value" in parsed ? parsed.value : undefined;
};
const problemOf = (body: Uint8Array | null): string | undefined => {
  const parsed = parseBody(body);
  return "problem" in parsed ? parsed.problem : undefined;
};

describe("a body", () => {
  it("counts as {} if empty", () => {
    for (const body of [null, bytes(""), bytes(BOM), bytes("{}"), bytes(" \r\n\t{ } ")])
      expect(parseBody(body)).toEqual({ value: {} });
  });

  it("D4: may start with one BOM", () => {
    expect(parsedOf(bytes(`${BOM}{"a":"${BOM}b"}`))).toEqual({ a: `${BOM}b` });
    expect(problemOf(bytes(`${BOM}${BOM}{}`))).toMatch(/^The body is not valid JSON/);
  });

  it("D3: may be nested 64 levels deep, not counting brackets in strings", () => {
    const nested = (levels: number): string => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(problemOf(bytes(nested(64)))).toBeUndefined();
    expect(problemOf(bytes(nested(65)))).toBe("The body is nested more than 64 levels deep.");
    expect(problemOf(bytes(`{"a":"${'[{\\"'.repeat(100)}"}`))).toBeUndefined();
    expect(problemOf(bytes(`{"a":${"[".repeat(200_000)}`))).toMatch(/nested more than 64/);
    expect(problemOf(bytes(`{"a":${'{"a":'.repeat(100_000)}`))).toMatch(/nested more than 64/);
  });

  it("D4: must be UTF-8", () => {
    const broken = [
      Buffer.of(0x7b, 0x22, 0xff, 0x22, 0x7d), // a byte that UTF-8 never has
      Buffer.of(0xc3, 0x28), // a sequence that breaks off
      Buffer.of(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x7d), // an overlong U+0000
      Buffer.concat([bytes('{"a":"'), Buffer.of(0xed, 0xa0, 0x80), bytes('"}')]), // an encoded surrogate
      Buffer.of(0xf4, 0x90, 0x80, 0x80), // above U+10FFFF
      Buffer.from(`${BOM}{}`, "utf16le"),
      bytes('{"a":"ü"}').subarray(0, 7),
      Buffer.from('{"a":"ü"}', "latin1"),
    ];
    for (const body of broken)
      expect(parseBody(body), body.toString("hex")).toEqual({ problem: "The body is not UTF-8." });
  });

  it("D3: must be one JSON object", () => {
    for (const text of ["[]", "[{}]", "null", "true", "0", '"{}"'])
      expect(problemOf(bytes(text)), text).toBe("The body must be a JSON object.");
    for (const text of [
      "{",
      "}",
      "{}{}",
      "{a:1}",
      "{'a':1}",
      '{"a":1,}',
      "{}//",
      '{"a":01}',
      '{"a":NaN}',
      '{"a":"\n"}',
      " ",
      "undefined",
      '{"a":"\\x"}',
    ]) {
      expect(problemOf(bytes(text)), text).toMatch(/^The body is not valid JSON: ./);
    }
  });

  it("D7: keeps __proto__ and constructor as plain data", () => {
    const value = parsedOf(
      bytes(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"identity":{"__proto__":{"external":"x"}}}',
      ),
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "identity"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(Reflect.get(value as object, "polluted")).toBeUndefined();
    expect(describeViolation(jobsInsert.request, value)).toBe("/repairer_site_id is required");
    const withSite = { ...(value as object), repairer_site_id: "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a" };
    // Members under __proto__ are not own properties, so neither variant is present.
    expect(describeViolation(jobsInsert.request, withSite)).toBe("/identity must have exactly one of id, external");
  });

  it("uses the last of repeated keys, like JSON.parse", () => {
    expect(parsedOf(bytes('{"a":1,"a":2}'))).toEqual({ a: 2 });
  });

  it("keeps every JSON object in UTF-8", () => {
    const object = fc.dictionary(fc.string({ unit: character }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(object, fc.boolean(), (value, marked) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parsedOf(bytes(marked ? BOM + text : text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("is accepted or refused for any bytes, without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (body) => {
        const parsed = parseBody(body);
        if ("problem" in parsed) expect(parsed.problem).toMatch(/^The body /);
        else expect(parsed.value).toBeTypeOf("object");
      }),
      { numRuns: 500 },
    );
  });

  it("is never quoted if invalid, because it may contain a secret (D3 names the problem; the response is stored)", () => {
    for (const text of [
      "ac_Q7x2",
      "access_code=ac_Q7x2",
      '{"access_code": ac_Q7x2}',
      '{"access_code":"ac_Q7x2"',
      "{'access_code':'ac_Q7x2'}",
      '{"a":"ac_Q7x2\u0001"}',
    ]) {
      expect(problemOf(bytes(text)), text).not.toContain("Q7x2");
    }
  });
});

describe("a violation", () => {
  const operations: readonly Operation[] = [...partnerOperations, ...controlOperations];

  it("exists exactly if the value doesn't meet the declaration, and starts with its path or the body", () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), fc.jsonValue(), ({ id, request }, value) => {
        const problem = describeViolation(request, value);
        expect(problem === null, id).toBe(Check(request, value));
        if (problem !== null) expect(problem).toMatch(/^(the body|\/[a-z0-9_/]+) (must|is) /);
      }),
      { numRuns: 500 },
    );
  });

  it("is found for numbers beyond a float's range", () => {
    const huge = JSON.parse('{"seconds":1e999}') as unknown;
    const clockAdvance = operations.find(({ id }) => id === "clock.advance");
    expect(clockAdvance && describeViolation(clockAdvance.request, huge)).toMatch(/^\/seconds must be number/);
  });

  it("leaves the value unchanged: nothing is converted, dropped or added", () => {
    const value = {
      identity: { external: "1" },
      repairer_site_id: "0D5F3A2C-7E41-4B9A-9C35-1F2E3D4C5B6A",
      extra: { kept: [1] },
      claim_number: null,
    };
    const copy = structuredClone(value);
    expect(describeViolation(jobsInsert.request, value)).toBeNull();
    expect(value).toEqual(copy);
  });
});

it("D4, D14: a body is read as JSON only if its type says so and nothing encodes it", () => {
  const read = (contentType: string | undefined, contentEncoding?: string, text = "{}") => {
    const found = readBody({ body: bytes(text), contentType, contentEncoding }, "bad_request");
    return "value" in found ? "read" : found.why?.cause;
  };
  expect(["application/json", "Application/JSON; charset=utf-8"].map((type) => read(type))).toEqual(["read", "read"]);
  expect([read("text/plain"), read(undefined), read("text/plain", undefined, "")]).toEqual([
    ...["media_type", "read", "read"],
  ]);
  const encodings = ["", " ", "identity", " Identity ", "gzip", "identity, gzip"];
  expect(encodings.map((encoding) => read("application/json", encoding))).toEqual([
    ...["read", "read", "read", "read", "encoding", "encoding"],
  ]);
  expect(read("application/json", "gzip", "")).toBe("read");
  const fact = expect.stringContaining(`\`${"x".repeat(200)}\``);
  for (const refusal of [notJson("x".repeat(300), null), refuseEncoding("x".repeat(300))])
    expect(refusal?.why).toMatchObject({ fact, pointers: [] });
});
