import { describe, expect, it, vi } from "vitest";
import { openMarkedFile } from "../testing/marked-file.ts";
import type { Database } from "./database.ts";
import { type Durability, NotDurableError, Undo } from "./writer.ts";

const FULL = 2;
const NORMAL = 1;

const setUp = () => {
  const opened = openMarkedFile("full");
  const { db } = opened;
  const waits = vi.spyOn(db, "waitForDisk");
  /** Whether commits wait for the disk at the moment. */
  const synchronous = () => db.handle.pragma("synchronous", { simple: true });
  return { ...opened, waits: () => waits.mock.calls.map(([wait]) => wait), synchronous };
};

/** How commits stand while each of these, submitted in one turn, is run. */
const whileRunning = async (db: Database, submit: (durability: Durability, run: () => void) => Promise<void>) => {
  const seen: unknown[] = [];
  const look = () => void seen.push(db.handle.pragma("synchronous", { simple: true }));
  return { seen, turn: (...batch: Durability[]) => Promise.all(batch.map((durability) => submit(durability, look))) };
};

describe("a change that need not be durable", () => {
  it("does not wait for the disk, and the durable ones after it do", async () => {
    const { db, writer, waits, synchronous } = setUp();
    const { seen, turn } = await whileRunning(db, (durability, run) => writer.submit(run, durability));
    await turn("lazy", "lazy");
    expect([seen, waits(), synchronous()]).toEqual([[NORMAL, NORMAL], [false, true], FULL]);
    await turn("durable");
    expect([seen.slice(2), waits(), synchronous()]).toEqual([[FULL], [false, true], FULL]);
  });

  it("waits with those it shares a commit with, wherever among them it stands", async () => {
    const { db, writer, waits } = setUp();
    const { seen, turn } = await whileRunning(db, (durability, run) => writer.submit(run, durability));
    await turn("lazy", "durable");
    await turn("durable", "lazy", "lazy");
    expect([seen, waits()]).toEqual([Array(5).fill(FULL), []]);
  });

  it("is in the file when it is answered, and read by those after it", async () => {
    const { writer, mark, marks } = setUp();
    expect(await writer.submit(() => mark("a"), "lazy")).toBe(1);
    expect(await writer.submit(() => marks())).toEqual(["a"]);
  });

  it("lets the next one wait again also when it failed, or was undone after it wrote", async () => {
    const { db, writer, mark, marks, waits, synchronous } = setUp();
    await expect(writer.submit(() => new Undo(mark("refused")), "lazy")).resolves.toBe(1);
    expect(synchronous()).toBe(FULL);
    vi.mocked(db.sql).mockImplementationOnce(() => {
      throw new Error("disk I/O error");
    });
    await expect(writer.submit(() => mark("a"), "lazy")).rejects.toThrow(NotDurableError);
    expect([synchronous(), waits(), marks()]).toEqual([FULL, [false, true, false, true], []]);
  });
});

describe("a change that is durable", () => {
  it("is on disk with every change before it once it is answered", async () => {
    const { writer, mark, durable } = setUp();
    await writer.submit(() => mark("lazy"), "lazy");
    await writer.submit(() => mark("durable"));
    expect(durable()).toEqual(["lazy", "durable"]);
  });
});

describe("a file that nobody keeps", () => {
  it("never waits for the disk, whatever is asked for", async () => {
    const { db, writer, mark } = openMarkedFile("off");
    await writer.submit(() => mark("a"), "lazy");
    await writer.submit(() => mark("b"));
    expect(db.handle.pragma("synchronous", { simple: true })).toBe(0);
  });
});
