import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "../storage/database.ts";
import { RecordingReader } from "../testing/recording-reader.ts";
import { World } from "../worlds/world.ts";
import { LiveFeed } from "./live-feed.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Ids count from here: the logs of worlds that are opened at the beginning of a test go on from it. */
const EPOCH = 1_768_000_000_000;
const START = EPOCH * 1_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const setUp = (name = "team") => {
  const feed = new LiveFeed("1.2.3");
  onTestFinished(() => feed.close());
  const open = (world = name): World => {
    const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), {
      durability: "off",
    });
    db.epoch = Date.now();
    const opened = new World(world, db, {
      published: (from, entries) => feed.publish(from.name, entries),
      watched: (of) => feed.watched(of.name),
      troubled: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const world = open();
  return {
    feed,
    world,
    open,
    /** Writes so many entries, a commit each. */
    happen: async (count = 1, where = world): Promise<void> => {
      for (let left = count; left > 0; left -= 1)
        await where.write((append) => append("world", null, { what: "clock" }));
    },
    /** Writes so many entries in one commit. */
    happenAtOnce: (count: number, where = world): Promise<void> =>
      where.write((append) => {
        for (let left = count; left > 0; left -= 1) append("world", null, { what: "clock" });
      }),
    /** @param lastId the id it knows, counted from the start */
    connect: (lastId: number | null = null, where = world): RecordingReader => {
      const reader = new RecordingReader(START);
      feed.connect(where, lastId === null ? null : START + lastId, reader);
      return reader;
    },
  };
};
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

describe("a reader of the live feed", () => {
  it("is first told which world and version it reads, and the last id there is", async () => {
    const { connect, happen } = setUp();
    expect(connect().messages).toEqual([
      { event: "ready", id: null, data: { world: "team", version: "1.2.3", last_id: START } },
    ]);
    await happen(3);
    expect(connect(3).messages).toEqual([
      { event: "ready", id: null, data: { world: "team", version: "1.2.3", last_id: START + 3 } },
    ]);
  });

  it("without a last id is shown the newest fifty, and then what happens", async () => {
    const { connect, happen, happenAtOnce } = setUp();
    await happenAtOnce(60);
    const reader = connect();
    expect(reader.ids).toEqual(range(11, 60));
    await happen(2);
    expect(reader.ids).toEqual(range(11, 62));
    expect(reader.events).toEqual(["ready", "world"]);
  });

  it("gets each entry as an event of its kind, with its id and itself as data", async () => {
    const { world, connect } = setUp();
    const reader = connect();
    const data = {
      entity: "job",
      id: "j",
      label: "line\nbreak 😀",
      change: "inserted",
      job_id: "j",
      before: null,
      after: { note: "a\r\n\n: b" },
    } as const;
    await world.write((append) => append("state", "trace", data));
    expect(reader.messages.at(-1)).toEqual({
      event: "state",
      id: START + 1,
      data: { id: START + 1, kind: "state", at: expect.stringMatching(/Z$/), trace_id: "trace", data },
    });
  });

  it("resumes after its last id without gaps or repeats, wherever it was cut off", async () => {
    const { connect, happen, happenAtOnce } = setUp();
    await happenAtOnce(20);
    for (const last of [0, 1, 7, 19, 20]) {
      const reader = connect(last);
      const newest = reader.messages[0]?.data as { readonly last_id: number };
      await happen(2);
      expect(reader.ids).toEqual(range(last + 1, newest.last_id - START + 2));
      expect(reader.events).not.toContain("reset");
    }
  });

  it("misses and repeats nothing of what is being written while it connects", async () => {
    const { connect, world } = setUp();
    const readers: RecordingReader[] = [];
    const writes = range(1, 30).map((turn) => {
      const write = world.write((append) => append("world", null, { what: "clock" }));
      if (turn % 5 === 0) readers.push(connect(0));
      return write.then(() => void (turn % 7 === 0 && readers.push(connect(0))));
    });
    await Promise.all(writes);
    expect(readers.length).toBe(10);
    for (const reader of readers) expect(reader.ids).toEqual(range(1, 30));
  });

  it("reads one world and nothing of another", async () => {
    const { connect, happen, open } = setUp();
    const other = open("other");
    const [reader, elsewhere] = [connect(), connect(null, other)];
    await happen(2);
    await happen(1, other);
    expect([reader.ids, elsewhere.ids]).toEqual([[1, 2], [1]]);
  });

  it("is sent nothing more once it has gone", async () => {
    const { feed, connect, happen } = setUp();
    const [gone, still] = [connect(), connect()];
    feed.disconnect("team", gone);
    feed.disconnect("no such world", gone);
    await happen();
    expect([gone.ids, still.ids]).toEqual([[], [1]]);
  });

  it("ends when the service stops", () => {
    const { feed, connect } = setUp();
    const reader = connect();
    feed.close();
    expect(reader.ended).toBe(true);
  });

  it("is sent a comment now and then, so that a broken connection is noticed", () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: EPOCH });
    const { connect } = setUp();
    const reader = connect();
    const before = reader.messages;
    vi.advanceTimersByTime(30_000);
    expect(reader.text.split("\n\n").filter((block) => block.startsWith(":")).length).toBeGreaterThanOrEqual(1);
    expect(reader.messages).toEqual(before);
  });
});

describe("a reader that missed too much", () => {
  it("is replayed up to five thousand entries, and told to read everything anew beyond that", async () => {
    const { connect, happenAtOnce } = setUp();
    await happenAtOnce(5_001);
    const replayed = connect(1);
    expect([replayed.events, replayed.ids]).toEqual([["ready", "world"], range(2, 5_001)]);
    const anew = connect(0);
    expect(anew.messages.slice(0, 2)).toEqual([
      expect.objectContaining({ event: "ready" }),
      { event: "reset", id: null, data: { reason: expect.stringMatching(/no longer kept/) } },
    ]);
    expect(anew.ids).toEqual(range(4_952, 5_001));
  });

  it("is told so when it knows an id this world never had", async () => {
    const { connect, happenAtOnce } = setUp();
    await happenAtOnce(3);
    const reader = connect(1_000);
    expect([reader.events, reader.ids]).toEqual([
      ["ready", "reset", "world"],
      [1, 2, 3],
    ]);
  });
});

describe("when a world is seeded anew", () => {
  it("its readers are told that all they know is stale, and go on with what happens then", async () => {
    const { feed, open, connect, happen } = setUp();
    const reader = connect();
    await happen(2);
    vi.setSystemTime(EPOCH + 1);
    const anew = open();
    feed.reset("team", "the world was seeded anew");
    await happen(1, anew);
    expect(reader.messages.slice(1).map(({ event, id }) => [event, id])).toEqual([
      ["world", START + 1],
      ["world", START + 2],
      ["reset", null],
      ["world", START + 1_001],
    ]);
    expect(reader.messages.find((message) => message.event === "reset")?.data).toEqual({
      reason: "the world was seeded anew",
    });
  });

  it("a reader that was away meanwhile is told when it comes back", async () => {
    const { open, connect, happen } = setUp();
    await happen(2);
    vi.setSystemTime(EPOCH + 1);
    const anew = open();
    expect(connect(2, anew).events).toContain("reset");
    await happen(1, anew);
    const late = connect(2, anew);
    expect([late.events.includes("reset"), late.ids]).toEqual([true, [1_001]]);
    expect(connect(1_001, anew).events).not.toContain("reset");
  });
});

describe("a reader that reads too slowly", () => {
  const MEBIBYTE = 1024 * 1024;

  it("is dropped with a reason once more than 4 MiB wait for it, and nobody else is", async () => {
    const { connect, happen } = setUp();
    const [slow, fast] = [connect(), connect()];
    slow.waiting = 4 * MEBIBYTE;
    await happen();
    expect(slow.ended).toBe(false);
    slow.waiting = 4 * MEBIBYTE + 1;
    await happen();
    expect(slow.messages.at(-1)).toEqual({
      event: "dropped",
      id: null,
      data: { reason: expect.stringMatching(/too slowly/) },
    });
    expect([slow.ended, fast.ended]).toEqual([true, false]);
    await happen();
    expect(fast.ids).toEqual([1, 2, 3]);
  });

  it("goes on from its last id when it connects again", async () => {
    const { connect, happen } = setUp();
    const slow = connect();
    await happen(2);
    slow.waiting = 5 * MEBIBYTE;
    await happen();
    await happen(2);
    const again = connect(slow.ids.at(-1) ?? 0);
    expect([...slow.ids, ...again.ids]).toEqual([1, 2, 3, 4, 5]);
    expect(again.events).not.toContain("reset");
  });
});
