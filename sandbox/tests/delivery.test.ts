import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accessCodesIssue, deliveriesGet, deliveriesList, organizationsList } from "../contract/control/operations.ts";
import { clockAdvance, clockReset, policiesSet } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import {
  integrationsInsert,
  jobsDelete,
  jobsInsert,
  procurementsCancel,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import * as shapes from "../testing/contract-shapes.ts";
import { repairer, startTestService, supplier, type TestCredential, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { type Received, RecordingReceiver } from "../testing/recording-receiver.ts";
import { expectShape } from "../testing/shape.ts";

let service: TestService;
let site = "";
let worlds = 0;
const receivers: RecordingReceiver[] = [];
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.stop();
  await service.end();
});

/** A new world for each test, to keep subscriptions apart. */
const newWorld = () => {
  worlds += 1;
  const world = `delivery-${worlds}`;
  return { world, tenant: { "x-sandbox-tenant": world } as Record<string, string> };
};
type World = ReturnType<typeof newWorld>;

const subscribe = async ({ tenant }: World, integration_id: string, url: string): Promise<void> => {
  expect((await service.post("/__webhooks/subscribe", { integration_id, url }, tenant)).status).toBe(200);
};
const receiver = async (world: World, integration_id: string): Promise<RecordingReceiver> => {
  const one = await RecordingReceiver.start();
  receivers.push(one);
  await subscribe(world, integration_id, one.url);
  return one;
};
const insert = (world: World, external: string, more: object = {}, by = repairer) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site, ...more }, by, world.tenant);
const install = async ({ world, tenant }: World, organization: string): Promise<TestCredential> => {
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const { items } = await service.control(organizationsList, { world });
  const found = items.find((one) => one.name === organization);
  const asked = { world, client_id, organization_id: found?.id ?? "", scope: "repairer" as const };
  const { access_code } = await service.control(accessCodesIssue, asked);
  return service.ok(integrationsInsert, { access_code, client_id, client_secret }, undefined, tenant);
};
const jobIds = (received: readonly Received[]) =>
  received.map(({ envelope }) => ("job_id" in envelope.payload ? envelope.payload.job_id : ""));
const ended = (world: World) =>
  expect
    .poll(async () => (await service.control(deliveriesList, { world: world.world, status: "pending" })).total, {
      timeout: 10_000,
    })
    .toBe(0);

describe("recipients", () => {
  test("D70: are all subscribed integrations of the organization on the event's side, each with its own message_id", async () => {
    const world = newWorld();
    const second = await install(world, "Tarn & Rowe Collision");
    const unsubscribed = await install(world, "Tarn & Rowe Collision");
    const neighbour = await install(world, "Brindle Panelworks");
    const mine = await receiver(world, repairer.integration_id);
    const hers = await receiver(world, second.integration_id);
    const strangers = [await receiver(world, neighbour.integration_id), await receiver(world, supplier.integration_id)];
    const { id } = await insert(world, "told", {}, unsubscribed);
    const [first] = await mine.waitFor(1);
    const [other] = await hers.waitFor(1);
    expect([jobIds(mine.received), jobIds(hers.received)]).toEqual([[id], [id]]);
    expect([first?.envelope.integration_id, other?.envelope.integration_id]).toEqual([
      repairer.integration_id,
      second.integration_id,
    ]);
    expect(first?.envelope.message_id).not.toBe(other?.envelope.message_id);
    await ended(world);
    expect((await service.control(deliveriesList, { world: world.world })).total).toBe(2);
    for (const stranger of strangers) expect(stranger.received).toEqual([]);
  });

  test("get a call's W3C trace context with each attempt, unless it is invalid", async () => {
    const world = newWorld();
    const [mine, also] = [
      await receiver(world, repairer.integration_id),
      await receiver(world, repairer.integration_id),
    ];
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traced = { ...world, tenant: { ...world.tenant, traceparent: `00-${trace}-00f067aa0ba902b7-01` } };
    await insert(traced, "traced");
    const sent = [...(await mine.waitFor(1)), ...(await also.waitFor(1))];
    const contexts = sent.map(({ headers }) => headers.traceparent);
    for (const context of contexts)
      expect(context).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
    expect(new Set(contexts).size).toBe(2);
    await insert({ ...world, tenant: { ...world.tenant, traceparent: "00-nothing" } }, "broken");
    expect((await mine.waitFor(2))[1]?.headers).not.toHaveProperty("traceparent");
  });

  test("D71: include every url of an integration once, with the same message_id", async () => {
    const world = newWorld();
    const [one, two] = [await receiver(world, repairer.integration_id), await receiver(world, repairer.integration_id)];
    await subscribe(world, repairer.integration_id, one.url);
    await insert(world, "two urls");
    const [first, second] = [(await one.waitFor(1))[0], (await two.waitFor(1))[0]];
    await ended(world);
    expect([one.received.length, two.received.length]).toEqual([1, 1]);
    expect(first?.envelope.message_id).toBe(second?.envelope.message_id);
  });

  test("D74 and D75: get inserted, updated, deleted, requested and confirmed events of their side, and no cancellation", async () => {
    const world = newWorld();
    const mine = await receiver(world, repairer.integration_id);
    const theirs = await receiver(world, supplier.integration_id);
    const { id, job_id } = await placeOrder(service, "all events", world.tenant);
    await insert(world, "all events", { if_: { exists: "update" } });
    await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, world.tenant);
    const cancelled = await placeOrder(service, "cancelled", world.tenant);
    await service.ok(procurementsCancel, { identity: { id: cancelled.id } }, repairer, world.tenant);
    await service.ok(jobsDelete, { identity: { id: cancelled.job_id } }, repairer, world.tenant);
    const job = (job_id: string, change_action: string) => ["repairer.jobs", { job_id, change_action }];
    const order = (side: string, one: { id: string; job_id: string }, status: string) => [
      `${side}.procurements`,
      { procurement_id: one.id, job_id: one.job_id, status },
    ];
    const eventsOf = (received: readonly Received[]) =>
      received.map(({ envelope }) => [envelope.event_type, envelope.payload]);
    expect(eventsOf(await mine.waitFor(7))).toEqual([
      job(job_id, "inserted"),
      order("repairer", { id, job_id }, "order_requested"),
      job(job_id, "updated"),
      order("repairer", { id, job_id }, "order_confirmed"),
      job(cancelled.job_id, "inserted"),
      order("repairer", cancelled, "order_requested"),
      job(cancelled.job_id, "deleted"),
    ]);
    expect(eventsOf(await theirs.waitFor(3))).toEqual([
      order("supplier", { id, job_id }, "order_requested"),
      order("supplier", { id, job_id }, "order_confirmed"),
      order("supplier", cancelled, "order_requested"),
    ]);
    await ended(world);
    expect([mine.received.length, theirs.received.length]).toEqual([7, 3]);
    const received = [...mine.received, ...theirs.received];
    for (const { envelope } of received) expectShape(envelope, shapes.envelope);
    expect(new Set(received.map((one) => one.envelope.message_id)).size).toBe(10);
  });
});

describe("delivery", () => {
  const { webhook_secret: secret } = fixedCredentials.repairer;
  const signatureOf = ({ headers }: Received): string => String(headers[SIGNATURE_HEADER]);
  const verified = ({ body, headers }: Received) =>
    verifyNotification({ body, header: String(headers[SIGNATURE_HEADER]), secret, now: Date.now() }).reason;

  test("to a silent receiver doesn't block calls", async () => {
    const world = newWorld();
    const slow = await receiver(world, repairer.integration_id);
    const pendingResponses: (() => void)[] = [];
    slow.answerWith(() => new Promise((resolve) => pendingResponses.push(() => resolve(200))));
    const first = await insert(world, "held 1");
    await slow.waitFor(1);
    const second = await insert(world, "held 2");
    expect(slow.received).toHaveLength(1);
    pendingResponses[0]?.();
    await slow.waitFor(2);
    pendingResponses[1]?.();
    expect(jobIds(slow.received)).toEqual([first.id, second.id]);
    await ended(world);
  });

  test("D72: is acknowledged only by 200, with a signature over each attempt's timestamp and the same message_id", async () => {
    const world = newWorld();
    await service.control(policiesSet, { world: world.world, policies: { webhook_retries: "fast" } });
    const statuses = [201, 202, 204, 299, 301, 400, 404, 410, 500, 503];
    const refusing = await Promise.all(
      statuses.map(async (status) => {
        const one = await receiver(world, repairer.integration_id);
        one.answerWith((_, count) => (count === 1 ? status : 200));
        return one;
      }),
    );
    await insert(world, "attempted twice");
    for (const one of refusing) {
      const [first, second] = await one.waitFor(2);
      if (!first || !second) throw new Error("two attempts were awaited");
      expect(second.envelope).toEqual({ ...first.envelope, webhook_timestamp: second.envelope.webhook_timestamp });
      expect(second.envelope.webhook_timestamp > first.envelope.webhook_timestamp).toBe(true);
      expect(signatureOf(second)).not.toBe(signatureOf(first));
      expect([verified(first), verified(second)]).toEqual([null, null]);
    }
    await ended(world);
    expect(refusing.map((one) => one.received.length)).toEqual(statuses.map(() => 2));
  });

  test("D72: follows no redirect, and retries after a broken connection", async () => {
    const world = newWorld();
    await service.control(policiesSet, { world: world.world, policies: { webhook_retries: "fast" } });
    const target = await RecordingReceiver.start();
    receivers.push(target);
    let calls = 0;
    const server = http.createServer((request, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(307, { location: target.url }).end();
      else if (calls === 2) request.socket.destroy();
      else response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await subscribe(world, repairer.integration_id, url);
    await insert(world, "redirected");
    await ended(world);
    expect([calls, target.received.length]).toEqual([3, 0]);
    const [row] = (await service.control(deliveriesList, { world: world.world })).items;
    const { attempts, status } = await service.control(deliveriesGet, { world: world.world, id: row?.id ?? "" });
    expect([status, attempts.map((one) => one.response_status)]).toEqual(["delivered", [307, null, 200]]);
    server.closeAllConnections();
    server.close();
  });

  test("D72: fails an attempt without a response for ten seconds, and retries", async () => {
    const world = newWorld();
    await service.control(policiesSet, { world: world.world, policies: { webhook_retries: "fast" } });
    // Runs the ten-second timeout ten times as fast.
    const later = setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation((run, ms) => later(run, ms === 10_000 ? 1_000 : ms));
    const stuck = await receiver(world, repairer.integration_id);
    stuck.answerWith((_, count) => (count === 1 ? new Promise(() => undefined) : 200));
    await insert(world, "stuck");
    await ended(world);
    const [row] = (await service.control(deliveriesList, { world: world.world })).items;
    const { attempts } = await service.control(deliveriesGet, { world: world.world, id: row?.id ?? "" });
    expect(attempts.map(({ response_status, error }) => [response_status, error])).toEqual([
      [null, expect.stringContaining("10 s")],
      [200, null],
    ]);
  });

  test("D72: ends after one failed attempt without retries, and waits with the standard ones", async () => {
    for (const [webhook_retries, status] of [
      ["none", "failed"],
      ["standard", "pending"],
    ] as const) {
      const world = newWorld();
      await service.control(policiesSet, { world: world.world, policies: { webhook_retries } });
      const refusing = await receiver(world, repairer.integration_id);
      refusing.answerWith(() => 500);
      await insert(world, "refused");
      await refusing.waitFor(1);
      const row = async () => (await service.control(deliveriesList, { world: world.world })).items[0];
      await expect.poll(async () => (await row())?.attempts_made, { timeout: 10_000 }).toBe(1);
      expect(await row()).toMatchObject({
        status,
        next_attempt_at: status === "failed" ? null : expect.any(String),
      });
    }
  });

  test("D73: keeps the order of events, and isn't blocked by a failing one", async () => {
    const world = newWorld();
    const picky = await receiver(world, repairer.integration_id);
    const ids: string[] = [];
    picky.answerWith(({ envelope }) =>
      "job_id" in envelope.payload && envelope.payload.job_id === ids[0] ? 500 : 200,
    );
    for (let count = 0; count < 12; count += 1) ids.push((await insert(world, `in order ${count}`)).id);
    expect(jobIds(await picky.waitFor(12))).toEqual(ids);
  });

  test("D84: event times use the world's clock, stamps use real time, so they verify at any clock", async () => {
    const world = newWorld();
    const mine = await receiver(world, repairer.integration_id);
    await service.control(clockAdvance, { world: world.world, seconds: 86_400 });
    const before = Date.now();
    await insert(world, "tomorrow");
    const [received] = await mine.waitFor(1);
    if (!received) throw new Error("a notification was awaited");
    const { event_timestamp, webhook_timestamp } = received.envelope;
    expect(Date.parse(event_timestamp)).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(Date.parse(webhook_timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(webhook_timestamp)).toBeLessThan(before + 86_400_000);
    expect(verified(received)).toBeNull();
    await service.control(clockReset, { world: world.world });
  });
});
