import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SlicedReads } from "./slices.ts";

const nobodyHangsUp = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Name of the read for each piece, in the order of work. */
let worked: string[];
beforeEach(() => {
  worked = [];
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => void vi.useRealTimers());

/** A read of several pieces that each take `ms`. */
const createRead = (name: string, pieces: number, ms: number) =>
  function* () {
    for (let piece = 0; piece < pieces; piece += 1) {
      worked.push(name);
      vi.advanceTimersByTime(ms);
      yield;
    }
    return name;
  };

/** Number of pieces in each of the next turns of the event loop. */
const countPieces = async (turns: number): Promise<number[]> => {
  const pieces: number[] = [];
  for (let left = turns; left > 0; left -= 1) {
    const before = worked.length;
    await turn();
    pieces.push(worked.length - before);
  }
  return pieces;
};

describe("long reads", () => {
  it("run one slice in each turn of the event loop, however many there are", async () => {
    const reads = new SlicedReads();
    const all = Array.from({ length: 100 }, () => reads.run("viewer", nobodyHangsUp, createRead("read", 4, 5)));
    expect(worked).toEqual([]);
    // Two pieces of 5 ms fill a slice of 8 ms; the third finds nothing left to do.
    const turns = await countPieces(300);
    expect(Math.max(...turns)).toBe(2);
    expect(turns.reduce((sum, one) => sum + one, 0)).toBe(400);
    expect(await Promise.all(all)).toEqual(Array(100).fill("read"));
  });

  it("of one caller alternate a few at a time, and the others wait", async () => {
    const reads = new SlicedReads();
    const all = Array.from({ length: 10 }, (_, index) =>
      reads.run("viewer", nobodyHangsUp, createRead(`${index}`, 3, 10)),
    );
    await Promise.all(all);
    expect(worked.slice(0, 12).join("")).toBe("012301230123");
    expect(worked.slice(12, 24).join("")).toBe("456745674567");
  });

  it("of one caller wait for one slice of each other caller only", async () => {
    const reads = new SlicedReads();
    const many = Array.from({ length: 50 }, () => reads.run("many", nobodyHangsUp, createRead("m", 3, 10)));
    const few = reads.run("few", nobodyHangsUp, createRead("f", 3, 10));
    await few;
    expect(worked.filter((name) => name === "m").length).toBeLessThanOrEqual(4);
    await Promise.all(many);
  });

  it("end at any point when the caller disconnects, even before they started", async () => {
    const reads = new SlicedReads();
    const gone = new AbortController();
    const all = ["begun", "waiting"].map((name) => reads.run(name, gone.signal, createRead(name, 100, 10)));
    const stays = reads.run("begun", nobodyHangsUp, createRead("stays", 2, 10));
    await turn();
    gone.abort(new Error("the caller has gone"));
    expect(await Promise.allSettled(all)).toEqual(
      Array(2).fill({ status: "rejected", reason: new Error("the caller has gone") }),
    );
    expect(await stays).toBe("stays");
    expect(worked).toEqual(["begun", "stays", "stays"]);
  });

  it("don't block others when they fail", async () => {
    const reads = new SlicedReads();
    const failing = reads.run("viewer", nobodyHangsUp, function* () {
      yield;
      throw new Error("the file is damaged");
    });
    const other = reads.run("viewer", nobodyHangsUp, createRead("other", 2, 10));
    await expect(failing).rejects.toThrow("the file is damaged");
    expect(await other).toBe("other");
  });
});
