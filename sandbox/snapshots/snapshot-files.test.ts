import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { filesIn, SnapshotFiles } from "./snapshot-files.ts";

const folder = (): string => {
  const made = temporaryFolder();
  onTestFinished(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
};
const summary = { jobs: 0, procurements: 0, credentials: 0, subscriptions: 0, clock_offset: 0, last_called_at: null };

/** Saves a snapshot whose world's file is this text. */
const save = (files: SnapshotFiles, text: string) => {
  const unfinished = filesIn(folder());
  fs.writeFileSync(unfinished.file, text);
  const about = { name: "a", world: "w", kind: "saved", before: null, created_at: 1, version: "1.0.0" } as const;
  return files.finish(unfinished, { ...about, summary });
};
const contentIn = (place: string): string => fs.readFileSync(filesIn(place).file, "utf8");
const contentOf = (files: SnapshotFiles): string => contentIn(files.filesOf("w", "a").folder);

it("a snapshot that is replaced is there, the earlier or the later, wherever a crash comes between", () => {
  const place = folder();
  const files = new SnapshotFiles(place, true);
  save(files, "earlier");
  const crashes: string[] = [];
  const rename = fs.renameSync;
  const renaming = vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    rename(from, to);
    const left = folder();
    fs.cpSync(place, left, { recursive: true });
    crashes.push(left);
  });
  save(files, "later");
  renaming.mockRestore();
  const found = crashes.map((left) => {
    const after = new SnapshotFiles(left, true);
    const names = after.all().map(({ name }) => name);
    return [names, contentOf(after), fs.readdirSync(path.join(left, "w.snapshots"))];
  });
  expect(found).toEqual([
    [["a"], "earlier", ["a.snapshot"]],
    [["a"], "later", ["a.snapshot"]],
  ]);
  expect(fs.readdirSync(path.join(place, "w.snapshots"))).toEqual(["a.snapshot"]);
});

it("a snapshot that the disk does not let replace stays", () => {
  const files = new SnapshotFiles(folder(), true);
  save(files, "earlier");
  const rename = fs.renameSync;
  const renaming = vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    if (contentIn(String(from)) === "later") throw new Error("full");
    rename(from, to);
  });
  onTestFinished(() => renaming.mockRestore());
  expect(() => save(files, "later")).toThrow("full");
  expect(contentOf(files)).toBe("earlier");
});
