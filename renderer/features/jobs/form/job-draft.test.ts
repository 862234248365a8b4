import { expect, it } from "vitest";
import { noEdit, parseEditDraft, parseEdits } from "./job-draft.ts";

/** A draft after a reload. */
const reloaded = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it("a stored edit survives a reload", () => {
  const draft = { edits: { claim: "LRM-2", images: "https://pictures.test/a.png" }, ifExists: "replace" } as const;
  expect(parseEditDraft(reloaded(draft))).toEqual(draft);
});

it("only valid parts of a stored edit are used", () => {
  const stored = { number: "J-2", plate: 1, providerId: null, images: ["a"], extra: "x" };
  expect(parseEdits(stored)).toEqual({ number: "J-2" });
  for (const other of [null, 1, "x", [], {}]) expect(parseEditDraft(other)).toEqual(noEdit);
});
