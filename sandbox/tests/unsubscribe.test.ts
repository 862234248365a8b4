import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  deliveriesGet,
  deliveriesList,
  deliveriesRedeliver,
  subscriptionsDelete,
  tracesGet,
} from "../contract/control/operations.ts";
import { subscriptionsPause } from "../contract/control/receiver-operations.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(() => service.end());

describe("a deleted subscription", () => {
  let worlds = 0;
  /** A world with an attempted, a delivered and an unattempted delivery. */
  const ending = async () => {
    worlds += 1;
    const world = `unsubscribe-${worlds}`;
    const tenant = { "x-sandbox-tenant": world };
    const receiver = await RecordingReceiver.start();
    onTestFinished(() => receiver.stop());
    const body = { integration_id: repairer.integration_id, url: receiver.url };
    expect((await service.post("/__webhooks/subscribe", body, tenant)).status).toBe(200);
    const list = (filter: object = {}) => service.control(deliveriesList, { world, ...filter });
    const change = async (): Promise<void> => {
      const before = (await list()).total;
      const job = { identity: { external: `${world}:${before}` }, repairer_site_id: site };
      await service.ok(jobsInsert, job, repairer, tenant);
    };
    const newest = async () => (await list()).items[0];
    await change();
    await expect.poll(async () => (await newest())?.status).toBe("delivered");
    receiver.answerWith(() => 503);
    await change();
    await expect.poll(async () => (await newest())?.attempts_made).toBe(1);
    const id = (await newest())?.subscription_id ?? "";
    await service.control(subscriptionsPause, { world, id });
    await change();
    const [fresh, attempted, delivered] = (await list()).items;
    if (!fresh || !attempted || !delivered) throw new Error("three deliveries are missing");
    const trace = (of: string) => service.control(tracesGet, { world, id: of });
    return { world, id, list, fresh, attempted, delivered, trace };
  };
  const GIVEN_UP = {
    status: "failed",
    attempts_made: 1,
    last_status: 503,
    last_error: "the subscription ended before an attempt was acknowledged",
    next_attempt_at: null,
    ended_at: expect.any(String),
  };

  test("keeps attempted deliveries as failed, and drops unattempted ones", async () => {
    const { world, id, list, fresh, attempted, delivered, trace } = await ending();
    expect([fresh.attempts_made, attempted.attempts_made, delivered.status]).toEqual([0, 1, "delivered"]);
    await service.control(subscriptionsDelete, { world, id });
    const { items, total } = await list();
    expect([total, items.map((one) => one.id)]).toEqual([2, [attempted.id, delivered.id]]);
    expect((await list({ status: "pending" })).total).toBe(0);
    expect((await list({ status: "failed", subscription_id: id })).total).toBe(1);
    const kept = await service.control(deliveriesGet, { world, id: attempted.id });
    expect(kept).toMatchObject(GIVEN_UP);
    expect(kept.attempts[0]).toMatchObject({ number: 1, response_status: 503 });
    expect(items[1]).toEqual(delivered);

    for (const [row, count] of [
      [fresh, 0],
      [attempted, 1],
      [delivered, 1],
    ] as const) {
      const { events, deliveries } = await trace(row.trace_id);
      expect([events.map((event) => event.deliveries), deliveries.length]).toEqual([[count], count]);
    }
  });

  test("is on the feed after its deliveries are marked as failed", async () => {
    const { world, id, list, attempted } = await ending();
    const reader = await FeedReader.connect(service, null, world);
    onTestFinished(() => reader.close());
    await reader.until(({ events }) => events.includes("ready"));
    const before = reader.entries.length;
    await service.control(subscriptionsDelete, { world, id });
    const changes = () => reader.entries.slice(before).filter(({ kind }) => kind !== "request");
    await reader.until(() => changes().length === 1);
    expect(changes()).toMatchObject([{ data: { entity: "subscription", change: "deleted" } }]);
    expect((await list()).items[0]).toMatchObject({ id: attempted.id, ...GIVEN_UP });
  });

  test("can't be sent again, and says why", async () => {
    const { world, id, attempted } = await ending();
    await service.control(subscriptionsDelete, { world, id });
    const authorization = `Bearer ${service.ready.control_token}`;
    const refused = await service.call(deliveriesRedeliver, { world, id: attempted.id }, undefined, { authorization });
    expect([refused.status, refused.body]).toMatchObject([
      404,
      { message: expect.stringContaining("The subscription of this delivery was deleted") },
    ]);
  });
});
