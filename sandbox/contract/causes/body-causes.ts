import { BUYER, KEY, request } from "../cause-examples.ts";
import { at, type CauseTexts, type Row } from "./row.ts";

const CONVENTIONS = "Conventions that hold for every operation";
const json = (texts: CauseTexts) => at("json", null, CONVENTIONS, ["D3", "D4"], texts);

/** Refusals of a body that can’t be read, or of the wrong shape. */
export const bodyCauses = {
  shape: at("shape", null, "Endpoints", ["D3"], {
    sentence: "A field of the body is missing or invalid.",
    remedy: "Correct the named field and send the call again.",
    example: (_, example) => {
      const [field] = Object.keys(example);
      return field === undefined ? null : { body: { ...example, [field]: 0 } };
    },
  }),
  json_quotes: json({
    sentence: "JSON needs straight double quotes.",
    remedy: 'Put names and text in straight double quotes (`"`), or have a JSON library write the body.',
    example: () => ({ text: "{'identity': 1}" }),
  }),
  json_name: json({
    sentence: "JSON needs double quotes around names.",
    remedy: "Put every name in double quotes, or have a JSON library write the body.",
    example: () => ({ text: "{identity: 1}" }),
  }),
  json_comma: json({
    sentence: "A comma comes before the end of an object or a list.",
    remedy: "Remove the last comma.",
    example: () => ({ text: '{"identity": 1,}' }),
  }),
  json_comment: json({
    sentence: "JSON has no comments.",
    remedy: "Remove the comment.",
    example: () => ({ text: '{"identity": 1 // mine\n}' }),
  }),
  json_word: json({
    sentence: "The body has a word that isn’t valid in JSON.",
    remedy: "Write `true`, `false` and `null` in lower case. JSON has no `None`, `undefined` or `NaN`.",
    example: () => ({ text: '{"identity": None}' }),
  }),
  json_line: json({
    sentence: "A line ends inside a text.",
    remedy: "Write line breaks inside a text as `\\n`, or have a JSON library write the body.",
    example: () => ({ text: '{"identity": "two\nlines"}' }),
  }),
  json_escape: json({
    sentence: "A text has a character that JSON writes with a backslash.",
    remedy:
      'Inside a text, write `\\"` for a double quote, `\\\\` for a backslash and `\\t` for a tab, or have a JSON library write the body.',
    example: () => ({ text: '{"identity": "C:\\parts"}' }),
  }),
  json_number: json({
    sentence: "A number isn’t valid JSON.",
    remedy: "Write numbers in decimal digits, with a point and without leading zeros: `10`, `-1`, `1.5`.",
    example: () => ({ text: '{"identity": 01}' }),
  }),
  json_punctuation: json({
    sentence: "A comma, a colon or a bracket is missing or extra.",
    remedy: "Correct the body at this place, or have a JSON library write it.",
    example: () => ({ text: '{"identity": 1 "external": 2}' }),
  }),
  json_placeholder: json({
    sentence: "The body has a placeholder that was not filled in.",
    remedy: "Set the variable in your program or HTTP client, then send the call again.",
    example: () => ({ text: '{"identity": {{job}}}' }),
  }),
  json_printed: json({
    sentence: "The body is an object printed as text, not JSON.",
    remedy: "Encode the object as JSON before you send it, for example with `JSON.stringify` or `json.dumps`.",
    example: () => ({ text: "[object Object]" }),
  }),
  json_cut: json({
    sentence: "The body ends before its JSON does.",
    remedy: "Send the whole body, and a `Content-Length` that counts its bytes.",
    example: () => ({ text: '{"identity": {"external": "est' }),
  }),
  json_after: json({
    sentence: "Something comes before or after the JSON.",
    remedy: "Send one JSON object and nothing else.",
    example: () => ({ text: "{}{}" }),
  }),
  json_twice: json({
    sentence: "The body is JSON that was encoded twice.",
    remedy: "Encode the body once. Many HTTP clients do so themselves: hand them the object.",
    example: () => ({ text: '"{\\"identity\\": 1}"' }),
  }),
  json_form: json({
    sentence: "The body is an HTML form’s, not JSON.",
    remedy: "Send the body as JSON, with `Content-Type: application/json`.",
    example: () => ({ text: "identity=1&external=2" }),
  }),
  json_list: json({
    sentence: "The body is a JSON list, not an object.",
    remedy: "Send one JSON object. Send lists inside it, one call for each item where the operation takes one.",
    example: () => ({ body: [] }),
  }),
  json_encoding: json({
    sentence: "The body is not UTF-8.",
    remedy: "Send the body in UTF-8, uncompressed.",
    example: request("POST", "/api/2026-01/businesses.list", {
      headers: { authorization: `Bearer ${KEY}`, "service-integration-id": BUYER, "content-type": "application/json" },
      pipe: `printf '{"identity": "caf\\351"}'`,
    }),
  }),
  not_json: at("json", null, CONVENTIONS, ["D3", "D4"], {
    sentence: "The body is not a JSON object.",
    remedy: "Send one JSON object in UTF-8, nested at most 64 levels deep.",
    example: () => ({ text: "3" }),
  }),
  body_aborted: at("protocol", "bad_request", null, ["D91"], {
    sentence: "The connection was closed before the whole body arrived.",
    remedy:
      "Send as many bytes as `Content-Length` says: it counts bytes, not characters. If the client stopped by itself, allow it more time.",
    arises: "A client stops within the body, for example at its own timeout, or sends less than its `Content-Length`.",
  }),
  media_type: at("json", "unsupported_media_type", CONVENTIONS, ["D4"], {
    sentence: "`Content-Type` is not `application/json`.",
    remedy: "Write the fields as JSON, and send them with `Content-Type: application/json`.",
    example: () => ({ headers: { "content-type": "text/plain" } }),
  }),
  encoding: at("json", "unsupported_media_type", CONVENTIONS, ["D14"], {
    sentence: "The body is compressed or encoded.",
    remedy: "Send the body uncompressed, without a `Content-Encoding` header.",
    example: () => ({ headers: { "content-encoding": "gzip" } }),
  }),
} as const satisfies Readonly<Record<string, Row>>;
