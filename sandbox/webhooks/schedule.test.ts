import { describe, expect, it } from "vitest";
import { type LastAttempt, Schedule } from "./schedule.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (count = 300): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await turn();
};

const start = () => {
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const schedule = new Schedule();
  const add = (world: string, count: number, name: string, last: LastAttempt = "acknowledged"): void => {
    for (let index = 0; index < count; index += 1)
      void schedule.slot(world, last).then((release) => {
        begun.push(`${name}${index}`);
        releases.push(release);
      });
  };
  const count = (letter: string) => begun.filter((name) => name.startsWith(letter)).length;
  return { begun, releases, add, count };
};

describe("the schedule", () => {
  it("begins few in one turn of the event loop, and the others in the next", async () => {
    const { begun, add } = start();
    add("one", 40, "a");
    await Promise.resolve();
    expect(begun).toHaveLength(16);
    await turns(3);
    expect(begun).toHaveLength(40);
  });

  it("lets the worlds begin in turn, however much one of them has to send", async () => {
    const { begun, add } = start();
    add("one", 20, "a");
    add("other", 2, "b");
    await turns(3);
    // Sixteen of the first had begun before the second had anything.
    expect(begun.slice(16)).toEqual(["a16", "b0", "a17", "b1", "a18", "a19"]);
  });

  it("lets a good receiver begin before those that are not known, failed or hang, and few of these in one turn", async () => {
    const { begun, add } = start();
    add("one", 10, "h", "overdue");
    add("one", 10, "f", "failed");
    add("one", 10, "a");
    await Promise.resolve();
    expect(begun.filter((name) => name.startsWith("a"))).toHaveLength(10);
    expect(begun.filter((name) => !name.startsWith("a"))).toHaveLength(8);
  });

  it("keeps slots for other worlds, and for those that answer from those that hang", async () => {
    const { add, count, releases } = start();
    add("crowded", 2_000, "a");
    add("crowded", 1_000, "h", "overdue");
    await turns();
    expect([count("a"), count("h")]).toEqual([1_200, 300]);
    add("other", 500, "b");
    await turns();
    expect(count("b")).toBe(400);
    for (const release of releases.slice(0, 10)) release();
    await turns();
    expect(count("a") + count("b") + count("h")).toBe(1_910);
  });
});
