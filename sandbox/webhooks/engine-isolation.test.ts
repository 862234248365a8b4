import { describe, expect, it } from "vitest";
import { deliveringEngine, receivedIds, startReceiver } from "../testing/delivering-engine.ts";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { type Behaviour, receiver } from "../testing/scripted-receiver.ts";

const hang: Behaviour = () => undefined;
const flood: Behaviour = (socket) => {
  const text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(200);
  const write = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", write);
  write();
};
const garbage: Behaviour = (socket) => socket.end("220 mail.example.com ESMTP\r\n");

/** Subscribes addresses of a misbehaving receiver and queues a delivery for each. */
const subscribeBad = async (known: DeliveringWorld, behave: Behaviour, count: number) => {
  const { port, seen } = await receiver(behave);
  const names = Array.from({ length: count }, (_, index) => `bad-${port}-${index}-of`);
  for (const name of names) known.subscribe(name, `http://127.0.0.1:${port}/${name}`);
  for (const name of names) known.queue(name);
  return seen;
};

describe("D88: a notification waits for its own subscription only", () => {
  it("so that a new receiver gets its first one immediately, even if many others of its world hang", async () => {
    const { known, deliver, engine } = deliveringEngine();
    const seen = await subscribeBad(known, hang, 1_000);
    engine.wake(known.world);
    await expect.poll(() => seen.requests, { timeout: 20_000 }).toBe(1_000);
    const good = await startReceiver();
    known.subscribe("good", good.url);
    const began = performance.now();
    deliver("good");
    await good.waitFor(1);
    expect(performance.now() - began).toBeLessThan(1_000);
  }, 40_000);

  it("even if others flood or send no valid HTTP, in its world and another", async () => {
    const { known, deliver, engine, done, errors } = deliveringEngine();
    const other = new DeliveringWorld();
    for (const world of [known, other])
      for (const behave of [hang, flood, garbage]) await subscribeBad(world, behave, 50);
    const good = await startReceiver();
    known.subscribe("good", good.url);
    engine.wake(other.world);
    const ids = deliver("good", 200);
    await done("good");
    expect([receivedIds(good.received), errors]).toEqual([ids, []]);
  }, 40_000);

  it("and not for another path of the same address", async () => {
    const { known, deliver, done } = deliveringEngine();
    const recording = await startReceiver();
    recording.answerWith(({ envelope }) =>
      "job_id" in envelope.payload && envelope.payload.job_id.startsWith("hangs") ? new Promise(() => undefined) : 200,
    );
    known.subscribe("hangs", `${recording.url}/hangs`);
    known.subscribe("good", `${recording.url}/good`);
    deliver("hangs", 3);
    deliver("good", 20);
    await done("good");
    expect(known.subscription("hangs").pending).toBe(3);
  });
});
