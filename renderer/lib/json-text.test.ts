import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { laidOut, pointerAt, rangesIn, toPointer, withValue, writtenIn } from "./json-text.ts";
import { NumberText } from "./parsed-json.ts";

const text = `{
  "identity": { "external": "estimate:1" },
    "claim_number": "LRM-1",
  "images": ["a", "b"]
}`;

describe("a pointer", () => {
  it("names a path, and a place in the text leads back to it", () => {
    expect(toPointer(["a/b", 0, "~"])).toBe("/a~1b/0/~0");
    expect(pointerAt(text, text.indexOf("LRM"))).toBe("/claim_number");
    expect(pointerAt(text, text.indexOf('"b"') + 1)).toBe("/images/1");
  });
  it("leads to the field with its name, and to what lacks a missing one", () => {
    const { from, to } = rangesIn(text)("/claim_number");
    expect(text.slice(from, to)).toBe('"claim_number": "LRM-1"');
    const missing = rangesIn(text)("/identity/id");
    expect(text.slice(missing.from, missing.to)).toBe('"identity": {');
    expect(rangesIn("")("/a")).toEqual({ from: 0, to: 0 });
  });
});

describe("a text of which one value changes", () => {
  it("stays as it was written everywhere else", () => {
    expect(withValue(text, ["claim_number"], "LRM-2")).toBe(text.replace("LRM-1", "LRM-2"));
    expect(withValue(text, ["identity", "external"], "x")).toBe(text.replace("estimate:1", "x"));
    expect(withValue(text, ["images", 1], "c")).toBe(text.replace('"b"', '"c"'));
  });
  it("takes a new field in where it is declared, with the indent of the others", () => {
    const order = ["identity", "repairer_site_id", "claim_number", "images"];
    const written = withValue('{\n  "identity": {},\n  "images": []\n}', ["claim_number"], null, order);
    expect(written).toBe('{\n  "identity": {},\n  "claim_number": null,\n  "images": []\n}');
    expect(Object.keys(JSON.parse(withValue(text, ["repairer_site_id"], "s", order)))).toEqual(order);
  });
  it("loses a field, the first, the last and the only one, and stays JSON", () => {
    for (const name of ["identity", "claim_number", "images"])
      expect(JSON.parse(withValue(text, [name], undefined))).not.toHaveProperty(name);
    expect(JSON.parse(withValue('{"a":1}', ["a"], undefined))).toEqual({});
    expect(JSON.parse(withValue(text, ["images", 0], undefined)).images).toEqual(["b"]);
  });
  it("begins as an object where there was nothing, and makes what holds the field", () => {
    expect(JSON.parse(withValue("", ["a"], 1))).toEqual({ a: 1 });
    expect(JSON.parse(withValue("{}", ["vehicle", "plate_number"], "X"))).toEqual({ vehicle: { plate_number: "X" } });
  });
  it("takes a number as it is written, also one that no program's number is", () => {
    const field = '{\n  "parts": [{ "quantity": 1 }]\n}';
    for (const number of ["0.0", "0.05", "12345678901234567890", "1e400", "-0"]) {
      const written = withValue(field, ["parts", 0, "quantity"], new NumberText(number));
      expect(written).toBe(field.replace("1 }", `${number} }`));
      expect(writtenIn(written)(["parts", 0, "quantity"])).toBe(number);
    }
    expect(withValue("{}", ["a"], new NumberText("1e400"))).toBe('{\n  "a": 1e400\n}');
    expect(writtenIn(field)(["parts", 1])).toBeUndefined();
  });
  it("keeps what could mean something in JSON a text", () => {
    const hostile = '"}], <script>\n\\u0000 __proto__';
    expect(JSON.parse(withValue(text, ["claim_number"], hostile)).claim_number).toBe(hostile);
  });
});

describe("a text that is laid out", () => {
  it("is the same JSON, indented as usual, however it was spaced", () =>
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom("", "  ", "\t"), (json, indent) => {
        const value: unknown = JSON.parse(json);
        expect(JSON.parse(laidOut(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
      { numRuns: 40 },
    ));
  it("keeps numbers as they are written", () =>
    expect(laidOut('{"a":1.10,"b":[1e3,12345678901234567890]}')).toBe(
      '{\n  "a": 1.10,\n  "b": [\n    1e3,\n    12345678901234567890\n  ]\n}',
    ));
  it("keeps fields that stand there twice, and escapes as they are written", () =>
    expect(laidOut('{"a":1,"a":10.50,"\\u0061":"\\u00e9\\/"}')).toBe(
      '{\n  "a": 1,\n  "a": 10.50,\n  "\\u0061": "\\u00e9\\/"\n}',
    ));
  it("is what JSON.stringify writes of the same value", () => {
    const value = { a: [], b: {}, c: [1, { d: null }], e: "x y" };
    expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });
  it.each(["", "{", "a=1&b=2", "{} {}", "// a comment\n{}", "[1,]"])(
    "stays the same where it is no JSON: %j",
    (other) => expect(laidOut(other)).toBe(other),
  );
});
