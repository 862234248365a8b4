import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DeliveringWorld } from "../testing/delivering-world.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";
import { DeliveryEngine } from "./engine.ts";

const unreadable = () => {
  throw new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR_READ");
};

const setUp = async () => {
  const receiver = await RecordingReceiver.start();
  const known = new DeliveringWorld();
  known.subscribe("s", receiver.url);
  const onError = vi.fn();
  const engine = new DeliveryEngine({ enabled: true, allows: () => true, withWorld: known.withWorld, onError });
  onTestFinished(async () => {
    await engine.stop();
    await receiver.stop();
  });
  return { receiver, known, onError, engine };
};

describe("a temporarily unreadable file", () => {
  it.each(["subscriptions", "credentials", "outbox"] as const)(
    "ends nothing: pending deliveries are sent once its %s can be read again",
    async (store) => {
      const { receiver, known, onError, engine } = await setUp();
      const { subscriptions, credentials, outbox } = known.world.stores;
      const broken = {
        subscriptions: () => vi.spyOn(subscriptions, "list"),
        credentials: () => vi.spyOn(credentials, "findByIntegration"),
        outbox: () => vi.spyOn(outbox, "due"),
      }[store]();
      const ids = known.queue("s", 3);
      broken.mockImplementation(unreadable);
      engine.wake(known.world);
      await vi.waitUntil(() => onError.mock.calls.length > 0, 5_000);
      expect(receiver.received).toHaveLength(0);
      broken.mockRestore();
      await receiver.waitFor(3);
      await expect.poll(() => ids.map((id) => known.delivery(id).status)).toEqual(Array(3).fill("delivered"));
      expect(receiver.received.map(({ envelope }) => "job_id" in envelope.payload && envelope.payload.job_id)).toEqual(
        ids,
      );
    },
  );

  it("loses no notice: a subscription created meanwhile gets its deliveries", async () => {
    const { receiver, known, onError, engine } = await setUp();
    const broken = vi.spyOn(known.world.stores.subscriptions, "list").mockImplementation(unreadable);
    engine.wake(known.world);
    await vi.waitUntil(() => onError.mock.calls.length > 0, 5_000);
    broken.mockRestore();
    known.subscribe("later", `${receiver.url}/later`);
    known.queue("later");
    engine.wake(known.world);
    await receiver.waitFor(1);
  });
});
