import { describe, expect, it } from "vitest";
import { type Manner, MOST_AT_ONCE, MOST_HUNG, MOST_UNKNOWN, Slots } from "./slots.ts";

type Names = Slots<string, string>;
const takeAll = (slots: Names): string[] => {
  const taken: string[] = [];
  for (let one = slots.take(); one !== undefined; one = slots.take()) taken.push(one);
  return taken;
};
const names = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);
const queueAll = (slots: Names, lanes: readonly string[], manner: Manner = "answers", world = "w"): void => {
  for (const lane of lanes) slots.queue(lane, world, manner);
};

describe("slots", () => {
  it("are handed out in turn, and never more than there are", () => {
    const slots: Names = new Slots();
    const lanes = names("lane ", MOST_AT_ONCE + 3);
    queueAll(slots, lanes);
    expect(takeAll(slots)).toEqual(lanes.slice(0, MOST_AT_ONCE));
    expect([slots.isContested("lane 7"), slots.size]).toEqual([true, MOST_AT_ONCE + 3]);
    slots.remove("lane 7");
    queueAll(slots, ["lane 7"]);
    expect(takeAll(slots)).toEqual([`lane ${MOST_AT_ONCE}`]);
    for (const lane of ["lane 1", "lane 2", "lane 3"]) slots.remove(lane);
    expect(takeAll(slots)).toEqual([`lane ${MOST_AT_ONCE + 1}`, `lane ${MOST_AT_ONCE + 2}`, "lane 7"]);
    expect(slots.isContested("lane 7")).toBe(false);
  });

  it("are held once, however often they are asked for", () => {
    const slots: Names = new Slots();
    queueAll(slots, ["a"]);
    queueAll(slots, ["a"], "hangs");
    expect([slots.has("a"), slots.holds("a")]).toEqual([true, false]);
    expect(takeAll(slots)).toEqual(["a"]);
    queueAll(slots, ["a"]);
    expect([takeAll(slots), slots.holds("a"), slots.size]).toEqual([[], true, 1]);
    slots.remove("a");
    expect([slots.has("a"), slots.size]).toEqual([false, 0]);
  });

  it("are all free for receivers that answer, whatever those do that hang or are not known", () => {
    const slots: Names = new Slots();
    queueAll(slots, names("hung ", 100), "hangs");
    expect(takeAll(slots)).toEqual(names("hung ", MOST_HUNG));
    queueAll(slots, names("new ", 100), "unknown");
    expect(takeAll(slots)).toEqual(names("new ", MOST_UNKNOWN - MOST_HUNG));
    expect([slots.isContested("new 0"), slots.isContested("hung 0")]).toEqual([true, true]);
    queueAll(slots, names("well ", 100));
    expect(takeAll(slots)).toEqual(names("well ", MOST_AT_ONCE));
    slots.remove("hung 0");
    slots.remove("new 0");
    expect(takeAll(slots).toSorted()).toEqual([`hung ${MOST_HUNG}`, `new ${MOST_UNKNOWN - MOST_HUNG}`]);
  });

  it("are not given up for one that may not have them", () => {
    const slots: Names = new Slots();
    queueAll(slots, names("hung ", 100), "hangs");
    queueAll(slots, names("new ", MOST_UNKNOWN - MOST_HUNG), "unknown");
    takeAll(slots);
    expect([slots.isContested("new 0"), slots.isContested("hung 0"), slots.isContested("nobody")]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("go to the worlds in turn, however many of one of them wait", () => {
    const slots: Names = new Slots();
    queueAll(slots, names("many ", 200), "unknown", "many");
    takeAll(slots);
    queueAll(slots, ["other"], "unknown", "other");
    queueAll(slots, ["third 0", "third 1"], "unknown", "third");
    for (const lane of names("many ", 6)) slots.remove(lane);
    expect(takeAll(slots)).toEqual([
      `many ${MOST_UNKNOWN}`,
      "other",
      "third 0",
      `many ${MOST_UNKNOWN + 1}`,
      "third 1",
      `many ${MOST_UNKNOWN + 2}`,
    ]);
  });
});
