import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFeedWorld, EPOCH, range, START, turn } from "../testing/feed-world.ts";
import { RecordingReader } from "../testing/recording-reader.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const change = { entity: "job", id: "j", label: "line\nbreak 😀", change: "inserted", job_id: "j" } as const;

describe("a reader with a long gap", () => {
  it("gets up to five thousand missed rows, beyond that a reset", async () => {
    const { world, connect } = createFeedWorld();
    for (let left = 5_001; left > 0; left -= 1) void world.write((append) => append("world", null, { what: "clock" }));
    await turn();
    await turn();
    const replayed = connect(1);
    await vi.waitUntil(() => replayed.ids.length === 5_000, 20_000);
    expect([replayed.events, replayed.ids]).toEqual([["ready", "world"], range(2, 5_001)]);
    const outdated = connect(0);
    expect(outdated.messages.slice(0, 2)).toEqual([
      expect.objectContaining({ event: "ready" }),
      { event: "reset", id: null, data: { reason: expect.stringMatching(/no longer stored/) } },
    ]);
    expect(outdated.ids).toEqual(range(4_952, 5_001));
  });

  it("gets pages at its own speed, then new entries, without gaps or repeats", async () => {
    const { connect, writeEntries, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(5_000);
    const reader = connect(0);
    reader.waiting = 256 * 1024 + 1;
    await turn();
    const shown = reader.ids.length;
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect([shown > 0, shown < 5_000, reader.ids.length <= 2 * shown]).toEqual([true, true, true]);
    await writeEntries(3);
    expect(reader.ids.at(-1)).toBeLessThan(5_000);
    while (reader.ids.length < 5_000 + 3) {
      reader.drain();
      await turn();
    }
    await writeEntries(2);
    expect(reader.ids).toEqual(range(1, 5_000 + 5));
    expect(reader.events).toEqual(["ready", "world"]);
  });

  it("gets the next page at once while no more than 256 KiB wait", async () => {
    const { connect, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(500);
    const reader = connect(0);
    reader.waiting = 256 * 1024;
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(reader.ids).toEqual(range(1, 500));
  });

  it("gets no further page after it disconnected", async () => {
    const { feed, connect, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(5_000);
    const reader = connect(0);
    reader.waiting = 256 * 1024 + 1;
    await turn();
    const shown = reader.ids.length;
    feed.disconnect("team", reader);
    reader.drain();
    await turn();
    expect(reader.ids).toEqual(range(1, shown));
  });

  it("isn't dropped for the size of its first pages", async () => {
    const { feed, world, writeEntries } = createFeedWorld();
    const long = "x".repeat(200_000);
    await world.write((append) => {
      for (let count = 0; count < 50; count += 1)
        append("state", null, { ...change, after: { count, long }, before: null });
    });
    const reader = new RecordingReader(START);
    reader.waiting = 10_000_000;
    feed.connect(world, null, reader);
    expect(reader.text.length).toBeGreaterThanOrEqual(reader.waiting);
    await writeEntries();
    expect(reader.ended).toBe(false);
    reader.drain();
    await writeEntries();
    reader.waiting = 5 * 1024 * 1024;
    await writeEntries();
    expect([reader.ended, reader.messages.at(-1)?.event]).toEqual([true, "dropped"]);
  });

  it("is dropped with a reason if entries can't be read, and resumes later", async () => {
    const { world, connect, writeEntries } = createFeedWorld();
    await writeEntries(3);
    const broken = ["after", "newest"] as const;
    for (const method of broken)
      vi.spyOn(world.stores.log, method).mockImplementation(() => {
        throw new Error("disk I/O error");
      });
    for (const reader of [connect(1), connect()])
      expect([reader.ended, reader.messages.at(-1)]).toEqual([
        true,
        { event: "dropped", id: null, data: { reason: expect.stringMatching(/cannot be read now/) } },
      ]);
    vi.restoreAllMocks();
    expect(connect(1).ids).toEqual([2, 3]);
  });

  it("is ended if its world was closed meanwhile, so that it reconnects", async () => {
    const { world, connect, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(5_000);
    const reader = connect(0);
    reader.waiting = 1024 * 1024;
    await turn();
    world.close();
    reader.drain();
    expect(reader.ended).toBe(true);
    expect(reader.events).not.toContain("dropped");
  });

  it("gets a reset if its last ID doesn't exist in this world", async () => {
    const { connect, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(3);
    const reader = connect(1_000);
    expect([reader.events, reader.ids]).toEqual([
      ["ready", "reset", "world"],
      [1, 2, 3],
    ]);
  });
});

describe("many readers", () => {
  it("that reconnect at once all get all entries", async () => {
    const { writeEntries, connect, writeInOneCommit } = createFeedWorld();
    await writeInOneCommit(1_000);
    const readers = Array.from({ length: 20 }, () => connect(0));
    await vi.waitUntil(() => readers.every((reader) => reader.text.includes(`id: ${START + 1_000}\n`)), 20_000);
    await writeEntries(2);
    const [first, ...others] = readers;
    expect(first?.ids).toEqual(range(1, 1_002));
    for (const other of others) expect(other.text === first?.text).toBe(true);
  }, 30_000);
});
