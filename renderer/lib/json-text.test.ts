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
  it("names a path, and a position in the text leads back to it", () => {
    expect(toPointer(["a/b", 0, "~"])).toBe("/a~1b/0/~0");
    expect(pointerAt(text, text.indexOf("LRM"))).toBe("/claim_number");
    expect(pointerAt(text, text.indexOf('"b"') + 1)).toBe("/images/1");
  });
  it("leads to its field, or to the parent of a missing one", () => {
    const { from, to } = rangesIn(text)("/claim_number");
    expect(text.slice(from, to)).toBe('"claim_number": "LRM-1"');
    const missing = rangesIn(text)("/identity/id");
    expect(text.slice(missing.from, missing.to)).toBe('"identity": {');
    expect(rangesIn("")("/a")).toEqual({ from: 0, to: 0 });
  });
});

describe("a text with one changed value", () => {
  it("is unchanged everywhere else", () => {
    expect(withValue(text, ["claim_number"], "LRM-2")).toBe(text.replace("LRM-1", "LRM-2"));
    expect(withValue(text, ["identity", "external"], "x")).toBe(text.replace("estimate:1", "x"));
    expect(withValue(text, ["images", 1], "c")).toBe(text.replace('"b"', '"c"'));
  });
  it("gets a new field at its declared position, with the others' indent", () => {
    const order = ["identity", "repairer_site_id", "claim_number", "images"];
    const written = withValue('{\n  "identity": {},\n  "images": []\n}', ["claim_number"], null, order);
    expect(written).toBe('{\n  "identity": {},\n  "claim_number": null,\n  "images": []\n}');
    expect(Object.keys(JSON.parse(withValue(text, ["repairer_site_id"], "s", order)))).toEqual(order);
  });
  it("loses its first, last or only field and stays JSON", () => {
    for (const name of ["identity", "claim_number", "images"])
      expect(JSON.parse(withValue(text, [name], undefined))).not.toHaveProperty(name);
    expect(JSON.parse(withValue('{"a":1}', ["a"], undefined))).toEqual({});
    expect(JSON.parse(withValue(text, ["images", 0], undefined)).images).toEqual(["b"]);
  });
  it("starts as an object, and creates missing parents", () => {
    expect(JSON.parse(withValue("", ["a"], 1))).toEqual({ a: 1 });
    expect(JSON.parse(withValue("{}", ["vehicle", "plate_number"], "X"))).toEqual({ vehicle: { plate_number: "X" } });
  });
  it("keeps a number as written, even beyond floats", () => {
    const field = '{\n  "parts": [{ "quantity": 1 }]\n}';
    for (const number of ["0.0", "0.05", "12345678901234567890", "1e400", "-0"]) {
      const written = withValue(field, ["parts", 0, "quantity"], new NumberText(number));
      expect(written).toBe(field.replace("1 }", `${number} }`));
      expect(writtenIn(written)(["parts", 0, "quantity"])).toBe(number);
    }
    expect(withValue("{}", ["a"], new NumberText("1e400"))).toBe('{\n  "a": 1e400\n}');
    expect(writtenIn(field)(["parts", 1])).toBeUndefined();
  });
  it("escapes text that has a meaning in JSON", () => {
    const hostile = '"}], <script>\n\\u0000 __proto__';
    expect(JSON.parse(withValue(text, ["claim_number"], hostile)).claim_number).toBe(hostile);
  });
});

describe("a formatted text", () => {
  it("is the same JSON with standard indent", () =>
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom("", "  ", "\t"), (json, indent) => {
        const value: unknown = JSON.parse(json);
        expect(JSON.parse(laidOut(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
      { numRuns: 40 },
    ));
  it("keeps numbers as written", () =>
    expect(laidOut('{"a":1.10,"b":[1e3,12345678901234567890]}')).toBe(
      '{\n  "a": 1.10,\n  "b": [\n    1e3,\n    12345678901234567890\n  ]\n}',
    ));
  it("keeps repeated fields and escapes as written", () =>
    expect(laidOut('{"a":1,"a":10.50,"\\u0061":"\\u00e9\\/"}')).toBe(
      '{\n  "a": 1,\n  "a": 10.50,\n  "\\u0061": "\\u00e9\\/"\n}',
    ));
  it("equals the output of JSON.stringify", () => {
    const value = { a: [], b: {}, c: [1, { d: null }], e: "x y" };
    expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });
  it.each(["", "{", "a=1&b=2", "{} {}", "// a comment\n{}", "[1,]"])("is unchanged if it isn't JSON: %j", (other) =>
    expect(laidOut(other)).toBe(other),
  );
});
