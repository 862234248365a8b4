import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { takeInstanceLock } from "./single-instance.ts";

test("a later instance is heard, and deleting the folder ends the lock without an error", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.prependListener("uncaughtException", note);
  const folder = mkdtempSync(path.join(os.tmpdir(), "single-instance-"));
  const heard: unknown[] = [];
  const lock = takeInstanceLock(folder, "first", ({ additionalData }) => heard.push(additionalData));
  expect(takeInstanceLock(folder, "second", () => {})).toBeNull();
  await vi.waitFor(() => expect(heard).toEqual(["second"]));

  rmSync(folder, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
  lock?.release();
  process.off("uncaughtException", note);
  expect(uncaught).toEqual([]);
});
