import path from "node:path";
import { expect, test } from "vitest";
import { nodeTooOld, projectEnv } from "./project.mjs";

test.each(["20.19.0", "20.20.2", "22.0.0", "24.21.0", "26.0.0"])("Node %s is new enough", (version) => {
  expect(nodeTooOld(version)).toBeNull();
});

test.each(["14.0.0", "18.20.4", "20.18.9"])("Node %s is refused in a sentence that says what to do", (version) => {
  expect(nodeTooOld(version)).toMatch(new RegExp(`needs Node 20.19 or newer, and this is Node ${version}: install`));
});

test("the project's own tools are found first, once, whatever the variable is called", () => {
  const bin = path.join("/checkout", "node_modules/.bin");
  const env = projectEnv("/checkout", { Path: ["/usr/bin", bin].join(path.delimiter), OTHER: "1" });
  expect(env).toEqual({ Path: [bin, "/usr/bin"].join(path.delimiter), OTHER: "1" });
});
