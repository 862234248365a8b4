import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { openDataFolder, rotateKeys } from "./data-folder.ts";

const folderOf = (): string => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const modeOf = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
const opened = (folder: string) => {
  const data = openDataFolder(folder);
  data.close();
  return data;
};

it.skipIf(process.platform === "win32")("restricts what others could read, and reports it once", () => {
  const folder = folderOf();
  expect(opened(folder).warning).toBeNull();
  for (const name of ["worlds", "unfinished"]) fs.mkdirSync(path.join(folder, name));
  fs.writeFileSync(path.join(folder, "template-21-9-0a1b.sqlite"), "");
  fs.chmodSync(folder, 0o755);
  for (const [name, mode] of [
    ["service.sqlite", 0o644],
    ["worlds", 0o755],
    ["unfinished", 0o755],
    ["template-21-9-0a1b.sqlite", 0o644],
  ] as const)
    fs.chmodSync(path.join(folder, name), mode);
  const { warning } = opened(folder);
  expect(warning).toContain(folder);
  const own = ["", "service.sqlite", "worlds", "unfinished", "template-21-9-0a1b.sqlite"];
  expect(own.map((name) => modeOf(path.join(folder, name)))).toEqual(["700", "600", "700", "700", "600"]);
  expect(opened(folder).warning).toBeNull();
});

it.skipIf(process.platform === "win32")("leaves a folder with foreign files open, but restricts its own files", () => {
  const folder = folderOf();
  fs.writeFileSync(path.join(folder, "notes.txt"), "", { mode: 0o644 });
  fs.chmodSync(path.join(folder, "notes.txt"), 0o644);
  fs.chmodSync(folder, 0o755);
  opened(folder);
  opened(folder);
  expect(["", "notes.txt", "service.sqlite"].map((name) => modeOf(path.join(folder, name)))).toEqual([
    "755",
    "644",
    "600",
  ]);
});

it("gives a stopped service a new control token and new signing keys", () => {
  const folder = folderOf();
  expect(() => rotateKeys(folder)).toThrow(/isn’t the data folder of a sandbox/);
  const { keys: before } = opened(folder);
  expect(opened(folder).keys).toEqual(before);
  const { control_token, upload_key } = rotateKeys(folder);
  expect(opened(folder).keys).toEqual({ control_token, upload_key });
  expect([control_token === before.control_token, upload_key === before.upload_key]).toEqual([false, false]);
  const running = openDataFolder(folder);
  expect(() => rotateKeys(folder)).toThrow(/is in use by/);
  running.close();
});
