import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../storage/database.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { dice, job } from "../testing/many-jobs.ts";
import { IndexKeeper } from "./index-keeper.ts";
import { World } from "./world.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const worldOf = (jobs: number): World => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  const world = new World("team", db, {
    published: () => undefined,
    watched: () => false,
    troubled: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => world.close());
  const roll = dice(jobs);
  db.handle.transaction(() => {
    for (let number = 1; number <= jobs; number += 1) world.stores.jobs.insert(job(number, roll));
  })();
  return world;
};
const begin = () => {
  const troubles: unknown[] = [];
  const keeper = new IndexKeeper((error) => troubles.push(error), { quietMs: 0, longestMs: 0 });
  onTestFinished(() => keeper.stop());
  return { keeper, troubles };
};
/** The work waits while the machine is busy with other tests. */
const PATIENCE = { timeout: 15_000 };
const turns = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("the index of a world", () => {
  it("is brought up to date behind a call, all of it, and the world is written to meanwhile", async () => {
    const world = worldOf(2_000);
    const { searched } = world.stores.jobs;
    const { keeper, troubles } = begin();
    keeper.called(world);
    await expect.poll(() => searched.progress()?.through ?? 0, PATIENCE).toBeGreaterThan(0);
    const roll = dice(1);
    for (let number = 3_000; number < 3_050; number += 1)
      await world.write(() => world.stores.jobs.insert(job(number, roll)));
    await expect.poll(() => searched.behind(), PATIENCE).toBe(0);
    expect([searched.total(), troubles]).toEqual([2_050, []]);
  }, 30_000);

  it("is not made for a list that is short", async () => {
    const world = worldOf(300);
    const { keeper } = begin();
    keeper.called(world);
    await turns(700);
    expect(world.stores.jobs.searched.progress()).toBeNull();
  });

  it("is left as it is when the world closes in the middle, or the service stops", async () => {
    const [closing, stopping] = [worldOf(3_000), worldOf(3_000)];
    const { keeper, troubles } = begin();
    keeper.called(closing);
    await expect.poll(() => closing.stores.jobs.searched.progress()?.through ?? 0, PATIENCE).toBeGreaterThan(0);
    closing.close();
    keeper.called(stopping);
    await expect.poll(() => stopping.stores.jobs.searched.progress()?.through ?? 0, PATIENCE).toBeGreaterThan(0);
    keeper.stop();
    await turns(50);
    const { through } = stopping.stores.jobs.searched.progress() ?? { through: 0 };
    await turns(50);
    expect([through < 3_000, stopping.stores.jobs.searched.progress()?.through, troubles]).toEqual([true, through, []]);
  }, 30_000);
});
