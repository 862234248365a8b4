import { describe, expect, it } from "vitest";
import { Schedule } from "./schedule.ts";

const turns = async (count = 500): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
};

const start = () => {
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const schedule = new Schedule();
  const add = (world: string, count: number, name: string, acknowledgedLast = true): void => {
    for (let index = 0; index < count; index += 1)
      void schedule.slot(world, acknowledgedLast).then((release) => {
        begun.push(`${name}${index}`);
        releases.push(release);
      });
  };
  const count = (letter: string) => begun.filter((name) => name.startsWith(letter)).length;
  return { begun, releases, add, count };
};

describe("the schedule", () => {
  it("starts a few per turn of the event loop, fewer for failing receivers, and the others later", async () => {
    const { begun, add, count } = start();
    add("one", 10, "f", false);
    add("one", 40, "a");
    for (let left = 9; left > 0; left -= 1) await Promise.resolve();
    expect([count("a"), count("f")]).toEqual([16, 4]);
    await turns(5);
    expect(begun).toHaveLength(50);
  });

  it("alternates worlds, however much one has to send", async () => {
    const { begun, add } = start();
    add("one", 20, "a");
    add("other", 2, "b");
    await turns(5);
    // The first world started sixteen before the second had any.
    expect(begun.slice(16)).toEqual(["a16", "b0", "a17", "b1", "a18", "a19"]);
  });

  it("D88: starts good receivers while all slots for failing ones hang", async () => {
    const { add, count, releases } = start();
    add("crowded", 2_000, "h", false);
    await turns();
    expect(count("h")).toBe(1_600);
    add("crowded", 5, "a");
    await turns(2);
    expect(count("a")).toBe(5);
    for (const release of releases.slice(0, 10)) release();
    await turns(5);
    expect(count("h")).toBe(1_610);
  });
});
