import { expect, onTestFinished } from "vitest";
import { DeliveryEngine, type EngineOptions } from "../webhooks/engine.ts";
import { DeliveringWorld } from "./delivering-world.ts";
import { type Received, RecordingReceiver } from "./recording-receiver.ts";

/** Starts a receiver that stops with the test. */
export const startReceiver = async (): Promise<RecordingReceiver> => {
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  return receiver;
};

/** Returns the job IDs in the received notifications. */
export const receivedIds = (received: readonly Received[]): string[] =>
  received.map(({ envelope }) => ("job_id" in envelope.payload ? envelope.payload.job_id : ""));

/** A world, and an engine that delivers its queued events. */
export const deliveringEngine = ({ enabled = true, ...more }: Partial<EngineOptions> = {}) => {
  const known = new DeliveringWorld();
  const errors: unknown[] = [];
  const engine = new DeliveryEngine({
    enabled,
    allows: () => true,
    withWorld: known.withWorld,
    ...more,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => engine.stop());
  const deliver = (subscriptionId: string, count = 1): string[] => {
    const ids = known.queue(subscriptionId, count);
    engine.wake(known.world);
    return ids;
  };
  const pending = (id: string): number => known.subscription(id).pending;
  const done = (id: string) => expect.poll(() => pending(id), { timeout: 20_000 }).toBe(0);
  return { known, world: known.world, engine, errors, deliver, pending, done };
};
