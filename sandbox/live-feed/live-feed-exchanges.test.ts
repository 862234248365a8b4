import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "../storage/database.ts";
import { answeredExchange } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { RecordingReader } from "../testing/recording-reader.ts";
import { World } from "../worlds/world.ts";
import { LiveFeed } from "./live-feed.ts";

const EPOCH = 1_768_000_000_000;
const START = EPOCH * 1_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "performance"], now: EPOCH }));
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const feed = new LiveFeed("1.2.3");
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const db = new Database(path.join(folder, "world.sqlite"), { durability: "off" });
  db.epoch = EPOCH;
  const world = new World("team", db, {
    published: (from, entries) => feed.publish(from.name, entries),
    watched: (of) => feed.watched(of.name),
    troubled: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => {
    feed.close();
    world.close();
  });
  let made = 0;
  return {
    feed,
    world,
    answer: (count = 1): void => {
      for (let left = count; left > 0; left -= 1) world.exchanges.add(answeredExchange(`exchange ${++made}`));
    },
    mutate: () => world.write((append) => append("world", null, { what: "clock" })),
    settle: () => world.exchanges.settle(),
    /** @param lastId the id it knows, counted from the start */
    connect: (lastId: number | null = null): RecordingReader => {
      const reader = new RecordingReader(START);
      feed.connect(world, lastId === null ? null : START + lastId, reader);
      return reader;
    },
  };
};
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a reader that connects while exchanges are on their way into the file", () => {
  it("is shown each of them once, in order with what mutations told, whenever it connects", async () => {
    const { answer, mutate, settle, connect } = setUp();
    const readers: RecordingReader[] = [];
    const join = () => readers.push(connect(0));
    join();
    answer(300);
    join();
    const mutated = mutate();
    join();
    await mutated;
    join();
    // Answered when the exchanges that share its commit are in the file, and before anybody knows it.
    const beside = mutate().then(join);
    const settling = settle();
    for (let turns = 0; turns < 4; turns += 1) {
      join();
      answer(2);
      join();
      await turn();
    }
    answer(1);
    join();
    await Promise.all([settling, beside]);
    join();
    await mutate();
    await settle();
    join();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(readers.length).toBe(16);
    for (const reader of readers) {
      expect(reader.ids).toEqual(range(1, 312));
      expect(reader.events.toSorted()).toEqual(["ready", "request", "world"]);
    }
  });

  it("goes on after the last it saw, be it in the file or on its way there", async () => {
    const { answer, settle, connect } = setUp();
    answer(10);
    await settle();
    answer(10);
    for (const last of [0, 5, 9, 10, 11, 19, 20]) {
      const reader = connect(last);
      expect([reader.ids, reader.events.includes("reset")]).toEqual([range(last + 1, 20), false]);
    }
  });

  it("is shown the newest fifty of both when it knows none", async () => {
    const { answer, mutate, settle, connect } = setUp();
    answer(40);
    await mutate();
    await settle();
    answer(30);
    expect(connect().ids).toEqual(range(22, 71));
    answer(100);
    expect(connect().ids).toEqual(range(122, 171));
  });

  it("is told the last id there is, also of what is not in the file yet", () => {
    const { answer, connect } = setUp();
    answer(3);
    expect(connect(3).messages).toEqual([
      { event: "ready", id: null, data: { world: "team", version: "1.2.3", last_id: START + 3 } },
    ]);
  });

  it("is told to read everything anew when it missed too many, counting both", async () => {
    const { answer, settle, connect } = setUp();
    for (let round = 0; round < 2; round += 1) {
      answer(2_000);
      await settle();
      vi.advanceTimersByTime(10_000);
    }
    answer(1_000);
    const missed = connect(0);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    expect(missed.ids).toEqual(range(1, 5_000));
    vi.advanceTimersByTime(1_000);
    answer(1);
    const reader = connect(0);
    expect([reader.events, reader.ids]).toEqual([["ready", "reset", "request"], range(4_952, 5_001)]);
  });

  it("is shown an exchange as the control plane lists it, before and after it is in the file", async () => {
    const { world, answer, settle, connect } = setUp();
    answer();
    const before = connect(0).messages.at(-1);
    await settle();
    const after = connect(0).messages.at(-1);
    expect(after).toEqual(before);
    expect(after?.data).toMatchObject({ kind: "request", data: world.stores.requests.list({ limit: 1 }).rows[0] });
  });
});

describe("whether a world is watched", () => {
  it("follows its readers, one by one", () => {
    const { feed, world, connect } = setUp();
    expect(feed.watched("team")).toBe(false);
    const readers = [connect(), connect()];
    expect([feed.watched("team"), feed.watched("other")]).toEqual([true, false]);
    for (const reader of readers) {
      expect(feed.watched(world.name)).toBe(true);
      feed.disconnect("team", reader);
    }
    expect(feed.watched("team")).toBe(false);
  });
});
