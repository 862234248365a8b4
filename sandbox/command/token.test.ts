import { expect, test, vi } from "vitest";
import { token } from "./token.ts";

test("the control token of several nodes is not replaced in a data folder, which they have none of", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await token(["rotate"], { SANDBOX_CLUSTER: "postgres://me:secret@db/box" })).toBe(1);
  expect(said.mock.calls.join("")).toMatch(/DELETE FROM sandbox_settings/);
  expect(said.mock.calls.join("")).not.toContain("secret");
});
