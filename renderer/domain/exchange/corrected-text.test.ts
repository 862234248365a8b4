import { describe, expect, it } from "vitest";
import { correctedText } from "./corrected-text.ts";

const edit = (pointer: string, some: { before?: unknown; after?: unknown }) => ({ pointer, reason: "", ...some });

describe("a body with its proposed correction", () => {
  const text = '{"mileage":12345678901234567890,"price":10.50,"claim_numbr":"C-1"}';
  const body = { mileage: 12345678901234567000, price: 10.5, claim_number: "C-1" };
  const edits = [edit("/claim_number", { after: "C-1" }), edit("/claim_numbr", { before: "C-1" })];

  it("keeps the text of unedited values", () =>
    expect(correctedText(text, { body, edits })).toBe(
      '{\n  "mileage": 12345678901234567890,\n  "price": 10.50,\n  "claim_number": "C-1"\n}',
    ));

  it("keeps the text of a renamed value", () =>
    expect(
      correctedText('{"quantty":10.50}', {
        body: { quantity: 10.5 },
        edits: [edit("/quantity", { after: 10.5 }), edit("/quantty", { before: 10.5 })],
      }),
    ).toBe('{\n  "quantity": 10.50\n}'));

  it("is edited inside lists and under names with slashes", () =>
    expect(
      correctedText('{"parts":[{"a/b":1.0},{"a/b":2.0}]}', {
        body: { parts: [{ "a/b": 1 }, { "a/b": "two" }] },
        edits: [edit("/parts/1/a~1b", { before: 2, after: "two" })],
      }),
    ).toBe('{\n  "parts": [\n    {\n      "a/b": 1.0\n    },\n    {\n      "a/b": "two"\n    }\n  ]\n}'));

  it.each([
    ["of invalid JSON", "{", edit("", { after: { a: 1 } })],
    ["as a whole", "[]", edit("", { before: [], after: { a: 1 } })],
    ["where its edits lead elsewhere", '{"a":2,"a":3}', edit("/a", { before: 3, after: 1 })],
  ])("is the proposed one after one %s", (_, sent, only) =>
    expect(correctedText(sent, { body: { a: 1 }, edits: [only] })).toBe('{\n  "a": 1\n}'),
  );
});
