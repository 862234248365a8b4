import { describe, expect, it, vi } from "vitest";
import { DeliveringWorld, SECRET } from "../testing/delivering-world.ts";
import { LaneQueue } from "./lane-queue.ts";
import { prepare } from "./prepare.ts";
import { record, settlementOf, type Tried } from "./record.ts";

const PAGE = 4;

/** A lane with so many deliveries that wait, `s-1` first, and what a test does with it. */
const filled = (count: number) => {
  const known = new DeliveringWorld();
  const { lane } = known.subscribe("s");
  known.queue("s", count);
  const { outbox } = known.world.stores;
  const queue = new LaneQueue(lane, outbox, true);
  const take = (now = Date.now()) => queue.take(now, PAGE);
  const takeIds = (most: number, now?: number): string[] => {
    const ids: string[] = [];
    while (ids.length < most) {
      const delivery = take(now);
      if (!delivery) break;
      ids.push(delivery.id);
    }
    return ids;
  };
  const end = (id: string, status: number | null, lost = false): Tried => {
    const prepared = prepare(known.delivery(id), SECRET, Date.now());
    const body = Buffer.alloc(0);
    const sent = { prepared, durationMs: 1, status, headers: [], body, truncated: false, error: null, lost };
    const tried = { sent, settlement: settlementOf(sent, "standard", Date.now(), 0.5), endedAt: Date.now() };
    queue.ended(tried);
    return tried;
  };
  const keep = async (...tries: readonly Tried[]): Promise<void> => {
    await record(known.world, tries);
    for (const tried of tries) queue.recorded(tried);
  };
  return { known, queue, outbox, take, takeIds, end, keep };
};
const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `s-${from + index}`);
const LATER = Date.now() + 3_600_000;

describe("what waits for a subscription", () => {
  it("D73: comes in event order, a page at a time, however much there is", () => {
    const { queue, outbox, takeIds } = filled(10);
    const reads = vi.spyOn(outbox, "untried");
    expect(takeIds(3)).toEqual(ids(1, 3));
    expect(reads).toHaveBeenCalledTimes(1);
    expect(takeIds(99)).toEqual(ids(4, 10));
    expect(reads.mock.calls.map(([, after]) => after)).toEqual([0, 4, 8]);
    expect([queue.nextAt(5), takeIds(1)]).toEqual([null, []]);
    expect(reads).toHaveBeenCalledTimes(3);
  });

  it("goes on with what was queued since, once it is told of it", () => {
    const { known, queue, takeIds } = filled(2);
    expect(takeIds(9)).toEqual(ids(1, 2));
    known.queue("s", 2);
    expect(queue.nextAt(5)).toBeNull();
    queue.touch();
    expect([queue.nextAt(5), takeIds(9)]).toEqual([5, ids(3, 4)]);
  });

  it("asks the file for nothing when nothing waits in it", () => {
    const known = new DeliveringWorld();
    const { lane } = known.subscribe("s");
    const { outbox } = known.world.stores;
    const reads = [vi.spyOn(outbox, "untried"), vi.spyOn(outbox, "dueAgain"), vi.spyOn(outbox, "nextRetryAt")];
    const queue = new LaneQueue(lane, outbox, false);
    expect([queue.nextAt(5), queue.take(Date.now(), PAGE)]).toEqual([null, undefined]);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
  });
});

describe("what failed", () => {
  it("waits for its time while the others go on, and comes before those that were never tried", async () => {
    const { queue, takeIds, end, keep } = filled(4);
    expect(takeIds(1)).toEqual(["s-1"]);
    const tried = end("s-1", 500);
    await keep(tried);
    expect(takeIds(1)).toEqual(["s-2"]);
    expect(takeIds(1, LATER)).toEqual(["s-1"]);
    expect(takeIds(9, LATER)).toEqual(ids(3, 4));
    expect(queue.nextAt(LATER)).toBeNull();
  });

  it("is due when the file says so, and says when that is", async () => {
    const { queue, takeIds, end, keep } = filled(1);
    takeIds(1);
    const tried = end("s-1", null);
    expect(queue.nextAt(0)).toBeNull();
    await keep(tried);
    expect(queue.nextAt(0)).toBe(tried.settlement.next_attempt_at);
  });

  it("never comes twice while the file does not know of its try yet", async () => {
    const { takeIds, end, keep } = filled(3);
    takeIds(3);
    await keep(...ids(1, 3).map((id) => end(id, 500)));
    expect(takeIds(2, LATER)).toEqual(ids(1, 2));
    const again = end("s-1", 500);
    expect(takeIds(9, LATER)).toEqual(["s-3"]);
    await keep(again);
    expect(takeIds(9, LATER)).toEqual(["s-1"]);
  });

  it("and fails again lets one go first that was never tried: it holds up nobody for longer than its own try", async () => {
    const { known, takeIds, end, keep } = filled(6);
    takeIds(3);
    await keep(...ids(1, 3).map((id) => end(id, 500)));
    const order: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const [id = ""] = takeIds(1, LATER);
      order.push(id);
      await keep(end(id, known.delivery(id).attempts_made > 0 ? 500 : 200));
    }
    expect(order).toEqual(["s-1", "s-4", "s-2", "s-5", "s-3", "s-6"]);
  });

  it("comes in event order when its receiver is back", async () => {
    const { takeIds, end, keep } = filled(9);
    takeIds(6);
    await keep(...ids(1, 6).map((id) => end(id, 500)));
    const order: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      const [id = ""] = takeIds(1, LATER);
      order.push(id);
      await keep(end(id, 200));
    }
    expect(order).toEqual(ids(1, 9));
  });

  it("comes in event order when all of it begins again, whatever was next before", async () => {
    const { queue, takeIds, end, keep } = filled(6);
    takeIds(3);
    await keep(...ids(1, 3).map((id) => end(id, 500)));
    expect(takeIds(1, LATER)).toEqual(["s-1"]);
    await keep(end("s-1", 500));
    queue.beginAgain();
    expect(takeIds(9, LATER)).toEqual(ids(1, 6));
  });

  it("is found in the file by a new start", async () => {
    const { known, outbox, takeIds, end, keep } = filled(3);
    takeIds(2);
    await keep(end("s-1", 500), end("s-2", 500));
    const restarted = new LaneQueue(known.standing("s").lane, outbox, true);
    expect(restarted.take(Date.now(), PAGE)?.id).toBe("s-3");
    expect([restarted.take(LATER, PAGE)?.id, restarted.take(LATER, PAGE)?.id]).toEqual(["s-1", "s-2"]);
  });
});

describe("what was lost with its connection", () => {
  it("goes again before all others, in event order, as the try after", async () => {
    const { take, takeIds, end, keep } = filled(6);
    takeIds(4);
    await keep(end("s-1", 500));
    const lost = ids(2, 4).map((id) => end(id, null, true));
    expect(take(LATER)).toMatchObject({ id: "s-2", attempts_made: 1 });
    await keep(...lost);
    expect(takeIds(9, LATER)).toEqual(["s-3", "s-4", "s-1", "s-5", "s-6"]);
  });

  it("keeps its place when it is lost again", () => {
    const { takeIds, end } = filled(3);
    takeIds(3);
    for (const id of ids(1, 3)) end(id, null, true);
    expect(takeIds(1)).toEqual(["s-1"]);
    end("s-1", null, true);
    expect(takeIds(9)).toEqual(ids(1, 3));
  });
});
