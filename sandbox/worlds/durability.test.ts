import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { LostChangesError, NotDurableError } from "../storage/writer.ts";
import { delaySyncs, diskFailure } from "../testing/held-sync.ts";
import { newDataFolder, startWorlds } from "../testing/started-worlds.ts";
import type { World } from "./world.ts";
import type { Worlds } from "./worlds.ts";

const put = (worlds: Worlds, name: string, mark: string): Promise<void> =>
  worlds.use(name, (world) =>
    world.write((append) => {
      world.db.run("INSERT INTO meta (key, value) VALUES (?, '1')", mark);
      append("world", mark, { what: "clock" });
    }),
  );
const marksIn = ({ db }: World): string[] =>
  db.all<{ key: string }>("SELECT key FROM meta WHERE value = '1' AND key LIKE 'm%'").map(({ key }) => key);

const begin = () => {
  const published: string[] = [];
  const started = startWorlds(newDataFolder(), {
    durability: "full",
    listeners: {
      onPublish: (world) => {
        const last = world.stores.log.newest(1).map(({ trace_id }) => `${world.name} ${trace_id}`);
        published.push(...last.filter((one) => !published.includes(one)));
      },
      onError: vi.fn(),
      opened: () => undefined,
      removed: () => undefined,
      left: () => undefined,
      reset: () => undefined,
    },
  });
  const { worlds } = started;
  for (const name of ["one", "two"]) worlds.use(name, () => undefined);
  const syncs = delaySyncs();
  const state = (answer: Promise<unknown>): Promise<string> =>
    Promise.race([answer.then(() => "answered"), new Promise<string>((done) => setTimeout(done, 30, "waits"))]);
  return { ...started, syncs, published, state };
};

it("a change is confirmed and published once its world's log is on disk, independent of other worlds", async () => {
  const { worlds, syncs, published, state } = begin();
  const [one, two] = [put(worlds, "one", "m1"), put(worlds, "two", "m2")];
  await expect.poll(() => syncs.held.length).toBe(2);
  expect([await state(one), await state(two), published]).toEqual(["waits", "waits", []]);
  for (const sync of syncs.of(worlds.getFilePath("two"))) sync.end();
  expect([await state(one), await state(two), published]).toEqual(["waits", "answered", ["two m2"]]);
  for (const sync of syncs.of(worlds.getFilePath("one"))) sync.end();
  await one;
  expect(published).toEqual(["two m2", "one m1"]);
  syncs.restore();
});

it("changes during a sync share the next commit, and notes need no sync", async () => {
  const { worlds, syncs, state } = begin();
  const first = put(worlds, "one", "m1");
  await expect.poll(() => syncs.held.length).toBe(1);
  const later = [put(worlds, "one", "m2"), put(worlds, "one", "m3")];
  expect(await state(Promise.any(later))).toBe("waits");
  expect(worlds.withWorld("one", marksIn)).toEqual(["m1"]);
  syncs.held[0]?.end();
  await first;
  await expect.poll(() => syncs.held.length).toBe(2);
  expect(worlds.withWorld("one", marksIn)).toEqual(["m1", "m2", "m3"]);
  syncs.held[1]?.end();
  await Promise.all(later);
  await worlds.use("one", (world) => world.note((append) => append("world", "noted", { what: "clock" })));
  expect(syncs.held).toHaveLength(2);
  syncs.restore();
});

it("a world's content is shown only once it is on disk", async () => {
  const { worlds, syncs } = begin();
  const change = put(worlds, "one", "m1");
  await expect.poll(() => syncs.held.length).toBe(1);
  const seen: string[] = [];
  const read = worlds.lazily("one", false, (world) => marksIn(world())).then((marks) => seen.push(...marks));
  const listed = worlds.confirmed().then(() => seen.push("listed"));
  await new Promise((done) => setTimeout(done, 30));
  expect([seen, worlds.confirming("one"), worlds.confirming("two")]).toEqual([[], expect.any(Promise), null]);
  syncs.held[0]?.end();
  await Promise.all([change, read, listed]);
  expect(seen.toSorted()).toEqual(["listed", "m1"]);
  expect(worlds.confirming("one")).toBeNull();
  syncs.restore();
});

it("a failed sync fails its changes, and its world is reread from disk", async () => {
  const { worlds, syncs, published } = begin();
  const kept = put(worlds, "one", "m0");
  await expect.poll(() => syncs.held.length).toBe(1);
  syncs.held[0]?.end();
  await kept;
  const file = worlds.getFilePath("one");
  const onDisk = fs.statSync(`${file}-wal`).size;
  const before = worlds.use("one", (world) => world);
  const lost = put(worlds, "one", "m1");
  await expect.poll(() => syncs.held.length).toBe(2);
  const read = worlds.lazily("one", false, (world) => marksIn(world()));
  const behind = put(worlds, "one", "m2");
  // Simulates a failed disk that stored only zeros.
  const descriptor = fs.openSync(`${file}-wal`, "r+");
  fs.writeSync(descriptor, Buffer.alloc(fs.statSync(`${file}-wal`).size - onDisk), 0, undefined, onDisk);
  fs.closeSync(descriptor);
  syncs.held[1]?.end(diskFailure());
  const outcomes = await Promise.allSettled([lost, behind, read]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(LostChangesError) });
  syncs.restore();
  // The handle is not reused, because a second sync of it proves nothing.
  expect(await worlds.use("one", async (world) => [world === before, marksIn(world)])).toEqual([false, ["m0"]]);
  expect(before.db.handle.open).toBe(false);
  await put(worlds, "one", "m3");
  await put(worlds, "two", "m4");
  expect(worlds.withWorld("one", marksIn)).toEqual(["m0", "m3"]);
  expect(published).toEqual(["one m0", "one m3", "two m4"]);
});

it("a world reset after a failed sync is kept with its confirmed changes in one file", async () => {
  const { worlds, syncs } = begin();
  const confirmed = put(worlds, "one", "m0");
  await expect.poll(() => syncs.held.length).toBe(1);
  syncs.held[0]?.end();
  await confirmed;
  const working = Promise.withResolvers<void>();
  const lease = worlds.use("one", () => working.promise);
  const kept: (readonly [isLogged: boolean, mark: unknown])[] = [];
  const reset = worlds.admin.reset("one", (file) => {
    // Opened without its log.
    const alone = path.join(newDataFolder(), "alone.sqlite");
    fs.copyFileSync(file, alone);
    const copy = new Sqlite(alone);
    kept.push([fs.existsSync(`${file}-wal`), copy.prepare("SELECT key FROM meta WHERE key = 'm0'").pluck().get()]);
    copy.close();
    return () => undefined;
  });
  const lost = put(worlds, "one", "m1");
  await expect.poll(() => syncs.held.length).toBe(2);
  syncs.held[1]?.end(diskFailure());
  await expect(lost).rejects.toThrow(LostChangesError);
  working.resolve();
  await Promise.all([lease, reset]);
  syncs.restore();
  expect(kept).toEqual([[false, "m0"]]);
  expect(worlds.openNames()).toContain("one");
});

it("a disk that keeps failing keeps its world closed, and returns all acknowledged changes later", async () => {
  const { worlds, syncs } = begin();
  const sync = vi.spyOn(fs, "fsyncSync").mockImplementation(() => {
    throw diskFailure();
  });
  const lost = put(worlds, "one", "m1");
  await expect.poll(() => syncs.held.length).toBe(1);
  syncs.held[0]?.end(diskFailure());
  await expect(lost).rejects.toThrow(LostChangesError);
  syncs.restore();
  expect(() => worlds.use("one", () => undefined)).toThrow(NotDurableError);
  expect(() => worlds.use("one", () => undefined)).toThrow(NotDurableError);
  await put(worlds, "two", "m2");
  sync.mockRestore();
  await put(worlds, "one", "m3");
  expect(worlds.withWorld("one", marksIn)?.at(-1)).toBe("m3");
});

it.each<[how: string, end: (worlds: Worlds) => unknown, idleResetMs?: number]>([
  ["deleted", (worlds) => worlds.admin.remove("one")],
  ["made for a refused operation", (worlds) => worlds.lazily("new", true, (world) => world().name, Boolean)],
  ["idle", (worlds) => worlds.sweep(), 1],
])("a world that was %s is gone from the disk too", async (_how, end, idleResetMs = 3_600_000) => {
  const { worlds } = startWorlds(newDataFolder(), { durability: "full", idleResetMs });
  worlds.use("one", () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const steps: string[] = [];
  const { rmSync } = fs;
  vi.spyOn(fs, "rmSync").mockImplementation((...given) => {
    steps.push("delete");
    rmSync(...given);
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation(() => void steps.push("sync"));
  await end(worlds);
  expect([steps.includes("delete"), steps.at(-1)]).toEqual([true, "sync"]);
  steps.length = 0;
  worlds.sweep();
  expect(steps).toEqual([]);
});
