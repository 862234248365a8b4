import fs from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { newFile } from "../testing/database-files.ts";
import { linkOrCopyFile } from "./sync.ts";

it("gives a file a second name, by copying without links, and keeps an existing one", () => {
  const from = newFile();
  const named = (name: string) => path.join(path.dirname(from), name);
  fs.writeFileSync(from, "content");
  linkOrCopyFile(from, named("linked"));
  expect(fs.statSync(named("linked")).ino).toBe(fs.statSync(from).ino);
  const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
    throw new Error("EPERM");
  });
  linkOrCopyFile(from, named("copied"));
  fs.writeFileSync(named("there"), "another");
  linkOrCopyFile(from, named("there"));
  expect(["copied", "there"].map((name) => fs.readFileSync(named(name), "utf8"))).toEqual(["content", "another"]);
  expect(fs.statSync(named("copied")).ino).not.toBe(fs.statSync(from).ino);
  expect(link).toHaveBeenCalledOnce();
});
