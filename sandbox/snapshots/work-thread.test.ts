import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Database } from "../storage/database.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { onThread } from "./work-thread.ts";

const folder = temporaryFolder();
afterEach(() => {
  vi.useRealTimers();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("work that comes while a thread that waited is ended is carried out by another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const file = path.join(folder, "world.sqlite");
  new Database(file, { durability: "off" }).close();
  const fold = () => onThread("fold", { file }, new AbortController().signal, () => undefined);
  expect(await fold()).toBeNull();
  vi.runAllTimers();
  expect(await fold()).toBeNull();
});
