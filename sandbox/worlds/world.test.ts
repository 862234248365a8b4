import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LiveEntry } from "../contract/live.ts";
import { Database } from "../storage/database.ts";
import { NotDurableError, Undo } from "../storage/writer.ts";
import { queueDelivery } from "../testing/started-worlds.ts";
import { World } from "./world.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const published: (readonly LiveEntry[])[] = [];
  const readers = { are: true };
  const db = new Database(file, { durability: "off" });
  const world: World = new World("team", db, {
    onPublish: (from) => {
      expect(from).toBe(world);
      expect(db.handle.inTransaction).toBe(false);
      const entries = world.stores.log.after(published.at(-1)?.at(-1)?.id ?? start, 100);
      if (entries.length > 0) published.push(entries);
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => world.close());
  const start = world.stores.log.lastId();
  return {
    file,
    db,
    world,
    published,
    readers,
    start,
    /** IDs of the published entries, relative to the start of the log. */
    ids: () => published.map((entries) => entries.map((entry) => entry.id - start)),
  };
};

/** Simulates a full disk: the file can grow by one page only. */
const fillDisk = (db: Database): void => {
  db.handle.pragma(`max_page_count = ${Number(db.handle.pragma("page_count", { simple: true })) + 1}`);
};
const writeMuch = (db: Database): void => {
  db.run("INSERT INTO meta (key, value) VALUES ('large', ?)", "x".repeat(100_000));
};

describe("a world's log", () => {
  it("is published in order once durable, one commit at a time", async () => {
    const { world, published, ids } = open();
    await Promise.all([
      world.write((append) => {
        append("world", "trace", { what: "clock" });
        append("world", "trace", { what: "policies" });
      }),
      world.write((append) => append("world", null, { what: "credentials" })),
      world.write(() => "nothing to tell"),
    ]);
    await world.write((append) => append("world", null, { what: "subscriptions" }));
    expect(ids()).toEqual([[1, 2, 3], [4]]);
    expect(published.flat()).toEqual(world.stores.log.after(0, 10));
    expect(published[0]?.[0]).toMatchObject({ kind: "world", trace_id: "trace", data: { what: "clock" } });
  });

  it("contains nothing that was undone or failed, and never reuses its numbers", async () => {
    const { world, ids } = open();
    const answers = await Promise.allSettled([
      world.write((append) => append("world", null, { what: "clock" })),
      world.write((append) => {
        append("world", null, { what: "policies" });
        return new Undo("refused");
      }),
      world.write((append) => {
        append("world", null, { what: "policies" });
        throw new Error("no");
      }),
      world.write((append) => append("world", null, { what: "clock" })),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(ids()).toEqual([[1, 4]]);
    expect(world.stores.log.after(0, 10).map(({ data }) => data)).toEqual([{ what: "clock" }, { what: "clock" }]);
  });

  it("contains a change once, by its stored IDs, even if it ran again", async () => {
    const { db, world, published, start } = open();
    await Promise.all([
      world.write((append) => append("world", "before", { what: "clock" })),
      world.write((append) => {
        append("world", "undone", { what: "policies" });
        db.run("INSERT INTO meta (key, value) VALUES ('mark', 'made')");
        return new Undo("refused");
      }),
      world.write((append) => append("world", "after", { what: "clock" })),
    ]);
    expect(published).toHaveLength(1);
    expect(published.flat().map((entry) => entry.trace_id)).toEqual(["before", "after"]);
    expect(published.flat()).toEqual(world.stores.log.after(start, 10));
    expect(db.get("SELECT 1 FROM meta WHERE key = 'mark'")).toBeUndefined();
  });

  it("contains nothing of a change whose entries couldn't be written, which is undone", async () => {
    const { db, world, published, start } = open();
    const { log } = world.stores;
    const insert = log.insert.bind(log);
    vi.spyOn(log, "insert").mockImplementation((seq, at, kind, traceId, data, isAnswered) => {
      if (traceId === "refused") throw new Error("no");
      insert(seq, at, kind, traceId, data, isAnswered);
    });
    const refused = world.write((append) => {
      db.run("INSERT INTO meta (key, value) VALUES ('mark', 'made')");
      append("world", "written", { what: "clock" });
      append("world", "refused", { what: "clock" });
    });
    const neighbour = world.write((append) => append("world", "neighbour", { what: "clock" }));
    await expect(refused).rejects.toThrow("no");
    await neighbour;
    expect(published.flat().map((entry) => entry.trace_id)).toEqual(["neighbour"]);
    expect(log.after(start, 10)).toEqual(published.flat());
    expect(db.get("SELECT 1 FROM meta WHERE key = 'mark'")).toBeUndefined();
  });

  it("contains nothing of a failed commit, even later", async () => {
    const { db, world, published, ids, start } = open();
    fillDisk(db);
    const answers = await Promise.allSettled([
      world.write((append) => append("world", null, { what: "clock" })),
      world.write(() => writeMuch(db)),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ reason: expect.any(NotDurableError) });
    expect(ids()).toEqual([]);
    await world.write((append) => append("world", null, { what: "policies" }));
    expect(published.flat()).toMatchObject([{ data: { what: "policies" } }]);
    expect(world.stores.log.after(start, 10)).toEqual(published.flat());
  });
});

describe("a world's clock and settings", () => {
  it("D84: its clock is real time plus its offset", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_768_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { world } = open();
    expect([world.now(), world.clockOffset]).toEqual([1_768_000_000_000, 0]);
    await world.write(() => world.stores.settings.set("clock_offset", 90_000));
    world.reread();
    expect([world.now(), world.clockOffset]).toEqual([1_768_000_090_000, 90_000]);
    vi.setSystemTime(1_768_000_001_000);
    expect(world.now()).toBe(1_768_000_091_000);
  });

  it("are read when the file is opened", async () => {
    const { file, world } = open();
    await world.write(() => {
      world.stores.settings.set("clock_offset", 5_000);
      world.stores.settings.set("policies", { ...world.policies, webhook_retries: "none" });
    });
    world.close();
    const again = open(file).world;
    expect([again.clockOffset, again.policies.webhook_retries]).toEqual([5_000, "none"]);
  });

  it("return to the file's values when a change can't be made durable", async () => {
    const { db, world } = open();
    fillDisk(db);
    const failed = world.write(() => {
      world.stores.settings.set("clock_offset", 5_000);
      world.reread();
      writeMuch(db);
    });
    await expect(failed).rejects.toThrow(NotDurableError);
    expect([world.clockOffset, world.stores.settings.get("clock_offset")]).toEqual([0, 0]);
  });
});

it("a world's next work is its earlier delivery or act, by real time", async () => {
  const { world } = open();
  const at = Date.now();
  const moments = (): unknown[] => [world.nextWorkAt(), world.nextDueAt(), world.nextActAt()];
  expect(moments()).toEqual([null, null, null]);
  await world.write(() => {
    world.stores.settings.set("clock_offset", 90_000);
    world.reread();
    world.stores.acts.insert({ kind: "notify", due_at: at + 95_000, organization_id: "o", event_seq: 1 });
  });
  expect(moments()).toEqual([at + 5_000, null, at + 5_000]);
  await queueDelivery(world, at + 2_000);
  expect(moments()).toEqual([at + 2_000, at + 2_000, at + 5_000]);
});

describe("closing a world", () => {
  it("writes, publishes and confirms waiting changes, then accepts no more", async () => {
    const { file, world, ids, published } = open();
    const waiting = world.write((append) => append("world", null, { what: "clock" }));
    world.close();
    world.close();
    await waiting;
    expect([world.db.handle.open, ids()]).toEqual([false, [[1]]]);
    await expect(world.write(() => "late")).rejects.toThrow();
    expect(open(file).world.stores.log.newest(10)).toEqual(published.flat());
  });
});
