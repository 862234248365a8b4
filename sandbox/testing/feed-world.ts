import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { LiveFeed } from "../live-feed/live-feed.ts";
import { Database } from "../storage/database.ts";
import { World } from "../worlds/world.ts";
import { temporaryFolder } from "./harness.ts";
import { RecordingReader } from "./recording-reader.ts";

/** Initial time of the tests. The logs of worlds opened then count their IDs from here. */
export const EPOCH = 1_768_000_000_000;
export const START = EPOCH * 1_000;

/** Waits one turn of the event loop, after which writes and their consequences are complete. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
export const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** A live feed of worlds without a service. Call when the clock is at {@link EPOCH}. */
export const createFeedWorld = (name = "team") => {
  const folder = temporaryFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const worlds = new Map<string, World>();
  const feed = new LiveFeed("1.2.3", (of, work) => {
    const opened = worlds.get(of);
    return opened?.db.handle.open ? work(opened) : undefined;
  });
  onTestFinished(() => feed.close());
  const open = (world = name): World => {
    const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), {
      durability: "off",
    });
    db.epoch = Date.now();
    const opened = new World(world, db, {
      onPublish: (from) => feed.publish(from),
      onError: (error) => expect.unreachable(String(error)),
    });
    worlds.set(world, opened);
    onTestFinished(() => opened.close());
    return opened;
  };
  const world = open();
  return {
    feed,
    world,
    open,
    /** Writes entries with a commit each. */
    writeEntries: async (count = 1, where = world): Promise<void> => {
      for (let left = count; left > 0; left -= 1)
        await where.write((append) => append("world", null, { what: "clock" }));
      await turn();
    },
    /** Writes entries in one commit. */
    writeInOneCommit: async (count: number, where = world): Promise<void> => {
      await where.write((append) => {
        for (let left = count; left > 0; left -= 1) append("world", null, { what: "clock" });
      });
      await turn();
    },
    /** @param lastId the last known ID, relative to the start */
    connect: (lastId: number | null = null, where = world): RecordingReader => {
      const reader = new RecordingReader(START);
      feed.connect(where, lastId === null ? null : START + lastId, reader);
      return reader;
    },
  };
};
