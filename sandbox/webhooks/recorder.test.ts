import { describe, expect, it, onTestFinished, vi } from "vitest";
import { NotDurableError } from "../storage/writer.ts";
import { DeliveringWorld, SECRET } from "../testing/delivering-world.ts";
import { attempt } from "../testing/outbox.ts";
import { prepare } from "./prepare.ts";
import { createOutcome, type FinishedAttempt, Recorder, recordAttempts } from "./record.ts";

const setUp = (count: number) => {
  const known = new DeliveringWorld();
  known.subscribe("s");
  const ids = known.queue("s", count);
  const recorded: string[] = [];
  const errors: unknown[] = [];
  const recorder = new Recorder(
    (attempts) => recordAttempts(known.world, attempts),
    (error) => void errors.push(error),
  );
  const add = (attempted: FinishedAttempt): Promise<void> =>
    recorder.add(attempted).then(() => void recorded.push(attempted.sent.prepared.delivery.id));
  const writes = vi.spyOn(known.world, "write");
  const attempted = (id: string): FinishedAttempt => {
    const prepared = prepare(known.delivery(id), SECRET, Date.now());
    const { number: _number, started_at: _at, ...exchanged } = attempt;
    const sent = { prepared, exchanged, acknowledged: true };
    return { sent, outcome: createOutcome(sent, "standard", Date.now(), 0), endedAt: Date.now() };
  };
  return { known, ids, recorder, add, recorded, errors, writes, attempted };
};

describe("the recorder", () => {
  it("writes simultaneous attempts in one commit, in order, and reports them once stored", async () => {
    const { known, ids, add, recorded, writes, attempted } = setUp(5);
    for (const id of ids) void add(attempted(id));
    expect([recorded, known.subscription("s").delivered]).toEqual([[], 0]);
    await expect.poll(() => recorded).toEqual(ids);
    expect([writes.mock.calls.length, known.subscription("s").delivered]).toEqual([1, 5]);
  });

  it("writes later attempts in the next commit", async () => {
    const { known, ids, recorder, add, recorded, attempted } = setUp(6);
    for (const id of ids.slice(0, 3)) void add(attempted(id));
    const first = recorder.flush();
    for (const id of ids.slice(3)) void add(attempted(id));
    const second = recorder.flush();
    await Promise.all([first, second]);
    expect([recorded, known.subscription("s").pending]).toEqual([ids, 0]);
  });

  it("is full while too many attempts wait, until they are written", async () => {
    const { ids, recorder, add, attempted } = setUp(1);
    const one = attempted(ids[0] ?? "");
    for (let count = 1; count < 512; count += 1) void add(one);
    expect(recorder.isFull).toBe(false);
    void add(one);
    expect(recorder.isFull).toBe(true);
    await recorder.flush();
    expect(recorder.isFull).toBe(false);
  });

  it("commits 64 attempts at a time, and nothing when none waits", async () => {
    const { ids, attempted } = setUp(128);
    const sizes: number[] = [];
    const recorder = new Recorder(
      async ({ length }) => void sizes.push(length),
      () => expect.unreachable(),
    );
    for (const id of ids) void recorder.add(attempted(id));
    await recorder.flush();
    await recorder.flush();
    expect(sizes).toEqual([64, 64]);
  });

  it("keeps attempts that the disk refused, and writes them before later ones", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { known, ids, recorder, add, recorded, errors, writes, attempted } = setUp(4);
    writes.mockRejectedValueOnce(new NotDurableError(new Error("disk full")));
    for (const id of ids.slice(0, 2)) void add(attempted(id));
    await recorder.flush();
    expect([recorded, errors, known.subscription("s").delivered]).toEqual([[], [expect.any(NotDurableError)], 0]);
    for (const id of ids.slice(2)) void add(attempted(id));
    expect(writes).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await recorder.flush();
    expect([recorded, known.subscription("s").delivered]).toEqual([ids, 4]);
  });

  it("writes the others if one can't be written", async () => {
    const { known, ids, recorder, add, recorded, errors, attempted } = setUp(3);
    const [first = "", second = "", third = ""] = ids;
    const pending = { status: "pending", next_attempt_at: 0, ended_at: null } as const;
    const twice = attempted(second);
    known.world.stores.outbox.recordAttempt(known.delivery(second), { ...attempt, number: 1 }, pending);
    void add(attempted(first));
    void add(twice);
    void add(attempted(third));
    await recorder.flush();
    await expect.poll(() => recorded).toEqual([first, second, third]);
    expect([first, second, third].map((id) => known.delivery(id).status)).toEqual([
      "delivered",
      "pending",
      "delivered",
    ]);
    expect(errors.map(String).join()).toMatch(/UNIQUE/);
  });

  it("tries one that can't be written only once", async () => {
    const { ids, recorder, add, recorded, errors, writes, attempted } = setUp(1);
    writes.mockRejectedValue(new Error("invalid"));
    void add(attempted(ids[0] ?? ""));
    await recorder.flush();
    await expect.poll(() => recorded).toEqual(ids);
    expect([writes.mock.calls.length, errors.length]).toEqual([1, 1]);
  });

  it("leaves nothing to write after a flush", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ids, recorder, add, writes, attempted } = setUp(2);
    void add(attempted(ids[0] ?? ""));
    await recorder.flush();
    expect(vi.getTimerCount()).toBe(0);
    void add(attempted(ids[1] ?? ""));
    await vi.advanceTimersByTimeAsync(49);
    expect(writes).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(writes).toHaveBeenCalledTimes(2);
  });
});
