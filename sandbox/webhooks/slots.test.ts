import { describe, expect, it } from "vitest";
import { MOST_AT_ONCE, MOST_HUNG, Slots } from "./slots.ts";

const takeAll = (slots: Slots<string>): string[] => {
  const taken: string[] = [];
  for (let one = slots.take(); one !== undefined; one = slots.take()) taken.push(one);
  return taken;
};
const names = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);

describe("slots", () => {
  it("are handed out in turn, and never more than there are", () => {
    const slots = new Slots<string>();
    const lanes = names("lane ", MOST_AT_ONCE + 3);
    for (const lane of lanes) slots.queue(lane, false);
    expect(takeAll(slots)).toEqual(lanes.slice(0, MOST_AT_ONCE));
    expect([slots.contested, slots.size]).toEqual([true, MOST_AT_ONCE + 3]);
    slots.remove("lane 7");
    slots.queue("lane 7", false);
    expect(takeAll(slots)).toEqual([`lane ${MOST_AT_ONCE}`]);
    for (const lane of ["lane 1", "lane 2", "lane 3"]) slots.remove(lane);
    expect(takeAll(slots)).toEqual([`lane ${MOST_AT_ONCE + 1}`, `lane ${MOST_AT_ONCE + 2}`, "lane 7"]);
    expect(slots.contested).toBe(false);
  });

  it("are held once, however often they are asked for", () => {
    const slots = new Slots<string>();
    slots.queue("a", false);
    slots.queue("a", true);
    expect([slots.has("a"), slots.holds("a")]).toEqual([true, false]);
    expect(takeAll(slots)).toEqual(["a"]);
    slots.queue("a", false);
    expect([takeAll(slots), slots.holds("a"), slots.size]).toEqual([[], true, 1]);
    slots.remove("a");
    expect([slots.has("a"), slots.size]).toEqual([false, 0]);
  });

  it("leave half of them to those that do not hang", () => {
    const slots = new Slots<string>();
    for (const lane of names("hung ", 100)) slots.queue(lane, true);
    expect(takeAll(slots)).toEqual(names("hung ", MOST_HUNG));
    expect(slots.contested).toBe(false);
    for (const lane of names("well ", 100)) slots.queue(lane, false);
    expect(takeAll(slots)).toEqual(names("well ", MOST_AT_ONCE - MOST_HUNG));
    // Whoever's turn it is: one of each waits for the two that are free.
    slots.remove("hung 0");
    slots.remove("well 0");
    expect(takeAll(slots).toSorted()).toEqual([`hung ${MOST_HUNG}`, `well ${MOST_AT_ONCE - MOST_HUNG}`]);
  });
});
