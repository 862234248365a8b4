import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LiveEntry } from "../contract/live.ts";
import { Database } from "../storage/database.ts";
import { answeredExchange } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { BURST } from "./exchange-buffer.ts";
import { World } from "./world.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

// Writing waits for the real end of a turn; when to write, and how much time passed, are the test's.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const WINDOW_MS = 25;
/** Of those beyond a burst: at least so many of the newest, and less than twice as many. */
const NEWEST = 100;

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const published: LiveEntry[] = [];
  let readers = 0;
  const troubled = vi.fn();
  const world = new World("team", new Database(file, { durability: "off" }), {
    published: (_, entries) => void published.push(...entries),
    watched: () => readers > 0,
    troubled,
  });
  onTestFinished(() => world.close());
  const { log, requests } = world.stores;
  let made = 0;
  return {
    file,
    world,
    published,
    troubled,
    watch: () => {
      readers += 1;
    },
    /** So many exchanges are answered, all at once. @returns their ids, in order */
    answer: (count = 1): string[] =>
      Array.from({ length: count }, () => {
        const id = `exchange ${++made}`;
        world.exchanges.add(answeredExchange(id));
        return id;
      }),
    settle: () => world.exchanges.settle(),
    /** Those in the file, oldest first. */
    kept: (): string[] =>
      requests
        .list({ limit: 100_000 })
        .rows.map(({ id }) => id)
        .toReversed(),
    /** Those that are told after `id`, from the file and on the way there. */
    told: (id = 0): (string | null)[] => {
      const entries = new Map(
        [...log.page(id, 100_000).entries, ...world.exchanges.after(id)].map((entry) => [entry.id, entry]),
      );
      return [...entries.values()].sort((a, b) => a.id - b.id).map(({ trace_id }) => trace_id);
    },
  };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("exchanges on their way into the file", () => {
  it("are written soon, many in one go, without anybody asking for them", async () => {
    const { world, answer, kept } = open();
    const writes = vi.spyOn(world, "writeBehind");
    const ids = answer(20);
    await turn();
    expect([kept(), writes.mock.calls.length]).toEqual([[], 0]);
    vi.advanceTimersByTime(WINDOW_MS);
    await turn();
    await turn();
    expect([kept(), writes.mock.calls.length]).toEqual([ids, 1]);
  });

  it("can all be read once they were settled, whole and in the order in which they were answered", async () => {
    const { world, answer, settle, kept, told } = open();
    const ids = answer(1_234);
    await settle();
    expect([kept(), told()]).toEqual([ids, ids]);
    expect(world.exchanges.after(0)).toEqual([]);
    expect(world.stores.requests.get(ids[0] ?? "")).toMatchObject({ request_body: "{}", response_body: '{"id":1}' });
  });

  it("can all be read also by those who settle while others do", async () => {
    const { answer, settle, kept } = open();
    const seen = await Promise.all(
      [300, 1, 400].map(async (count) => {
        const upTo = answer(count).at(-1);
        await settle();
        return kept().includes(upTo ?? "");
      }),
    );
    expect(seen).toEqual([true, true, true]);
    await expect(settle()).resolves.toBeUndefined();
  });

  it("are told without a gap or a repeat at every moment until they are in the file", async () => {
    const { world, answer, settle, told, kept } = open();
    const start = world.stores.log.lastId();
    const ids = answer(700);
    let settled = false;
    const settling = settle().then(() => {
      settled = true;
    });
    const more = answer(50);
    const moments = new Set<number>();
    while (!settled) {
      moments.add(kept().length);
      expect(told()).toEqual([...ids, ...more]);
      expect(told(start + 699)).toEqual([ids.at(-1), ...more]);
      await turn();
    }
    await settling;
    expect(moments.size).toBeGreaterThan(2);
  });

  it("are published as they are answered, to whoever reads; nothing is worked out for nobody", () => {
    const { world, published, watch, answer } = open();
    const start = world.stores.log.lastId();
    const exchange = answeredExchange("unseen");
    const summary = vi.spyOn(exchange, "summary");
    world.exchanges.add(exchange);
    expect([published, summary.mock.calls.length]).toEqual([[], 0]);
    watch();
    answer(2);
    expect(published).toMatchObject([
      { id: start + 2, kind: "request", trace_id: "exchange 1", data: { id: "exchange 1" } },
      { id: start + 3, kind: "request", trace_id: "exchange 2", data: { id: "exchange 2" } },
    ]);
  });

  it("stand in the log among what mutations tell, in the order in which it happened", async () => {
    const { world, published, watch, answer, settle, told } = open();
    watch();
    const tell = () => world.write((append) => append("world", "a mutation", { what: "clock" }));
    const [first] = answer();
    await tell();
    const [second] = answer();
    await tell();
    await settle();
    expect(told()).toEqual([first, "a mutation", second, "a mutation"]);
    expect(published.map(({ trace_id }) => trace_id)).toEqual(told());
  });
});

describe("a rush of exchanges", () => {
  it("is all kept as long as it is a burst", async () => {
    const { answer, settle, kept } = open();
    const ids = answer(BURST);
    await settle();
    expect(kept()).toEqual(ids);
  });

  it("is kept beyond a burst in its newest", async () => {
    const { answer, settle, kept } = open();
    const ids = answer(BURST + 3_333);
    vi.advanceTimersByTime(10 * WINDOW_MS);
    await settle();
    const beyond = kept().slice(BURST);
    expect(kept().slice(0, BURST)).toEqual(ids.slice(0, BURST));
    expect(beyond).toEqual(ids.slice(-beyond.length));
    expect(beyond.length).toBeGreaterThanOrEqual(NEWEST);
    expect(beyond.length).toBeLessThan(2 * NEWEST);
  });

  it("is kept in part, so many a second and its newest, for as long as it goes on", async () => {
    const { answer, settle, kept } = open();
    answer(BURST);
    let last: string[] = [];
    for (let passed = 0; passed < 2_000; passed += WINDOW_MS) {
      last = answer(150);
      vi.advanceTimersByTime(WINDOW_MS);
      await turn();
    }
    await settle();
    const beyond = kept().slice(BURST);
    expect(beyond.slice(-NEWEST)).toEqual(last.slice(-NEWEST));
    expect(beyond.length).toBeGreaterThanOrEqual(900);
    expect(beyond.length).toBeLessThan(1_000 + 2 * NEWEST);
  });

  it("that is kept in part is known to be, here and in the file: whoever saw none of it has missed something", async () => {
    const { file, world, answer, settle } = open();
    const { log } = world.stores;
    const start = log.lastId();
    answer(BURST);
    expect(log.gaplessFrom()).toBeLessThanOrEqual(start);
    answer(3_333);
    const lost = log.gaplessFrom();
    expect(lost).toBeGreaterThan(start + BURST);
    expect(lost).toBeLessThan(log.lastId());
    await settle();
    world.close();
    expect(open(file).world.stores.log.gaplessFrom()).toBe(lost);
  });

  it("is all kept again when it comes after a pause, from its first on", async () => {
    const { answer, settle, kept } = open();
    answer(BURST + 1_000);
    vi.advanceTimersByTime(10 * WINDOW_MS);
    await settle();
    vi.advanceTimersByTime(10_000);
    const ids = answer(BURST);
    await settle();
    expect(kept().slice(-BURST)).toEqual(ids);
  });
});

describe("a write of exchanges that fails", () => {
  it("is told, and does not break those that follow", async () => {
    const { world, troubled, answer, settle, kept, told } = open();
    const failure = new Error("no");
    vi.spyOn(world.stores.requests, "insert").mockImplementationOnce(() => {
      throw failure;
    });
    answer(3);
    await settle();
    expect([troubled.mock.calls, kept(), told()]).toEqual([[[failure]], [], []]);
    expect(world.stores.log.gaplessFrom()).toBe(world.stores.log.lastId());
    const ids = answer(3);
    await settle();
    expect([kept(), troubled.mock.calls.length]).toEqual([ids, 1]);
  });

  it("takes nothing along of what is written apart from it", async () => {
    const { world, troubled, answer, settle, kept } = open();
    const broken = answeredExchange("broken");
    vi.spyOn(broken, "record").mockImplementation(() => {
      throw new Error("no");
    });
    world.exchanges.add(broken);
    answer(600);
    const mutation = world.write((append) => append("world", null, { what: "clock" }));
    await settle();
    await mutation;
    expect([kept().length > 300, troubled.mock.calls.length]).toEqual([true, 1]);
  });
});

describe("closing a world", () => {
  const reopened = (file: string): string[] => open(file).kept();

  it("writes the exchanges that wait", () => {
    const { file, world, answer } = open();
    const ids = answer(30);
    world.close();
    expect(reopened(file)).toEqual(ids);
  });

  it("writes those that were handed over to be written, wherever their writing was cut off", async () => {
    for (const turns of [0, 1, 2, 3]) {
      const { file, world, answer, settle, troubled } = open();
      const ids = answer(900);
      const settling = settle();
      const later = answer(5);
      for (let left = turns; left > 0; left -= 1) await turn();
      world.close();
      await settling;
      expect(reopened(file)).toEqual([...ids, ...later]);
      expect(troubled).not.toHaveBeenCalled();
    }
  });

  it("writes the newest of a rush", () => {
    const { file, world, answer } = open();
    const ids = answer(BURST + NEWEST);
    world.close();
    expect(reopened(file)).toEqual(ids);
  });

  it("takes no more of them, and has nothing left to settle", async () => {
    const { file, world, answer, settle } = open();
    world.close();
    answer(3);
    await settle();
    expect(reopened(file)).toEqual([]);
  });
});
