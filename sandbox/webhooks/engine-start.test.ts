import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { RecordingConsumer } from "../testing/recording-consumer.ts";
import { DeliveryEngine } from "./engine.ts";

const LANES = 10;
const names = Array.from({ length: LANES }, (_, index) => `s${index}`);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Subscriptions of one consumer, and an engine whose timers and clock are the test's. */
const setUp = async () => {
  const consumer = await RecordingConsumer.start();
  const known = new DeliveringWorld();
  for (const name of names) known.subscribe(name, `${consumer.url}/${name}`);
  const engine = new DeliveryEngine({
    enabled: true,
    allows: () => true,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    vi.useRealTimers();
    await engine.stop();
    await consumer.stop();
  });
  /** Lets everything happen that needs no timer. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const count = async (): Promise<number> => {
    let before = -1;
    while (before !== consumer.received.length) {
      before = consumer.received.length;
      await settle();
    }
    return before;
  };
  return { consumer, known, engine, count };
};

describe("what waits in many lanes", () => {
  it("begins one after the other when a world opens, and at once when it is alone", async () => {
    const { known, engine, count } = await setUp();
    vi.spyOn(Math, "random").mockReturnValue(0.99);
    for (const name of names) known.queue(name);
    engine.wake(known.world);
    const begun = [await count()];
    for (let step = 0; step < LANES; step += 1) {
      vi.advanceTimersByTime(20);
      begun.push(await count());
    }
    expect(begun[0]).toBe(1);
    expect(begun.at(-1)).toBe(LANES);
    expect(begun.filter((one, index) => one > (begun[index - 1] ?? 0)).length).toBeGreaterThan(1);
  });

  it("begins within two seconds, not at one instant, when the machine slept over its time", async () => {
    const { consumer, known, engine, count } = await setUp();
    consumer.answerWith(() => 500);
    vi.spyOn(Math, "random").mockReturnValue(0);
    for (const name of names) known.queue(name);
    engine.wake(known.world);
    expect(await count()).toBe(LANES);
    // What was tried is written down by now, or with the next timer.
    vi.advanceTimersByTime(50);
    await count();
    consumer.answerWith(() => 200);
    let turn = 0;
    vi.spyOn(Math, "random").mockImplementation(() => {
      turn += 1;
      return (turn % LANES) / LANES;
    });
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(6_000 - 2_000);
    const asleep = await count();
    const begun: number[] = [];
    for (let step = 0; step < 40; step += 1) {
      vi.advanceTimersByTime(100);
      begun.push((await count()) - asleep);
    }
    expect(asleep).toBe(LANES);
    expect(begun.at(-1)).toBe(LANES);
    const steps = begun.filter((one, index) => one > (begun[index - 1] ?? 0)).length;
    expect(steps).toBeGreaterThan(LANES / 2);
  });
});
