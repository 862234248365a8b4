import path from "node:path";
import { expect, test } from "vitest";
import { parseStartArguments } from "./arguments.mjs";

test.each([
  [["--data", "/d"], {}, "/d", []],
  [["--data=/d", "--log", "json"], {}, "/d", ["--log", "json"]],
  [["--port", "0"], { SANDBOX_DATA: "/from-env" }, "/from-env", ["--port", "0"]],
  [["--data", "/d"], { SANDBOX_DATA: "/from-env" }, "/d", []],
  [[], {}, null, []],
])("%j with %j keeps data in %s", (args, env, dataFolder, rest) => {
  expect(parseStartArguments(args, env)).toEqual({ dataFolder: dataFolder && path.resolve(dataFolder), rest });
});

test.each([[["--data"]], [["--data="]]])("%j is refused with a sentence", (args) => {
  expect(() => parseStartArguments(args, {})).toThrow("--data needs a folder after it.");
});
