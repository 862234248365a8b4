import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { policyChoices } from "../contract/control/policies.ts";
import { defaultRetention } from "../contract/control/world-operations.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { Database } from "./database.ts";
import { BadSettingError, type SettingName, SettingsStore, settings } from "./settings-store.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  const write = (key: string, value: string): void =>
    void db.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);
  return { file, db, write, store: new SettingsStore(db) };
};

describe("the settings of a world", () => {
  it("D30, D31, D42, D50, D51, D72, D76, D93: default to their first choice", () => {
    const { store } = open();
    expect(store.get("policies")).toEqual({
      jobs_insert_conflict: "reject",
      jobs_insert_unknown_id: "reject",
      part_ordered_on: "placed",
      confirm_when_confirmed: "ok",
      confirm_when_cancelled: "reject",
      webhook_retries: "standard",
      subscribe_credentials: "own_keys",
      test_values: "on",
    });
    expect(Object.keys(settings.policies.schema.properties)).toEqual(Object.keys(policyChoices));
    store.set("policies", { ...store.get("policies"), webhook_retries: "none" });
    expect(store.get("policies")).toMatchObject({ webhook_retries: "none", part_ordered_on: "placed" });
  });

  it("default to the first choice if missing in an older file", () => {
    const { store, write } = open();
    write("policies", JSON.stringify({ ...store.get("policies"), subscribe_credentials: undefined }));
    expect(store.get("policies")).toMatchObject({ webhook_retries: "standard", subscribe_credentials: "own_keys" });
  });

  it("have valid defaults", () => {
    const { store } = open();
    expect(() => store.check()).not.toThrow();
    expect([store.get("clock_offset"), store.get("faults"), store.get("retention")]).toEqual([0, [], defaultRetention]);
  });

  it("are stored in the world's file", () => {
    const { file, db, store } = open();
    db.epoch = 1_000;
    store.set("clock_offset", 3_155_760_000_000);
    db.close();
    const again = open(file);
    expect([again.db.epoch, again.store.get("clock_offset")]).toEqual([1_000, 3_155_760_000_000]);
  });

  const bad: readonly [SettingName, string][] = [
    ["epoch", "8640000000000001"],
    ["epoch", "-1"],
    ["epoch", '"today"'],
    ["clock_offset", "abc"],
    ["clock_offset", "NaN"],
    ["clock_offset", "0.5"],
    ["clock_offset", "253092211200001"],
    ["policies", '{"webhook_retries":"hourly"}'],
    ["policies", "null"],
    ["faults", "5"],
    ["faults", '[{"id":"x"}]'],
    ["faults", "[null]"],
    ["retention", '{"max_age_hours":0,"max_megabytes":1}'],
    ["retention", "[]"],
    ["own_addresses", '"nowhere"'],
    ["log_trimmed", "1e400"],
    ["log_trimmed", ""],
  ];
  it.each(bad)("D87: the setting %s can't be %s", (name, text) => {
    const { write, store } = open();
    write(name, text);
    expect(() => store.check()).toThrow(BadSettingError);
    expect(() => store.check()).toThrow(`its setting ${name} is invalid`);
  });
});
