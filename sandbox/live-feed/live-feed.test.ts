import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFeedWorld, EPOCH, range, START, turn } from "../testing/feed-world.ts";
import { RecordingReader } from "../testing/recording-reader.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const change = { entity: "job", id: "j", label: "line\nbreak 😀", change: "inserted", job_id: "j" } as const;

describe("a reader of the live feed", () => {
  it("first gets its world, the version and the last ID", async () => {
    const { connect, writeEntries } = createFeedWorld();
    expect(connect().messages).toEqual([
      { event: "ready", id: null, data: { world: "team", version: "1.2.3", last_id: START } },
    ]);
    await writeEntries(3);
    expect(connect(3).messages).toEqual([
      { event: "ready", id: null, data: { world: "team", version: "1.2.3", last_id: START + 3 } },
    ]);
  });

  it("without a last ID gets the newest fifty, then new entries", async () => {
    const { connect, writeEntries, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(60);
    const reader = connect();
    expect(reader.ids).toEqual(range(11, 60));
    await writeEntries(2);
    expect(reader.ids).toEqual(range(11, 62));
    expect(reader.events).toEqual(["ready", "world"]);
  });

  it("gets each entry as an event of its kind, with ID and data", async () => {
    const { world, connect } = createFeedWorld();
    const reader = connect();
    const data = { ...change, job_id: null, before: null, after: { note: "a\r\n\n: b" } };
    await world.write((append) => append("state", "trace", data));
    await turn();
    expect(reader.messages.at(-1)).toEqual({
      event: "state",
      id: START + 1,
      data: { id: START + 1, kind: "state", at: expect.stringMatching(/Z$/), trace_id: "trace", data },
    });
  });

  it("gets a change even if its rows can't be read", async () => {
    const { world, connect } = createFeedWorld();
    const reader = connect();
    vi.spyOn(world.stores.jobs, "get").mockImplementation(() => {
      throw new Error("disk I/O error");
    });
    await world.write((append) => append("state", null, { ...change, before: null, after: null }));
    await turn();
    expect(reader.messages.at(-1)).toMatchObject({ event: "state", data: { data: change } });
    expect(reader.messages.at(-1)?.data).not.toHaveProperty("data.job");
  });

  it("resumes after its last id without gaps or repeats, wherever it was cut off", async () => {
    const { connect, writeEntries, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(20);
    for (const last of [0, 1, 7, 19, 20]) {
      const reader = connect(last);
      const newest = reader.messages[0]?.data as { readonly last_id: number };
      await writeEntries(2);
      expect(reader.ids).toEqual(range(last + 1, newest.last_id - START + 2));
      expect(reader.events).not.toContain("reset");
    }
  });

  it("misses and repeats nothing that is written while it connects", async () => {
    const { connect, world } = createFeedWorld();
    const readers: RecordingReader[] = [];
    const writes = range(1, 30).map((count) => {
      const write = world.write((append) => append("world", null, { what: "clock" }));
      if (count % 5 === 0) readers.push(connect(0));
      return write.then(() => void (count % 7 === 0 && readers.push(connect(0))));
    });
    await Promise.all(writes);
    await turn();
    expect(readers.length).toBe(10);
    for (const reader of readers) expect(reader.ids).toEqual(range(1, 30));
  });

  it("gets the entries of one world only", async () => {
    const { connect, writeEntries, open } = createFeedWorld();
    const other = open("other");
    const [reader, elsewhere] = [connect(), connect(null, other)];
    await writeEntries(2);
    await writeEntries(1, other);
    expect([reader.ids, elsewhere.ids]).toEqual([[1, 2], [1]]);
  });

  it("gets nothing after it disconnected", async () => {
    const { feed, connect, writeEntries } = createFeedWorld();
    const [gone, still] = [connect(), connect()];
    feed.disconnect("team", gone);
    feed.disconnect("no such world", gone);
    await writeEntries();
    expect([gone.ids, still.ids]).toEqual([[], [1]]);
  });

  it("ends when the service stops, and gets nothing afterwards", async () => {
    const { feed, connect, writeEntries } = createFeedWorld();
    const reader = connect();
    feed.close();
    expect(reader.ended).toBe(true);
    await writeEntries();
    expect(reader.ids).toEqual([]);
  });

  it("ends with a reason if another node takes its world over", () => {
    const { feed, connect, open } = createFeedWorld();
    const [reader, elsewhere] = [connect(), connect(null, open("other"))];
    feed.end("team", "moved");
    expect([reader.ended, reader.messages.at(-1)]).toEqual([
      true,
      { event: "dropped", id: null, data: { reason: "moved" } },
    ]);
    expect(elsewhere.ended).toBe(false);
  });

  it("gets nothing of its world until that is on disk", async () => {
    const { world, connect, writeEntries } = createFeedWorld();
    await writeEntries();
    const stored = Promise.withResolvers<void>();
    const confirming = vi.spyOn(world, "confirming", "get").mockReturnValue(stored.promise);
    const reader = connect(0);
    expect(reader.text).toBe("");
    // Another change is under way by then.
    const next = Promise.withResolvers<void>();
    confirming.mockReturnValueOnce(null).mockReturnValueOnce(next.promise).mockReturnValue(null);
    stored.resolve();
    await turn();
    expect(reader.events).toEqual(["ready"]);
    next.resolve();
    await turn();
    expect([reader.events, reader.ids]).toEqual([["ready", "world"], [1]]);
  });

  it("gets nothing if it disconnects before its world is on disk, and is dropped if that fails", async () => {
    const { feed, world, connect, writeEntries } = createFeedWorld();
    await writeEntries();
    const [stored, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const confirming = vi.spyOn(world, "confirming", "get");
    confirming.mockReturnValue(stored.promise);
    const gone = connect(0);
    confirming.mockReturnValue(failed.promise);
    const still = connect(0);
    feed.disconnect("team", gone);
    confirming.mockReturnValue(null);
    stored.resolve();
    failed.reject(new Error("disk I/O error"));
    await turn();
    expect([gone.text, still.ended, still.messages]).toEqual([
      ...["", true, [{ event: "dropped", id: null, data: { reason: expect.stringMatching(/^the disk failed/) } }]],
    ]);
  });

  it("counts once for each world", () => {
    const { feed, connect, open } = createFeedWorld();
    const reader = connect();
    connect();
    connect(null, open("other"));
    expect(feed.readers).toBe(3);
    feed.disconnect("team", reader);
    expect(feed.readers).toBe(2);
  });

  it("gets only its world if it has missed nothing", async () => {
    const { connect, writeEntries } = createFeedWorld();
    await writeEntries();
    const write = vi.spyOn(RecordingReader.prototype, "write");
    connect(1);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("gets regular comments, so that it notices a broken connection", () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: EPOCH });
    const { feed, connect } = createFeedWorld();
    const reader = connect();
    const before = reader.messages;
    const comments = () => reader.text.split("\n\n").filter((block) => block.startsWith(":")).length;
    vi.advanceTimersByTime(14_999);
    expect(comments()).toBe(0);
    vi.advanceTimersByTime(15_001);
    expect(comments()).toBe(2);
    expect(reader.messages).toEqual(before);
    feed.close();
    expect([vi.getTimerCount(), feed.readers]).toEqual([0, 0]);
  });

  it("keeps no process running that has nothing else to do", () => {
    const begin = vi.spyOn(globalThis, "setInterval");
    createFeedWorld();
    expect(begin.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
  });

  it("gets large commits whole, in pages, and nothing that is empty", async () => {
    const { connect, writeInOneCommit } = createFeedWorld();
    const reader = connect();
    const write = vi.spyOn(reader, "write");
    await writeInOneCommit(200);
    expect(write).toHaveBeenCalledTimes(1);
    await writeInOneCommit(450);
    expect(reader.ids).toEqual(range(1, 650));
    expect(write).toHaveBeenCalledTimes(4);
  });

  it("gets no entries from before a restore", async () => {
    const { world, connect, writeInOneCommit } = createFeedWorld();
    const reader = connect();
    vi.spyOn(world.stores.log, "gaplessFrom").mockReturnValue(START + 2);
    await writeInOneCommit(3);
    expect(reader.ids).toEqual([3]);
  });

  it("is dropped with a reason if a new entry can't be read, and resumes later", async () => {
    const { world, connect, writeEntries } = createFeedWorld();
    const reader = connect();
    await writeEntries();
    vi.spyOn(world.stores.log, "after").mockImplementationOnce(() => {
      throw new Error("disk I/O error");
    });
    await writeEntries();
    expect([reader.ended, reader.messages.at(-1)]).toMatchObject([
      true,
      { event: "dropped", data: { reason: expect.stringMatching(/cannot be read now/) } },
    ]);
    expect(connect(1).ids).toEqual([2]);
  });
});

describe("after a reset of the world", () => {
  it("readers learn that their data is stale, then get new entries", async () => {
    const { feed, open, connect, writeEntries } = createFeedWorld();
    const reader = connect();
    await writeEntries(2);
    vi.setSystemTime(EPOCH + 1);
    const seeded = open();
    feed.reset("team", "the world was reset to the seed");
    await writeEntries(1, seeded);
    expect(reader.messages.slice(1).map(({ event, id }) => [event, id])).toEqual([
      ["world", START + 1],
      ["world", START + 2],
      ["reset", null],
      ["world", START + 1_001],
    ]);
    expect(reader.messages.find((message) => message.event === "reset")?.data).toEqual({
      reason: "the world was reset to the seed",
    });
  });

  it("a reader that was catching up gets only new entries", async () => {
    const { feed, open, connect, writeInOneCommit, writeEntries } = createFeedWorld();
    await writeInOneCommit(1_000);
    const reader = connect(0);
    reader.waiting = 256 * 1024 + 1;
    await turn();
    const shown = reader.ids.length;
    vi.setSystemTime(EPOCH + 1);
    const seeded = open();
    feed.reset("team", "the world was reset to the seed");
    await writeEntries(1, seeded);
    reader.drain();
    await turn();
    expect(reader.ids).toEqual([...range(1, shown), 1_001]);
  });

  it("an absent reader learns of it when it reconnects", async () => {
    const { open, connect, writeEntries } = createFeedWorld();
    await writeEntries(2);
    vi.setSystemTime(EPOCH + 1);
    const seeded = open();
    expect(connect(2, seeded).events).toContain("reset");
    await writeEntries(1, seeded);
    const late = connect(2, seeded);
    expect([late.events.includes("reset"), late.ids]).toEqual([true, [1_001]]);
    // IDs start at the creation time × 1,000, so one millisecond later is 1,000 IDs later.
    expect(connect(1_001, seeded).events).not.toContain("reset");
  });
});

describe("a slow reader", () => {
  const MEBIBYTE = 1024 * 1024;

  it("is dropped with a reason when more than 4 MiB wait, without affecting others", async () => {
    const { connect, writeEntries } = createFeedWorld();
    const [slow, fast] = [connect(), connect()];
    slow.waiting = 4 * MEBIBYTE;
    await writeEntries();
    expect(slow.ended).toBe(false);
    slow.waiting = 4 * MEBIBYTE + 1;
    await writeEntries();
    expect(slow.messages.at(-1)).toEqual({
      event: "dropped",
      id: null,
      data: { reason: expect.stringMatching(/too slowly/) },
    });
    expect([slow.ended, fast.ended]).toEqual([true, false]);
    await writeEntries();
    expect(fast.ids).toEqual([1, 2, 3]);
  });

  it("resumes after its last ID when it reconnects", async () => {
    const { connect, writeEntries } = createFeedWorld();
    const slow = connect();
    await writeEntries(2);
    slow.waiting = 5 * MEBIBYTE;
    await writeEntries();
    await writeEntries(2);
    const again = connect(slow.ids.at(-1) ?? 0);
    expect([...slow.ids, ...again.ids]).toEqual([1, 2, 3, 4, 5]);
    expect(again.events).not.toContain("reset");
  });
});
