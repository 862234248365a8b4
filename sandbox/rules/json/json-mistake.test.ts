import fc from "fast-check";
import { expect, it } from "vitest";
import { findBodyMistake, findJsonMistake } from "./json-mistake.ts";

it("finds none in valid JSON of any format", () => {
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

const bytes = (...values: number[]): Uint8Array => new Uint8Array([0x7b, ...values, 0x7d]);
it.each<[string | Uint8Array, string, RegExp]>([
  ["{“identity”: {}}", "json_quotes", /curly quotes \(line 1, column 2\)/],
  ["{`a`: 1}", "json_quotes", /not backticks/],
  ['{"a": abc}', "json_quotes", /double quotes around text/],
  ['{"a": 1 // mine\n}', "json_comment", /no comments \(line 1/],
  ["{identity: 1}", "json_name", /has no double quotes.*Windows shell removed them \(line 1, column 2\)/],
  ["{1: 2}", "json_name", /around names/],
  ["{;}", "json_punctuation", /`;` comes where a name is expected/],
  ['{"a": ;}', "json_punctuation", /`;` comes where a value is expected/],
  ['{"identity": None}', "json_word", /`None` is not valid in JSON/],
  ['{"a": "a\nb"}', "json_line", /line ends inside a text.* \(line 1, column 9\)/],
  ['{"a": "a\\\nb"}', "json_line", /line ends inside a text/],
  ['{"a": {"external": "x', "json_cut", /ends inside a text/],
  ['{"a": "x\\', "json_cut", /ends inside a text/],
  ['{"identity": {"external": "x"}', "json_cut", /ends before its JSON does/],
  ["nope", "not_json", /plain text, not JSON/],
  ["job.json", "not_json", /name of a file, not its content/],
  ["map[identity:map[external:x]]", "json_printed", /printed as text/],
  ["System.Collections.Generic.Dictionary`2[System.String,System.Object]", "json_printed", /printed as text/],
  ["Array", "json_printed", /printed as text/],
  ['%{identity: %{external: "x"}}', "json_printed", /printed as text/],
  ['{:identity=>{:external=>"x"}}', "json_printed", /printed as text/],
  ["{identity={external=x}}", "json_printed", /printed as text/],
  ["JobGet(identity=Identity(external='x'))", "json_printed", /printed as text/],
  ['```json\n{"identity": 1}\n```', "json_after", /text comes before the JSON/],
  ['{\u00a0"identity": 1}', "json_punctuation", /that isn’t shown, such as a no-break space/],
  ['var body = {"identity": 1};', "json_after", /text comes before the JSON/],
  ['Warning: Undefined variable $x in a.php\n{"identity": 1}', "json_after", /text comes before the JSON/],
  ["%7B%22identity%22%3A1%7D", "json_twice", /percent-encoded/],
  ["eyJpZGVudGl0eSI6MX0=", "json_twice", /Base64/],
  ["{&quot;identity&quot;: 1}", "json_twice", /escaped for HTML/],
  [new Uint8Array([0x1f, 0x8b, 0x08, 0x00]), "json_encoding", /compressed with gzip/],
  ["{}{}", "json_after", /after the end of the JSON/],
  ['{"a": 1 "b": 2}', "json_punctuation", /comma or a closing bracket is missing \(line 1, column 9\)/],
  ['{"a": "x" "b": 1}', "json_punctuation", /comma or a closing bracket is missing/],
  ['{"a": true b: 1}', "json_punctuation", /comma or a closing bracket is missing/],
  ["identity=x&repairer_site_id=y", "json_form", /form’s, not JSON/],
  ["--abc\r\nContent-Disposition: form-data", "json_form", /form’s, not JSON/],
  ["[]", "json_list", /JSON list, not an object/],
  ["null", "not_json", /body is `null`, not a JSON object/],
  ['"text"', "not_json", /JSON string, not an object/],
  ['"4"', "not_json", /JSON string, not an object/],
  ['{"quantity": 0x10}', "json_number", /number isn’t valid JSON/],
  ['{"quantity": +1}', "json_number", /number isn’t valid JSON/],
  ['{"price": 1,5}', "json_number", /with a point, not with a comma/],
  ['{"note": "12" bumper"}', "json_escape", /double quote .* \(line 1, column 15\)/],
  ['{"note": "C:\\parts"}', "json_escape", /backslash .* \(line 1, column 13\)/],
  ['{"note": "\\u00e9\\q"}', "json_escape", /backslash .* \(line 1, column 17\)/],
  ['{"note": "a\tb"}', "json_escape", /control character.* \(line 1, column 12\)/],
  ['{"identity" {}}', "json_punctuation", /colon after a name is missing/],
  ['{"identity"= {}}', "json_punctuation", /colon after a name is missing/],
  ['{"a": 1,, "b": 2}', "json_punctuation", /A comma comes where/],
  ['{"a": 1,]', "json_comma", /comma comes before the `]`/],
  ['{"a": {{job}}}', "json_placeholder", /was not filled in/],
  ["Array\n(\n)", "json_printed", /printed as text/],
  ["b'{}'", "json_printed", /printed as text/],
  ["identity:\n  external: x\n", "not_json", /YAML, not JSON/],
  ["<job/>", "not_json", /XML or HTML/],
  [bytes(0, 0x7d, 0), "json_encoding", /UTF-16/],
  [new Uint8Array([0, 0x7b, 0, 0x7d]), "json_encoding", /UTF-16/],
  [new Uint8Array([0xfe, 0xff, 0, 0x7b]), "json_encoding", /UTF-16/],
  [bytes(0x22, 0xe9, 0x22), "json_encoding", /not UTF-8/],
])("names the mistake in %j", (body, cause, fact) => {
  const found = findBodyMistake(typeof body === "string" ? Buffer.from(body) : body);
  expect(found).toMatchObject({ cause, fact: expect.stringMatching(fact) });
});
