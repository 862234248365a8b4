import { expect, it } from "vitest";
import { editWords } from "./edit-words.ts";

const told = "Send the body with `Content-Type: application/json`.";

it("says of an edit where it is, what to do there, and why where that is not told already", () => {
  const number = { in: "body", pointer: "/job_number", reason: "the number is another job’s" } as const;
  expect(editWords(number, told)).toBe("/job_number: leave it out (the number is another job’s)");
  expect(editWords({ ...number, after: null }, told)).toBe("/job_number: send null (the number is another job’s)");
  expect(editWords({ in: "headers", pointer: "/content-type", after: "application/json", reason: told }, told)).toBe(
    'content-type: send "application/json"',
  );
  expect(editWords({ in: "body", pointer: "", after: { a: 1 }, reason: "an object is sent" }, told)).toBe(
    "the whole body: an object is sent",
  );
});
