import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "redirect-page-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const ADDRESS = "http://127.0.0.1:1/#token=secret";
const program = (stays: boolean, after = ""): string[] => [
  "--input-type=module",
  "-e",
  `import { redirectPage } from ${JSON.stringify(pathToFileURL("build/lib/redirect-page.mjs").href)};
console.log(redirectPage(${JSON.stringify(ADDRESS)}, ${stays}));${after}`,
];
const env = () => ({ ...process.env, TMPDIR: folder, TEMP: folder });
const write = (stays: boolean): string =>
  execFileSync(process.execPath, program(stays), { encoding: "utf8", env: env() }).trim();
const age = (file: string): void => fs.utimesSync(path.dirname(file), new Date(0), new Date(0));

test("a page is deleted with its command, but stays for a browser if the command ends immediately", () => {
  expect(fs.existsSync(write(false))).toBe(false);
  const file = write(true);
  expect(fs.readFileSync(file, "utf8")).toContain(ADDRESS);
  if (process.platform !== "win32") expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  write(false);
  // A browser may not have read it yet.
  expect(fs.existsSync(file)).toBe(true);
  age(file);
  write(false);
  expect(fs.existsSync(path.dirname(file))).toBe(false);
});

test("the next command deletes the page of a killed command, not of a running one", async () => {
  const start = async () => {
    const child = spawn(process.execPath, program(false, "setInterval(() => {}, 1_000);"), { env: env() });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [file] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    age(file);
    return { child, file };
  };
  const [killed, running] = [await start(), await start()];
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  expect(fs.existsSync(killed.file)).toBe(true);
  write(false);
  expect([fs.existsSync(killed.file), fs.existsSync(running.file)]).toEqual([false, true]);
});
