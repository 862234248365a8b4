import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { openDataFolder, rotateControlToken } from "./data-folder.ts";

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

it.skipIf(process.platform === "win32")("closes what others could read to them, and says so once", () => {
  const folder = folderOf();
  expect(opened(folder).warning).toBeNull();
  fs.mkdirSync(path.join(folder, "worlds"));
  fs.chmodSync(folder, 0o755);
  for (const [name, mode] of [
    ["service.sqlite", 0o644],
    ["worlds", 0o755],
  ] as const)
    fs.chmodSync(path.join(folder, name), mode);
  const { warning } = opened(folder);
  expect(warning).toContain(folder);
  expect(["", "service.sqlite", "worlds"].map((name) => modeOf(path.join(folder, name)))).toEqual([
    "700",
    "600",
    "700",
  ]);
  expect(opened(folder).warning).toBeNull();
});

it.skipIf(process.platform === "win32")(
  "leaves a folder that has other things in it open, and closes its own files in it",
  () => {
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
  },
);

it("gives a stopped service another control token", () => {
  const folder = folderOf();
  expect(() => rotateControlToken(folder)).toThrow(/is no data folder/);
  const { controlToken } = opened(folder);
  rotateControlToken(folder);
  expect(opened(folder).controlToken).not.toBe(controlToken);
  const running = openDataFolder(folder);
  expect(() => rotateControlToken(folder)).toThrow(/is in use by/);
  running.close();
});
