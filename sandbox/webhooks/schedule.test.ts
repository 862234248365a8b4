import { describe, expect, it } from "vitest";
import { type LastAttempt, Schedule, type Sending } from "./schedule.ts";

interface Named extends Sending {
  readonly name: string;
}
const make = (world: object, count: number, name: string, lastAttempt: LastAttempt = "acknowledged"): Named[] =>
  Array.from({ length: count }, (_, index) => ({ world, name: `${name}${index}`, lastAttempt }));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (count = 200): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await turn();
};

const start = () => {
  const begun: Named[] = [];
  const schedule = new Schedule<Named>((one) => void begun.push(one));
  return { begun, schedule, names: () => begun.map(({ name }) => name) };
};

describe("the schedule", () => {
  it("begins few in one turn of the event loop, and the others in the next", async () => {
    const { begun, schedule } = start();
    for (const one of make({}, 40, "a")) schedule.add(one);
    const counts = [begun.length];
    for (let count = 0; count < 3; count += 1) {
      await turn();
      counts.push(begun.length);
    }
    expect(counts).toEqual([16, 32, 40, 40]);
  });

  it("lets the worlds begin in turn, however much one of them has to send", async () => {
    const { schedule, names } = start();
    const [one, other] = [{}, {}];
    for (const item of make(one, 20, "a")) schedule.add(item);
    for (const item of make(other, 2, "b")) schedule.add(item);
    await turn();
    // Sixteen of the first had begun before the second had anything.
    expect(names().slice(16)).toEqual(["a16", "b0", "a17", "b1", "a18", "a19"]);
  });

  it("adds nobody twice, and lets whoever is done begin again behind the others", () => {
    const { schedule, names } = start();
    const [one] = make({}, 1, "a");
    if (!one) throw new Error("one is missing");
    schedule.add(one);
    schedule.add(one);
    expect(names()).toEqual(["a0"]);
    schedule.done(one);
    schedule.add(one);
    expect(names()).toEqual(["a0", "a0"]);
  });

  it("lets a good receiver begin before those that are not known, failed or hang, and few of these in one turn", async () => {
    const { schedule, names } = start();
    const world = {};
    const add = (name: string, lastAttempt: LastAttempt) => {
      for (const one of make(world, 10, name, lastAttempt)) schedule.add(one);
    };
    add("h", "overdue");
    add("f", "failed");
    expect(names()).toEqual(["h0", "h1", "h2", "h3"]);
    add("u", "none");
    add("a", "acknowledged");
    expect(names().slice(4)).toEqual(Array.from({ length: 10 }, (_, index) => `a${index}`));
    await turn();
    expect(names().slice(14)).toEqual(["u0", "u1", "u2", "u3"]);
    await turns(7);
    expect(names().slice(18).join(" ")).toMatch(/^(u\d ){6}(f\d ){10}(h\d ?){6}$/);
  });

  it("keeps slots for other worlds, and for those that answer from those that hang", async () => {
    const { begun, schedule, names } = start();
    const crowded = {};
    for (const one of make(crowded, 2_000, "a")) schedule.add(one);
    for (const one of make(crowded, 1_000, "h", "overdue")) schedule.add(one);
    await turns();
    const count = (letter: string) => names().filter((name) => name.startsWith(letter)).length;
    expect([count("a"), count("h")]).toEqual([1_200, 300]);
    for (const one of make({}, 500, "b")) schedule.add(one);
    await turns();
    expect(count("b")).toBe(400);
    for (const one of begun.filter(({ name }) => name.startsWith("a")).slice(0, 100)) schedule.done(one);
    await turns();
    expect([count("a") + count("b"), count("h")]).toEqual([1_700, 300]);
  });
});
