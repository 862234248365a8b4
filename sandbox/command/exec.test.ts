import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder, testConfig } from "../testing/harness.ts";

/** A fake service, because these tests only check how the command is started. */
vi.mock("../service.ts", () => ({
  startService: () => Promise.resolve({ ready: { base_url: "http://127.0.0.1:9" }, stop: () => Promise.resolve() }),
}));

const asWindows = (env: Readonly<Record<string, string>>): void => {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
    vi.unstubAllEnvs();
  });
};

test.skipIf(process.platform === "win32")("on Windows, a script like npm.cmd is started by the shell", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  // Stands in for Windows' own shell and writes down what it was given.
  const shell = path.join(folder, "cmd");
  fs.writeFileSync(shell, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/given'\nexit 7\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, "npm.CMD"), "");
  asWindows({ PATH: `C:\\Windows;${folder}`, comspec: shell });
  const { exec } = await import("./exec.ts");
  expect(await exec(["--", "npm", "test", "--", 'two words "and" 50% & more'], () => testConfig(null))).toBe(7);
  const given = fs.readFileSync(path.join(folder, "given"), "utf8");
  expect(given).toBe(
    String.raw`/d
/s
/c
"npm ^"test^" ^"--^" ^"two^ words^ \^"and\^"^ 50^%^ ^&^ more^""
`,
  );
});
