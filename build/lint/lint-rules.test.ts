import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../lib/command.mjs";

/** House rules that a linter can check: a file, its source, and the expected diagnostic (null: none). */
const CASES: readonly (readonly [file: string, source: string, diagnostic: string | null])[] = [
  ["sandbox/rules/now.ts", "export const now = Date.now();", "plugin"],
  ["sandbox/rules/today.ts", "export const today = new Date();", "plugin"],
  ["sandbox/rules/chance.ts", "export const chance = Math.random();", "plugin"],
  ["sandbox/rules/id.ts", "export const id = globalThis.crypto.randomUUID();", "plugin"],
  ["sandbox/rules/given.ts", "export const given = (now: number): Date => new Date(now);", null],
  ["sandbox/rules/clock.test.ts", "export const now = Date.now();", null],
  ["sandbox/worlds/clock.ts", "export const now = Date.now();", null],
  ["sandbox/worlds/hidden.ts", 'export type Hidden = import("./clock.ts").Clock;', "plugin"],
  ["sandbox/http/port.ts", "export const port = process.env.PORT;", "lint/style/noProcessEnv"],
  ["sandbox/config.ts", "export const port = process.env.PORT;", null],
  ["sandbox/http/log.ts", 'console.log("ready");', "lint/suspicious/noConsole"],
  ["electron/menu.ts", 'export { ipcMain } from "electron";', "lint/style/noRestrictedImports"],
  ["electron/ipc/handle.ts", 'import { ipcMain } from "electron";\nexport const handle = ipcMain.handle;', null],
  ["renderer/lib/any.ts", "export const any = (value: any): string => String(value);", "lint/suspicious/noExplicitAny"],
  ["renderer/lib/sure.ts", "export const sure = (value?: string): string => value!;", "lint/style/noNonNullAssertion"],
  ["renderer/lib/default.ts", "export default 1;", "lint/style/noDefaultExport"],
  ["renderer/lib/barrel.ts", 'export * from "./sure.ts";', "lint/performance/noBarrelFile"],
  ["renderer/lib/alt.tsx", 'export const Alt = () => <img src="a.png" />;', "lint/a11y/useAltText"],
  ["vite.config.ts", "export default {};", null],
];

let folder: string;
let found: Map<string, string[]>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "lint-")));
  cpSync("biome.json", path.join(folder, "biome.json"));
  cpSync("build/lint", path.join(folder, "build/lint"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"dependencies":{"electron":"1"}}');
  for (const [file, source] of CASES) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), source);
  }
  const biome = path.resolve("node_modules/@biomejs/biome/bin/biome");
  const flags = ["--vcs-enabled=false", "--reporter=github", "--max-diagnostics=none"];
  const { output } = await run(process.execPath, [biome, "lint", ...flags, "."], { cwd: folder, output: "keep" });
  found = new Map(CASES.map(([file]) => [file, []]));
  for (const [, title = "", file = ""] of output.matchAll(/^::error title=([^,]*),file=([^,]*),/gm))
    found.get(path.relative(folder, file))?.push(title);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(CASES.map(([file, , diagnostic]) => [file, diagnostic] as const))("%s gets %s", (file, diagnostic) => {
  if (diagnostic === null) expect(found.get(file)).toEqual([]);
  else expect(found.get(file)).toContain(diagnostic);
});
