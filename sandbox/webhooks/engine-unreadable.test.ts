import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { RecordingConsumer } from "../testing/recording-consumer.ts";
import { DeliveryEngine } from "./engine.ts";

const unreadable = () => {
  throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR_READ");
};

const setUp = async () => {
  const consumer = await RecordingConsumer.start();
  const known = new DeliveringWorld();
  known.subscribe("s", consumer.url);
  const onError = vi.fn();
  const engine = new DeliveryEngine({ enabled: true, allows: () => true, onError });
  onTestFinished(async () => {
    await engine.stop();
    await consumer.stop();
  });
  return { consumer, known, onError, engine };
};

describe("a file that cannot be read for a while", () => {
  it.each(["subscriptions", "credentials", "outbox"] as const)(
    "ends nothing: what waits goes out once its %s can be read again",
    async (store) => {
      const { consumer, known, onError, engine } = await setUp();
      const { subscriptions, credentials, outbox } = known.world.stores;
      const broken = {
        subscriptions: () => vi.spyOn(subscriptions, "list"),
        credentials: () => vi.spyOn(credentials, "byIntegration"),
        outbox: () => vi.spyOn(outbox, "neverAttempted"),
      }[store]();
      const ids = known.queue("s", 3);
      broken.mockImplementation(unreadable);
      engine.wake(known.world);
      await vi.waitUntil(() => onError.mock.calls.length > 0, 5_000);
      expect(consumer.received).toHaveLength(0);
      broken.mockRestore();
      await consumer.waitFor(3);
      await expect.poll(() => ids.map((id) => known.delivery(id).status)).toEqual(Array(3).fill("delivered"));
      expect(consumer.received.map(({ envelope }) => "job_id" in envelope.payload && envelope.payload.job_id)).toEqual(
        ids,
      );
    },
  );

  it("keeps what was told meanwhile: a subscription that was made is heard", async () => {
    const { consumer, known, onError, engine } = await setUp();
    const broken = vi.spyOn(known.world.stores.subscriptions, "list").mockImplementation(unreadable);
    engine.wake(known.world);
    await vi.waitUntil(() => onError.mock.calls.length > 0, 5_000);
    broken.mockRestore();
    known.subscribe("later", `${consumer.url}/later`);
    known.queue("later");
    engine.wake(known.world);
    await consumer.waitFor(1);
  });
});
