import path from "node:path";
import { expect, test } from "vitest";
import { projectEnv } from "./project.mjs";

test("the project's own tools are found first, once, whatever the variable is called", () => {
  const bin = path.join("/checkout", "node_modules/.bin");
  const env = projectEnv("/checkout", { Path: ["/usr/bin", bin].join(path.delimiter), OTHER: "1" });
  expect(env).toEqual({ Path: [bin, "/usr/bin"].join(path.delimiter), OTHER: "1" });
});
