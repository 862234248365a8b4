import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { buildOtherServices, UnknownCommitError } from "./other-commit.ts";

const SANDBOX = path.join(import.meta.dirname, "..");

it.each([
  ["bench/main.ts", ["--against", "nope"]],
  ["soak/main.ts", ["--cluster", "--against", "nope"]],
])("%s names an unknown commit in one sentence and ends with 2", async (main, args) => {
  const ended = promisify(execFile)(process.execPath, [path.join(SANDBOX, main), ...args]);
  await expect(ended).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: "There is no commit nope in this checkout. `git log --oneline` lists those there are.\n",
  });
});

it("builds nothing if any commit is unknown", async () => {
  const said: string[] = [];
  await expect(buildOtherServices(["HEAD", "nope"], (line) => said.push(line))).rejects.toThrow(UnknownCommitError);
  expect(said).toEqual([]);
});
