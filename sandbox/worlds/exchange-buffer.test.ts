import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "../storage/database.ts";
import type { LogRow } from "../storage/log-store.ts";
import { answeredExchange } from "../testing/exchanges.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { BURST_BYTES } from "./exchange-buffer.ts";
import { World } from "./world.ts";

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

// Writing waits for the real end of a turn; when to write, and how much time passed, are the test's.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const WINDOW_MS = 25;
const LONG = 64 * 1024;
const BURST = BURST_BYTES / LONG;

const open = (file = path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite")) => {
  const published: LogRow[] = [];
  const troubled = vi.fn();
  const world = new World("team", new Database(file, { durability: "off" }), {
    published: (_, rows) => void published.push(...rows),
    troubled,
  });
  onTestFinished(() => world.close());
  let made = 0;
  return {
    file,
    world,
    published,
    troubled,
    /** So many exchanges are answered, all at once. @returns their ids, in order */
    answer: (count = 1, bytes = 1_024): string[] =>
      Array.from({ length: count }, () => {
        const id = `exchange ${++made}`;
        world.exchanges.add(answeredExchange(id, bytes));
        return id;
      }),
    flush: () => world.exchanges.flush(),
    /** Those in the file, oldest first. */
    kept: (): string[] => world.db.all<{ id: string }>("SELECT id FROM requests ORDER BY seq").map(({ id }) => id),
  };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("exchanges on their way into the file", () => {
  it("are written soon, many in one go, without anybody asking for them", async () => {
    const { world, answer, kept } = open();
    const writes = vi.spyOn(world, "write");
    const ids = answer(20);
    await turn();
    expect([kept(), writes.mock.calls.length]).toEqual([[], 0]);
    vi.advanceTimersByTime(WINDOW_MS);
    await turn();
    expect([kept(), writes.mock.calls.length]).toEqual([ids, 1]);
  });

  it("can all be read once they were flushed, whole and in the order in which they were answered", async () => {
    const { world, answer, flush, kept } = open();
    const ids = answer(1_234);
    await flush();
    expect(kept()).toEqual(ids);
    expect(world.stores.requests.get(ids[0] ?? "")).toMatchObject({ request_body: "{}", response_body: '{"id":1}' });
  });

  it("can all be read also by those who flush while others do", async () => {
    const { answer, flush, kept } = open();
    const seen = await Promise.all(
      [300, 0, 400].map(async (count) => {
        const upTo = answer(count).at(-1);
        await flush();
        return kept().includes(upTo ?? "exchange 300");
      }),
    );
    expect(seen).toEqual([true, true, true]);
  });

  it("are published once they are in the file, as they are listed, among what mutations did", async () => {
    const { world, published, answer, flush } = open();
    const change = () => world.write((append) => append("world", "a mutation", { what: "clock" }));
    const [first] = answer();
    await flush();
    await change();
    const [second] = answer();
    expect(published.map(({ trace_id }) => trace_id)).toEqual([first, "a mutation"]);
    await flush();
    expect(published.map(({ trace_id }) => trace_id)).toEqual([first, "a mutation", second]);
    expect(published).toEqual(world.stores.log.after(0, 10));
    const listed = world.stores.requests.ofTrace(second ?? "");
    expect([published[2]?.kind, JSON.parse(published[2]?.data ?? "")]).toEqual(["request", listed]);
  });
});

describe("a rush of exchanges", () => {
  it("is all kept up to so many bytes at once, and what comes too soon after them is not", async () => {
    const { answer, flush, kept, published } = open();
    const ids = answer(BURST + 50, LONG);
    await flush();
    expect(kept()).toEqual(ids.slice(0, BURST));
    expect(published.map(({ trace_id }) => trace_id)).toEqual(kept());
  });

  it("is kept in part, so many bytes a second, for as long as it goes on", async () => {
    const { answer, flush, kept } = open();
    answer(BURST, LONG);
    for (let passed = 0; passed < 2_000; passed += WINDOW_MS) {
      vi.advanceTimersByTime(WINDOW_MS);
      answer(10, LONG);
    }
    await flush();
    // 2 MiB a second for two seconds.
    expect(kept().length).toBe(BURST + 64);
  });

  it("is all kept again when it comes after a pause", async () => {
    const { answer, flush, kept } = open();
    answer(BURST + 50, LONG);
    vi.advanceTimersByTime(10_000);
    await flush();
    const ids = answer(BURST, LONG);
    await flush();
    expect(kept().slice(-BURST)).toEqual(ids);
  });
});

describe("a write of exchanges that fails", () => {
  it("is reported, and breaks nothing beside it or after it", async () => {
    const { world, troubled, answer, flush, kept } = open();
    const failure = new Error("no");
    vi.spyOn(world.stores.requests, "insert").mockImplementationOnce(() => {
      throw failure;
    });
    answer(3);
    const mutation = world.write((append) => append("world", null, { what: "clock" }));
    await flush();
    await mutation;
    expect([troubled.mock.calls, kept()]).toEqual([[[failure]], []]);
    expect(world.stores.log.after(0, 10)).toMatchObject([{ kind: "world" }]);
    const ids = answer(3);
    await flush();
    expect([kept(), troubled.mock.calls.length]).toEqual([ids, 1]);
  });
});

describe("closing a world", () => {
  it("writes the exchanges that wait and those that were handed over to be written", async () => {
    const { file, world, answer, flush, troubled } = open();
    const ids = answer(900);
    const flushing = flush();
    const later = answer(5);
    world.close();
    await flushing;
    expect(open(file).kept()).toEqual([...ids, ...later]);
    expect(troubled).not.toHaveBeenCalled();
  });

  it("takes no more of them", async () => {
    const { file, world, answer, flush } = open();
    world.close();
    answer(3);
    await flush();
    expect(open(file).kept()).toEqual([]);
  });
});
