import { expect, test } from "vitest";
import { restoredDraft } from "./draft.ts";

const initial = { number: "", provider: null as string | null };

test("what was written down comes back, field by field, and nothing else", () => {
  expect(restoredDraft(initial, { number: "J-1", provider: "p", other: "x" })).toEqual({
    number: "J-1",
    provider: "p",
  });
  expect(restoredDraft(initial, { number: 5, provider: null })).toEqual(initial);
  for (const stored of [null, undefined, "text", 7]) expect(restoredDraft(initial, stored)).toEqual(initial);
});
