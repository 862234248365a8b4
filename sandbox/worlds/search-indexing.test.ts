import fs from "node:fs";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { exchangeRecord } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { dice, job, openWithSuppliers } from "../testing/many-jobs.ts";
import { SearchIndexing } from "./search-indexing.ts";
import { type OpenWorlds, World } from "./world.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const open = (name: string, jobs: number): World => {
  const { db, stores } = openWithSuppliers(`${folder}/${name}.sqlite`);
  const roll = dice(1);
  for (let number = 0; number < jobs; number += 1) stores.jobs.insert(job(number, roll));
  return new World(name, db, { published: () => undefined, troubled: () => undefined });
};
const openOnes = (worlds: readonly World[]): OpenWorlds => ({
  openNames: () => worlds.filter(({ db }) => db.handle.open).map(({ name }) => name),
  lookIfOpen: (name, work) => {
    const found = worlds.find((world) => world.name === name && world.db.handle.open);
    return found && work(found);
  },
});
const waiting = ({ db }: World): number => db.get<{ n: number }>("SELECT count(*) AS n FROM unindexed")?.n ?? 0;
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
};

it("takes what waits into the index a hundred rows at a time, in every open world, and looks again for more", async () => {
  const worlds = [open("a", 250), open("b", 30)];
  const indexing = new SearchIndexing(openOnes(worlds), (error) => expect.unreachable(String(error)));
  const left: number[][] = [];
  for (let step = 0; step < 5; step += 1) {
    await pass(500);
    left.push(worlds.map(waiting));
  }
  expect(left[0]).not.toEqual([0, 0]);
  expect(left.at(-1)).toEqual([0, 0]);
  const [first] = worlds;
  first?.stores.jobs.insert(job(900, dice(2)));
  await pass(1_000);
  expect(worlds.map(waiting)).toEqual([0, 0]);
  indexing.stop();
  first?.stores.jobs.insert(job(901, dice(2)));
  await pass(5_000);
  expect(worlds.map(waiting)).toEqual([1, 0]);
  for (const world of worlds) world.close();
});

it("takes exchanges as well, a few at a time, when no mutation waits", async () => {
  const world = open("e", 150);
  for (let number = 0; number < 60; number += 1) world.stores.requests.insert(exchangeRecord(`exchange ${number}`));
  const indexed = (): number =>
    world.db.get<{ n: number }>("SELECT count(*) AS n FROM requests_search_docsize")?.n ?? 0;
  const indexing = new SearchIndexing(openOnes([world]), (error) => expect.unreachable(String(error)));
  const seen: [jobs: number, exchanges: number][] = [];
  for (let step = 0; step < 6; step += 1) {
    await pass(500);
    seen.push([waiting(world), indexed()]);
  }
  indexing.stop();
  for (const [jobs, exchanges] of seen) if (jobs > 0) expect(exchanges).toBe(0);
  expect(seen.at(-1)).toEqual([0, 60]);
  world.close();
});

it("leaves exchanges for later while many come", async () => {
  const world = open("f", 0);
  const come = (): void => {
    for (let number = 0; number < 60; number += 1) world.stores.requests.insert(exchangeRecord(crypto.randomUUID()));
  };
  const indexed = (): number =>
    world.db.get<{ n: number }>("SELECT count(*) AS n FROM requests_search_docsize")?.n ?? 0;
  const indexing = new SearchIndexing(openOnes([world]), (error) => expect.unreachable(String(error)));
  for (let step = 0; step < 4; step += 1) {
    come();
    await pass(500);
    expect(indexed()).toBe(0);
  }
  for (let step = 0; step < 24; step += 1) await pass(500);
  expect(indexed()).toBe(240);
  indexing.stop();
  world.close();
});

it("goes on after a world that cannot be written, which it tells", async () => {
  const worlds = [open("c", 5), open("d", 5)];
  const failures: unknown[] = [];
  const indexing = new SearchIndexing(openOnes(worlds), (error) => failures.push(error));
  const [world, other] = worlds;
  if (!world || !other) throw new Error("there is no world");
  vi.spyOn(world, "write").mockRejectedValueOnce(new Error("the disk is full"));
  await pass(500);
  expect([failures, waiting(world), waiting(other)]).toEqual([[new Error("the disk is full")], 5, 0]);
  await pass(500);
  expect(waiting(world)).toBe(0);
  indexing.stop();
  for (const one of worlds) one.close();
});
