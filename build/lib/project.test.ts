import path from "node:path";
import { expect, test } from "vitest";
import { projectEnv } from "./project.mjs";

test("the project's own tools come first and once, whatever the case of PATH", () => {
  const bin = path.join("/checkout", "node_modules/.bin");
  const env = projectEnv("/checkout", { Path: ["/usr/bin", bin].join(path.delimiter), OTHER: "1" });
  expect(env).toEqual({ Path: [bin, "/usr/bin"].join(path.delimiter), OTHER: "1" });
});
