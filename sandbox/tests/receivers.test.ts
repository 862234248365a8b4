import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliveriesGet, deliveriesList, subscriptionsList } from "../contract/control/operations.ts";
import type { Receiver, ReceiverBehaviour } from "../contract/control/receiver-operations.ts";
import {
  drillsRunAll,
  receiversCreate,
  receiversDelete,
  receiversList,
  receiversReceived,
  receiversSet,
} from "../contract/control/receiver-operations.ts";
import { policiesSet, worldsList } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { drillNames } from "../contract/drill-names.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

const { integration_id, webhook_secret: SECRET } = fixedCredentials.repairer;
const NOBODY = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
let service: TestService;
let site = "";
let jobs = 0;

beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
});
afterAll(() => service.end());

const insertJob = () => {
  jobs += 1;
  return service.ok(jobsInsert, { identity: { external: `receiver-${jobs}` }, repairer_site_id: site }, repairer);
};
const create = (behaviour: Partial<ReceiverBehaviour> = {}) =>
  service.control(receiversCreate, { integration_id, behaviour });
const received = async ({ id }: Pick<Receiver, "id">) => (await service.control(receiversReceived, { id })).items;
const control = (operation: Operation, body: object) =>
  service.post<{ message: string }>(operationPath(operation), body, {
    authorization: `Bearer ${service.ready.control_token}`,
  });

/** Polls for a result. @throws after a timeout */
const until = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
  const end = Date.now() + 10_000;
  while (Date.now() < end) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("timed out waiting for a result");
};
/** Newest delivery to a receiver, once it has ended. */
const endedDelivery = (receiver: Receiver) =>
  until(async () => {
    const { items } = await service.control(deliveriesList, { integration_id });
    const [newest] = items.filter((one) => one.subscription_id === receiver.subscription_id);
    return newest && newest.status !== "pending" ? service.control(deliveriesGet, { id: newest.id }) : undefined;
  });

const notification = (changes: object = {}): string =>
  JSON.stringify({
    message_id: "m-1",
    webhook_timestamp: new Date().toISOString(),
    event_type: "repairer.jobs",
    integration_id,
    ...changes,
  });
const postTo = (url: string, body: string, signature: string | null = signBody(Buffer.from(body), SECRET)) =>
  service.raw(url.replace(service.baseUrl, ""), {
    headers: { "content-type": "application/json", ...(signature === null ? {} : { [SIGNATURE_HEADER]: signature }) },
    body,
  });

describe("a built-in receiver", () => {
  test("is created and subscribed in one step, and acts like a correct receiver", async () => {
    const receiver = await create();
    expect(receiver).toMatchObject({
      integration_id,
      url: `${service.baseUrl}/__receiver/${receiver.id}`,
      behaviour: { answer: "accept", first: null, verify: true, deduplicate: true },
      counted: 0,
      received: 0,
    });
    const { items } = await service.control(subscriptionsList, {});
    expect(items.find(({ id }) => id === receiver.subscription_id)).toMatchObject({
      url: receiver.url,
      integration_id,
    });
    const job = await insertJob();
    const delivery = await endedDelivery(receiver);
    expect(delivery).toMatchObject({ status: "delivered", attempts_made: 1, job_id: job.id });
    const [receipt] = await received(receiver);
    expect(receipt).toMatchObject({
      outcome: "accepted",
      status: 200,
      reason: null,
      repeat: false,
      message_id: delivery.message_id,
      event_type: "repairer.jobs",
      body_base64: delivery.attempts[0]?.request_body_base64,
      headers: expect.arrayContaining([[SIGNATURE_HEADER, expect.any(String)]]),
    });
    expect(receipt?.verification.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed", "passed"]);
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("passes every drill", async () => {
    const receiver = await create();
    await insertJob();
    await endedDelivery(receiver);
    const scorecard = await service.control(drillsRunAll, { subscription_id: receiver.subscription_id ?? "" });
    expect(scorecard).toMatchObject({ run: drillNames.length, passed: drillNames.length });
    // Its response reports deduplication.
    expect(scorecard.items.flatMap(({ drill, latest }) => (latest?.deduplicates ? [drill] : []))).toEqual([
      "duplicate",
      "same_moment",
    ]);
    const outcomes = (await received(receiver)).map(({ outcome, reason, repeat }) => `${outcome} ${reason} ${repeat}`);
    expect(outcomes.toSorted()).toEqual(
      [
        "accepted null false",
        "repeated null true",
        "repeated null true",
        // Reordered, same moment, reserialised, timestamp forms and twenty at once.
        ...Array.from({ length: 2 + 1 + 2 + 3 + 20 }, () => "accepted null false"),
        "repeated null true",
        "refused missing_signature true",
        ...Array.from({ length: 4 }, () => "refused bad_signature true"),
        "refused missing_timestamp true",
        "refused missing_timestamp true",
        "refused stale_timestamp true",
        "refused stale_timestamp true",
      ].toSorted(),
    );
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("fails the first notifications with its status, to show all attempts", async () => {
    const receiver = await create({ answer: "status", status: 503, first: 2 });
    await insertJob();
    const delivery = await endedDelivery(receiver);
    expect(delivery.status).toBe("delivered");
    expect(delivery.attempts.map((attempt) => attempt.response_status)).toEqual([503, 503, 200]);
    expect((await received(receiver)).map(({ outcome, status }) => [outcome, status])).toEqual([
      ["accepted", 200],
      ["failed", 503],
      ["failed", 503],
    ]);
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("restarts its count when its behaviour is set or reset, and keeps other values", async () => {
    const receiver = await create({ answer: "status", status: 418, first: 1, deduplicate: false });
    const statusesOf = async (count: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push((await postTo(receiver.url, notification())).status);
      return statuses;
    };
    expect(await statusesOf(2)).toEqual([418, 200]);
    const set = await service.control(receiversSet, { id: receiver.id, behaviour: { status: 500 } });
    expect(set).toMatchObject({ counted: 0, received: 2 });
    expect(set.behaviour).toEqual({ answer: "status", status: 500, first: 1, verify: true, deduplicate: false });
    expect(await statusesOf(2)).toEqual([500, 200]);
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("that times out keeps connections open without a response, and closes them when the service stops", async () => {
    const other = await startTestService();
    const receiver = await other.control(receiversCreate, { integration_id, behaviour: { answer: "time_out" } });
    const asked = fetch(receiver.url, { method: "POST", body: notification() }).then(
      () => "answered",
      () => "let go",
    );
    const receipt = await until(
      async () => (await other.control(receiversReceived, { id: receiver.id })).items[0] ?? undefined,
    );
    expect(receipt).toMatchObject({ outcome: "held", status: null });
    await other.end();
    expect(await asked).toBe("let go");
  }, 12_000);

  test("returns statuses without a body, and redirects without a target", async () => {
    const receiver = await create({ answer: "status", status: 204 });
    expect(await postTo(receiver.url, notification())).toMatchObject({ status: 204, text: "" });
    await service.control(receiversSet, { id: receiver.id, behaviour: { status: 302 } });
    const redirect = await postTo(receiver.url, notification());
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, null]);
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("is deleted with its subscription and pending deliveries", async () => {
    const receiver = await create({ answer: "status", status: 500 });
    await insertJob();
    await until(async () => (await received(receiver))[0]);
    expect(await service.control(receiversDelete, { id: receiver.id })).toEqual({ ok: true });
    const { items } = await service.control(receiversList, {});
    expect(items.map(({ id }) => id)).not.toContain(receiver.id);
    const subscriptions = (await service.control(subscriptionsList, {})).items.map(({ id }) => id);
    expect(subscriptions).not.toContain(receiver.subscription_id);
    expect((await postTo(receiver.url, notification())).status).toBe(404);
    expect((await control(receiversReceived, { id: receiver.id })).status).toBe(404);
  });

  test("belongs to its own world, and its arrivals are not calls of the world", async () => {
    const world = "receivers of their own";
    expect((await control(receiversCreate, { world, integration_id })).status).toBe(400);
    const receiver = await service.control(receiversCreate, { world: "receivers-1", integration_id });
    expect(receiver.url).toBe(`${service.baseUrl}/__receiver/${receiver.id}?world=receivers-1`);
    const lastCall = async () =>
      (await service.control(worldsList, {})).items.find(({ name }) => name === "receivers-1")?.last_active_at;
    const before = await lastCall();
    expect((await postTo(receiver.url, notification())).status).toBe(200);
    expect(await lastCall()).toBe(before);
    expect((await service.control(receiversReceived, { world: "receivers-1", id: receiver.id })).total).toBe(1);
    expect((await postTo(receiver.url.replace("-1", "-2"), notification())).status).toBe(404);
    const names = (await service.control(worldsList, {})).items.map(({ name }) => name);
    expect(names).not.toContain("receivers-2");
  });

  test("is listed by page", async () => {
    const receiver = await create();
    for (const message_id of ["1", "2", "3"]) await postTo(receiver.url, notification({ message_id }));
    const first = await service.control(receiversReceived, { id: receiver.id, limit: 2 });
    expect(first).toMatchObject({ total: 3, items: [{ message_id: "3" }, { message_id: "2" }] });
    const second = await service.control(receiversReceived, {
      id: receiver.id,
      limit: 2,
      cursor: first.next_cursor ?? "",
    });
    expect(second).toMatchObject({ next_cursor: null, items: [{ message_id: "1" }] });
    await service.control(receiversDelete, { id: receiver.id });
  });

  test("is refused if it doesn't exist, or with an invalid behaviour", async () => {
    const unknown = await control(receiversCreate, { integration_id: NOBODY });
    expect(unknown).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/this world has no such integration/) },
    });
    for (const behaviour of [{ status: 200 }, { status: 600 }, { answer: "other" }, { first: 0 }, { verify: 1 }])
      expect((await control(receiversCreate, { integration_id, behaviour })).status).toBe(400);
    for (const operation of [receiversDelete, receiversReceived])
      expect((await control(operation, { id: NOBODY })).status).toBe(404);
    expect((await control(receiversSet, { id: NOBODY, behaviour: {} })).status).toBe(404);
    expect((await postTo(`/__receiver/${NOBODY}`, notification())).status).toBe(404);
    expect((await postTo(`/__receiver/${NOBODY}?world=a&world=b`, notification())).status).toBe(404);
    expect((await service.raw(`/__receiver/${NOBODY}`, { method: "GET" })).status).toBe(405);
  });
});
