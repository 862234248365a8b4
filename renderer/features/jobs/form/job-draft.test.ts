import { expect, it } from "vitest";
import { editIn, editsIn, noEdit } from "./job-draft.ts";

/** A draft after a reload. */
const reloaded = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it("a change that was begun comes back the same after a reload", () => {
  const draft = { edits: { claim: "LRM-2", images: "https://pictures.test/a.png" }, ifExists: "replace" } as const;
  expect(editIn(reloaded(draft))).toEqual(draft);
});

it("what was written down is kept as far as it fits", () => {
  const stored = { number: "J-2", plate: 1, providerId: null, images: ["a"], extra: "x" };
  expect(editsIn(stored)).toEqual({ number: "J-2" });
  for (const other of [null, 1, "x", [], {}]) expect(editIn(other)).toEqual(noEdit);
});
