import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Failure, MINUTE_MS } from "../rules/worlds/activity.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { ActivityLog } from "./activity-log.ts";
import { ACTIVITY_MS, type ActivityTable, MAX_ACTIVITY_ROWS } from "./activity-store.ts";
import { ServiceDatabase } from "./service-database.ts";

const NOW = Date.parse("2026-03-01T12:00:30.000Z");
const failure: Failure = {
  ...{ kind: "call", cause: "job_unknown", status: 404, integration_id: null, organization_name: null },
  ...{ side: null, user_agent: "acme/1", origin: "partner" },
};

const setUp = (wrap: (table: ActivityTable) => ActivityTable = (table) => table) => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
  const folder = temporaryFolder();
  const database = new ServiceDatabase(path.join(folder, "service.sqlite"));
  onTestFinished(() => {
    vi.useRealTimers();
    database.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const errors: unknown[] = [];
  const log = new ActivityLog(wrap(database.activity), (error) => errors.push(error));
  const note = (more: Partial<Failure> = {}, world = "one", at = Date.now()): void =>
    log.note({ world, at, id: `${at}`, operation: null, failure: { ...failure, ...more } });
  const rows = async () => (await log.rows({ world: null, from: 0 }, 0, 1_000_000)).map(({ seq: _seq, ...row }) => row);
  return { database, log, note, rows, errors };
};

it("counts equal failures of a minute in one row, written a second later", async () => {
  const { database, log, note, rows } = setUp();
  const add = vi.spyOn(database.activity, "add");
  for (let call = 0; call < 500; call += 1) note();
  note({}, "two");
  expect(add).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(add).toHaveBeenCalledTimes(1);
  note();
  await log.flush();
  const minute = Math.floor(NOW / MINUTE_MS) * MINUTE_MS;
  const last = { last_id: `${NOW + 1_000}`, last_at: NOW + 1_000, last_operation: null };
  expect(await rows()).toEqual([
    { minute, world: "one", failure, count: 501, ...last },
    { minute, world: "two", failure, count: 1, ...last, last_id: `${NOW}`, last_at: NOW },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  note();
  await log.flush();
  expect((await rows()).map(({ count }) => count)).toEqual([501, 1, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(add).toHaveBeenCalledTimes(3);
});

it("counts a program with ever-changing names as unknown from the 21st name on", async () => {
  const { log, note, rows } = setUp();
  for (let call = 0; call < 1_000; call += 1) note({ user_agent: `random/${call}` });
  note({ user_agent: "acme/1" }, "two");
  await log.flush();
  const all = await rows();
  expect(all).toHaveLength(22);
  expect(all.find(({ failure: { user_agent } }) => user_agent === null)?.count).toBe(980);
  expect(all.filter(({ world }) => world === "two").map(({ failure: { user_agent } }) => user_agent)).toEqual([
    "acme/1",
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  note({ user_agent: "new/1" });
  await log.flush();
  expect((await rows()).at(-1)?.failure.user_agent).toBe("new/1");
});

it("deletes a world's counts, including unwritten ones", async () => {
  const { log, note, rows } = setUp();
  for (const world of ["one", "two"]) note({}, world);
  await log.flush();
  note();
  log.deleteWorld("one");
  note({}, "two");
  await log.flush();
  expect((await rows()).map(({ world, count }) => [world, count])).toEqual([["two", 2]]);
});

it("keeps counts that the disk refuses, and writes them once", async () => {
  let full = true;
  const { log, note, rows, errors } = setUp((table) => ({
    add: (counted) => {
      if (full) throw new Error("no room");
      return table.add(counted);
    },
    rows: (...of) => table.rows(...of),
    dropped: () => table.dropped(),
    deleteWorld: (world) => table.deleteWorld(world),
    trim: (now) => table.trim(now),
    keep: (strays) => {
      if (full) throw new Error("no room");
      return table.keep(strays);
    },
    strays: () => table.strays(),
  }));
  note();
  await log.flush();
  note();
  await log.flush();
  expect(await rows()).toEqual([]);
  expect(errors).toHaveLength(2);
  full = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await rows()).map(({ count }) => count)).toEqual([2]);
});

it("drops rows older than a week, and knows from when it is complete after an overflow", async () => {
  const { database, log, note, rows } = setUp();
  note();
  await log.flush();
  await vi.advanceTimersByTimeAsync(ACTIVITY_MS + 2 * MINUTE_MS);
  note({}, "two");
  await log.flush();
  expect((await rows()).map(({ world }) => world)).toEqual(["two"]);
  expect(await log.wholeSince()).toBe(0);
  const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const of = { failure, count: 1, last_at: start, last_id: "x", last_operation: null };
  database.activity.add(
    Array.from({ length: MAX_ACTIVITY_ROWS + 10 }, (_, at) => ({
      ...of,
      world: `w${at}`,
      minute: start - (at < 20 ? 2 : 1) * MINUTE_MS,
    })),
  );
  database.activity.trim(Date.now());
  expect((await rows()).length).toBeLessThanOrEqual(MAX_ACTIVITY_ROWS);
  expect(await log.wholeSince()).toBe(start - MINUTE_MS);
});
