import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  deliveriesList,
  deliveriesRedeliver,
  eventsList,
  requestsList,
  tracesGet,
  tracesList,
} from "../contract/control/operations.ts";
import { drillsRunAll } from "../contract/control/receiver-operations.ts";
import { jobsInsert, partsInsert } from "../contract/operations/partner.ts";
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

const trace = (id: string, world = "default") => service.control(tracesGet, { world, id });
const refusal = async (id: string) =>
  service.call(tracesGet, { id }, undefined, { authorization: `Bearer ${service.ready.control_token}` });

const none = { pending: 0, delivered: 0, failed: 0, failed_attempts: 0, to_nobody: 0 };

describe("the trace of a call", () => {
  test("is found from each of its parts: request, event, notification, delivery, redelivery, drill", async () => {
    const receiver = await RecordingReceiver.start();
    onTestFinished(() => receiver.stop());
    const { integration_id } = repairer;
    const world = "chained";
    const tenant = { "x-sandbox-tenant": world };
    for (const path of ["a", "b"])
      await service.post("/__webhooks/subscribe", { integration_id, url: `${receiver.url}/${path}` }, tenant);
    const inserted = await service.call(
      jobsInsert,
      { identity: { external: "traced" }, repairer_site_id: site },
      repairer,
      tenant,
    );
    const request = inserted.headers.get("x-request-id") ?? "";
    await receiver.waitFor(2);
    const delivered = async () => (await service.control(deliveriesList, { world, status: "delivered" })).items;
    await expect.poll(async () => (await delivered()).length).toBe(2);
    const [first, second] = await delivered();
    const again = await service.control(deliveriesRedeliver, { world, id: first?.id ?? "" });
    await expect.poll(async () => (await delivered()).length).toBe(3);
    const card = await service.control(drillsRunAll, { world, subscription_id: second?.subscription_id ?? "" });
    // Unrelated calls before and after.
    await service.ok(jobsInsert, { identity: { external: "other" }, repairer_site_id: site }, repairer, tenant);
    const [event] = (await service.control(eventsList, { world })).items.filter(({ trace_id }) => trace_id === request);

    const chain = await trace(request, world);
    expect(chain).toMatchObject({ id: request, request: { id: request, operation: "repairer.jobs.insert" } });
    expect(chain.changes).toMatchObject([
      { entity: "job", id: inserted.body.id, change: "inserted", before: null, after: { external_id: "traced" } },
    ]);
    expect(chain.events.map(({ id }) => id)).toEqual([event?.id]);
    expect(chain.deliveries.map(({ id }) => id).toSorted()).toEqual([first?.id, second?.id, again.id].toSorted());
    const { items: listed } = await service.control(tracesList, { world });
    expect(listed.find(({ id }) => id === request)).toEqual({ id: request, ...none, delivered: 2 });
    expect(chain.deliveries.every(({ status, attempts_made }) => status === "delivered" && attempts_made === 1)).toBe(
      true,
    );
    expect(chain.drills.map(({ id }) => id).toSorted()).toEqual(
      card.items.map(({ latest }) => latest?.id ?? "").toSorted(),
    );

    expect(new Set(chain.attempts.map(({ delivery_id }) => delivery_id))).toEqual(
      new Set([first?.id, second?.id, again.id]),
    );
    for (const attempt of chain.attempts)
      expect(attempt).toMatchObject({ number: 1, response_status: 200, error: null });
    expect(chain.attempts.at(-1)?.delivery_id).toBe(again.id);

    const drill = chain.drills[0]?.id ?? "";
    expect(first?.message_id).toBe(second?.message_id);
    for (const link of [event?.id, first?.message_id, first?.id, second?.id, again.id, drill, request.toUpperCase()])
      expect([link, await trace(link ?? "", world)]).toEqual([link, chain]);
  });

  test("without a change contains only the request", async () => {
    const refused = await service.call(jobsInsert, { repairer_site_id: site } as never, repairer);
    const id = refused.headers.get("x-request-id") ?? "";
    expect(await trace(id)).toEqual({
      ...{ id, request: expect.objectContaining({ id, status: 422 }), changes: [], events: [] },
      ...{ faults: [], deliveries: [], attempts: [], drills: [] },
    });
  });

  test("contains the subscription that a call created", async () => {
    const url = "http://127.0.0.1:9/traced";
    const { headers } = await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
    const chain = await trace(headers.get("x-request-id") ?? "");
    expect(chain.changes).toMatchObject([{ entity: "subscription", change: "inserted", label: url }]);
    expect(chain.request).toMatchObject({ operation: "webhooks.subscribe", status: 200 });
  });
});

describe("an ID without a trace", () => {
  test("of a job is refused with the list of its calls and their traces", async () => {
    const { id } = await service.ok(
      jobsInsert,
      { identity: { external: "many calls" }, repairer_site_id: site },
      repairer,
    );
    await service.ok(partsInsert, { job_identity: { id }, parts: [{ description: "Bonnet" }] }, repairer);
    const { status, body } = await refusal(id);
    expect([status, body]).toMatchObject([404, { message: expect.stringMatching(/requests\.list .*job_id/) }]);
    const { items } = await service.control(requestsList, { job_id: id });
    expect(items).toHaveLength(2);
    for (const one of items) expect((await trace(one.trace_id)).changes.length).toBeGreaterThan(0);
  });

  test("is refused if unknown", async () => {
    const { status, body } = await refusal("0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a");
    expect([status, body]).toMatchObject([
      404,
      { message: expect.stringMatching(/has nothing recorded with this ID/) },
    ]);
  });
});

describe("traces.list", () => {
  test("lists traces of the newest events with their delivery progress, even without a subscription", async () => {
    const world = "unheard";
    const insert = async (external: string) => {
      const job = { identity: { external }, repairer_site_id: site };
      const { headers } = await service.call(jobsInsert, job, repairer, { "x-sandbox-tenant": world });
      return headers.get("x-request-id");
    };
    const list = async (events: number) => (await service.control(tracesList, { world, events })).items;
    expect(await list(1)).toEqual([]);
    const ids = [await insert("one"), await insert("two")];
    expect(await list(1)).toEqual([{ id: ids[1], ...none, to_nobody: 1 }]);
    expect((await list(2)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const { integration_id } = repairer;
    const subscription = { integration_id, url: "http://127.0.0.1:9/nobody" };
    await service.post("/__webhooks/subscribe", subscription, { "x-sandbox-tenant": world });
    const third = await insert("three");
    await expect.poll(() => list(1)).toEqual([{ id: third, ...none, pending: 1, failed_attempts: 1 }]);
  });
});
