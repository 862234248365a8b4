import fc from "fast-check";
import { expect, it } from "vitest";
import { findBodyMistake, findJsonMistake } from "./json-mistake.ts";

it("finds none in JSON, however it is written", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, indent) => {
      expect(findJsonMistake(JSON.stringify(JSON.parse(text), null, indent))).toBeNull();
    }),
  );
});

it.each([
  ['{\n "a": 1,\n }', 3, 2],
  ['{\n "a": x}', 2, 7],
  ['{"a": ', 1, 7],
  ['["a" "b"]', 1, 6],
  ["nope", 1, 1],
  ["{} {}", 1, 4],
  ['{"a" 1}', 1, 6],
  ["[1,]", 1, 4],
  ["[}", 1, 2],
  ['["no end', 1, 2],
  ["", 1, 1],
])("finds it in %j", (text, line, column) => {
  expect(findJsonMistake(text)).toEqual({ line, column });
});

it.each([
  ["{1: 2}", "json_name"],
  ["{;}", "json_punctuation"],
  ['{"a": "x" "b": 1}', "json_punctuation"],
  ['{"a": true b: 1}', "json_punctuation"],
  ['{"a": "12" wide"}', "json_escape"],
])("names the mistake in %j", (text, cause) => {
  expect(findBodyMistake(Buffer.from(text)).cause).toBe(cause);
});
