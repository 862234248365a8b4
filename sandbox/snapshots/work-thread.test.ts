import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../storage/database.ts";
import { realTime, setRealTime } from "../storage/real-time.ts";
import { SettingsStore } from "../storage/settings-store.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { onThread } from "./work-thread.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.useRealTimers();
  setRealTime(null);
  fs.rmSync(folder, { recursive: true, force: true });
});

test("work during the end of an idle thread runs on another one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const file = path.join(folder, "world.sqlite");
  new Database(file, { durability: "off" }).close();
  const fold = () => onThread("fold", { file }, new AbortController().signal, () => undefined);
  expect(await fold()).toBeNull();
  vi.runAllTimers();
  expect(await fold()).toBeNull();
});

test("D98: a thread uses the time of its process", async () => {
  const [from, to] = [path.join(folder, "from.sqlite"), path.join(folder, "to.sqlite")];
  new Database(from, { durability: "off" }).close();
  setRealTime(Date.now() + 3_600_000);
  const [asked, name] = [realTime(), "acme"];
  await onThread("restore", { from, to, name }, new AbortController().signal, () => undefined);
  const restored = new Database(to, { durability: "off" });
  const at = new SettingsStore(restored).get("log_restored") / 1_000;
  restored.close();
  expect(at).toBeGreaterThanOrEqual(asked - 10);
  expect(at).toBeLessThan(asked + 20_000);
});
