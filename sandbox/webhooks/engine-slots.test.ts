import { describe, expect, it } from "vitest";
import { deliveringEngine, idsOf, startConsumer } from "../testing/delivering-engine.ts";

describe("delivery to very many", () => {
  it("goes on past a consumer that hangs, which holds one connection and nothing else", async () => {
    const { known, deliver, done, pending } = deliveringEngine();
    const [hung, well] = [await startConsumer(), await startConsumer()];
    hung.answerWith(() => new Promise(() => undefined));
    known.subscribe("hung", hung.url);
    known.subscribe("well", well.url);
    deliver("hung", 50);
    const ids = deliver("well", 300);
    await done("well");
    expect(idsOf(well.received)).toEqual(ids);
    expect([hung.received.length, pending("hung")]).toEqual([1, 50]);
  });

  it("goes on at once to receivers that answer, however many others of whatever world hang", async () => {
    const { known, deliver, done } = deliveringEngine();
    const consumer = await startConsumer();
    known.subscribe("well", `${consumer.url}/well`);
    deliver("well");
    await done("well");
    const hanging = await startConsumer();
    hanging.answerWith(() => new Promise(() => undefined));
    const names = Array.from({ length: 150 }, (_, index) => `hangs ${index}`);
    for (const name of names) known.subscribe(name, `${hanging.url}/${encodeURIComponent(name)}`);
    for (const name of names) deliver(name);
    await hanging.waitFor(64);
    deliver("well", 3);
    await done("well");
    expect([consumer.received.length, hanging.received.length]).toEqual([4, 64]);
  });

  it("has at most sixty-four subscriptions on their way at once, and then the next in turn", async () => {
    const { known, deliver, done } = deliveringEngine();
    const consumer = await startConsumer();
    const held = new Set<() => void>();
    let most = 0;
    consumer.answerWith(
      () =>
        new Promise((resolve) => {
          const release = (): void => {
            held.delete(release);
            resolve(200);
          };
          held.add(release);
          most = Math.max(most, held.size);
        }),
    );
    const names = Array.from({ length: 70 }, (_, index) => `s${index}`);
    for (const name of names) known.subscribe(name, `${consumer.url}/${name}`);
    for (const name of names) deliver(name, 2);
    await consumer.waitFor(64);
    expect(held.size).toBe(64);
    const releaseAll = async (): Promise<void> => {
      while (names.some((name) => known.standing(name).pending > 0)) {
        for (const release of held) release();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    await releaseAll();
    for (const name of names) await done(name);
    expect([most, consumer.received.length]).toEqual([64, 140]);
    // Those that waited had their turn before any had its second.
    expect(new Set(idsOf(consumer.received.slice(0, 70))).size).toBe(70);
  });
});
