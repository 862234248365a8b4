import { describe, expect, it } from "vitest";
import { createSnapshotName, snapshotFolder, surplusCheckpoints, worldSnapshotsFolder } from "./snapshot-name.ts";

describe("the folder of a snapshot", () => {
  it("differs for names that differ only in case, and never leaves its parent", () => {
    expect([snapshotFolder("Before"), snapshotFolder("before"), snapshotFolder("..")]).toEqual([
      "+before.snapshot",
      "before.snapshot",
      "...snapshot",
    ]);
    expect(worldSnapshotsFolder("Team.1")).toBe("+team.1.snapshots");
  });
});

describe("the default name of a snapshot", () => {
  it("contains its kind and time, and is unique", () => {
    const at = Date.UTC(2026, 10, 21, 15, 49, 1, 20);
    const taken = new Set<string>();
    const next = () => {
      const name = createSnapshotName("before-reset", at, (one) => taken.has(one));
      taken.add(name);
      return name;
    };
    expect([next(), next(), next()]).toEqual([
      "before-reset-20261121-154901.020",
      "before-reset-20261121-154901.020-2",
      "before-reset-20261121-154901.020-3",
    ]);
  });
});

describe("checkpoints", () => {
  const limits = { ofAWorld: 2, bytesOfAWorld: 70, inAll: 4, bytesInAll: 100 };
  const checkpoint = (world: string, created_at: number, bytes = 1) => ({ world, created_at, bytes });
  const forgotten = (...all: ReturnType<typeof checkpoint>[]) =>
    surplusCheckpoints(all, limits).map(({ world, created_at }) => `${world}${created_at}`);

  it("are deleted above a number per world and in total, oldest first", () => {
    expect(forgotten(checkpoint("a", 1), checkpoint("a", 3), checkpoint("a", 2))).toEqual(["a1"]);
    expect(
      forgotten(checkpoint("a", 1), checkpoint("b", 2), checkpoint("c", 3), checkpoint("d", 4), checkpoint("e", 5)),
    ).toEqual(["a1"]);
  });

  it("of one world are limited in size without affecting others, and its newest stays", () => {
    expect(forgotten(checkpoint("b", 1, 40), checkpoint("a", 2, 40), checkpoint("a", 3, 40))).toEqual(["a2"]);
    expect(forgotten(checkpoint("b", 1, 10), checkpoint("a", 2, 80))).toEqual([]);
    expect(forgotten(checkpoint("a", 1, 35), checkpoint("a", 2, 35))).toEqual([]);
  });

  it("are limited in total size, but the newest stays", () => {
    expect(forgotten(checkpoint("a", 1, 40), checkpoint("b", 2, 50), checkpoint("c", 3, 60))).toEqual(["b2"]);
    expect(forgotten(checkpoint("a", 1, 1), checkpoint("b", 2, 500))).toEqual(["a1"]);
    expect(forgotten(checkpoint("a", 1, 50), checkpoint("b", 2, 50))).toEqual([]);
  });
});
