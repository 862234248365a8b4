import { expect, test } from "vitest";
import { refineOtherWorld } from "./refused-call.ts";

test.each([
  ["default", "went to default"],
  ["team", "names team"],
])("says what is in another world, and where a call to %s went", (named, words) => {
  const why = { cause: "job_unknown", pointers: [] };
  const elsewhere = { world: "other", fact: expect.stringContaining(words) };
  expect(refineOtherWorld(why, "The job", named, "other")).toEqual({ ...why, elsewhere });
  expect(refineOtherWorld(why, "The job", named, undefined)).toBe(why);
});
