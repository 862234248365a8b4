import { expect, it } from "vitest";
import { editText } from "./edit-words.ts";

it("an edit says what to send or leave out, and gives a new reason", () => {
  const edit = { pointer: "/job_number", reason: "must be a string" };
  expect(editText({ ...edit, after: "7" }, "")).toBe('/job_number: send "7" (must be a string)');
  expect(editText(edit, "must be a string")).toBe("/job_number: leave it out");
});
