import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openWorld, startWorlds as start } from "../testing/started-worlds.ts";
import type { World } from "./world.ts";

const START = Date.UTC(2026, 0, 15, 12);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: START }));
afterEach(() => void vi.useRealTimers());

const appendEntry = (world: World): Promise<void> => world.write((append) => append("world", null, { what: "clock" }));
const idsIn = (world: World): number[] => world.stores.log.after(0, 10).map(({ id }) => id);
/** Advances time, as between two opens of a file. */
const pass = (): void => void vi.setSystemTime(Date.now() + 1);

describe("the IDs of a world's log", () => {
  it("continue after a reset, so that no reader sees an ID twice", async () => {
    const { worlds } = start();
    const before = openWorld(worlds, "team");
    for (let count = 0; count < 3; count += 1) await appendEntry(before);
    const last = before.stores.log.lastId();
    pass();
    await worlds.admin.reset("team");
    const after = openWorld(worlds, "team");
    await appendEntry(after);
    const ids = idsIn(after);
    expect(ids).toHaveLength(1);
    expect(ids.every((id) => id > last)).toBe(true);
    // Readers with an ID of the earlier world learn that they must start over.
    expect(after.stores.log.gaplessFrom()).toBeGreaterThan(last);
  });

  it("continue after closing and repeated resets", async () => {
    const first = start();
    const world = openWorld(first.worlds, "team");
    for (let count = 0; count < 3; count += 1) await appendEntry(world);
    const ids = [world.stores.log.lastId()];
    first.stop();
    pass();
    const { worlds } = start(first.data);
    for (let count = 0; count < 3; count += 1) {
      pass();
      await worlds.admin.reset("team");
      ids.push(openWorld(worlds, "team").stores.log.lastId());
    }
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });

  it("continue after reopening, and earlier entries remain", async () => {
    const first = start();
    await appendEntry(openWorld(first.worlds, "team"));
    const before = idsIn(openWorld(first.worlds, "team"));
    first.stop();
    pass();
    const world = openWorld(start(first.data).worlds, "team");
    await appendEntry(world);
    const [kept, added = 0, ...others] = idsIn(world);
    expect([[kept], others]).toEqual([before, []]);
    expect(added).toBeGreaterThan(kept ?? Number.POSITIVE_INFINITY);
    // The world is the same, so a reader of the first entry continues without a gap.
    expect(world.stores.log.gaplessFrom()).toBeLessThan(kept ?? 0);
  });

  it("continue after a world of the same name was deleted", async () => {
    const { worlds } = start();
    await appendEntry(openWorld(worlds, "team"));
    const [gone = Number.NaN] = idsIn(openWorld(worlds, "team"));
    await worlds.admin.remove("team");
    pass();
    const recreated = openWorld(worlds, "team");
    await appendEntry(recreated);
    const ids = idsIn(recreated);
    expect(ids).toHaveLength(1);
    expect(ids.every((id) => id > gone)).toBe(true);
    expect(recreated.stores.log.gaplessFrom()).toBeGreaterThan(gone);
  });
});
