import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveriesList, subscriptionsDelete, subscriptionsList } from "../contract/control/operations.ts";
import { drillsGet, drillsRunAll } from "../contract/control/receiver-operations.ts";
import { clockAdvance } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import type { DrillName } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { type Received, RecordingReceiver } from "../testing/recording-receiver.ts";

const { webhook_secret: SECRET } = fixedCredentials.repairer;
const { webhook_secret: OTHER } = fixedCredentials.supplier;
let service: TestService;
let site = "";

beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

const headerOf = ({ headers }: Received): string | null => {
  const header = headers[SIGNATURE_HEADER];
  return typeof header === "string" ? header : null;
};
const refusalOf = (received: Received, secret: string = SECRET, body = received.body): 200 | 400 | 401 => {
  const { reason } = verifyNotification({ body, header: headerOf(received), secret, now: Date.now() });
  if (reason === null) return 200;
  return reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;
};
const afterMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Respond = (received: Received) => number | Promise<number>;

/** Verifies the reserialised body. */
const reserialising = (): Respond => (received) =>
  refusalOf(received, SECRET, Buffer.from(JSON.stringify(JSON.parse(received.body.toString("utf8")))));

/** Tries every secret it knows. */
const tryingAll = (): Respond => (received) => Math.min(refusalOf(received), refusalOf(received, OTHER));

/** Parses times with one fixed format. */
const strict = (): Respond => (received) => {
  const status = refusalOf(received);
  const isUsual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(received.envelope.webhook_timestamp);
  return status === 200 && !isUsual ? 400 : status;
};

/** Responds from a pool of fifteen, and refuses when it is exhausted. */
const crowded = (): Respond => {
  let busy = 0;
  return async (received) => {
    const status = refusalOf(received);
    if (status !== 200) return status;
    if (busy === 15) return 503;
    busy += 1;
    await afterMs(500);
    busy -= 1;
    return 200;
  };
};

/** Looks a message up and inserts it later, failing on a duplicate ID. */
const inTwoSteps = (): Respond => {
  const table = new Set<string>();
  return async (received) => {
    const status = refusalOf(received);
    const { message_id } = received.envelope;
    if (status !== 200 || table.has(message_id)) return status;
    await afterMs(100);
    if (table.has(message_id)) return 500;
    table.add(message_id);
    return 200;
  };
};

/** Runs every drill on a receiver of both integrations. @returns failed drills with their sentences */
const failedBy = async (respond: Respond): Promise<[DrillName, string][]> => {
  const hooks = await RecordingReceiver.start();
  hooks.answerWith(respond);
  for (const { integration_id } of [repairer, supplier])
    await service.post("/__webhooks/subscribe", { integration_id, url: hooks.url });
  const { items: subscriptions } = await service.control(subscriptionsList, {});
  const mine = subscriptions.filter(({ url }) => url === hooks.url);
  const id = mine.find(({ integration_id }) => integration_id === repairer.integration_id)?.id ?? "";
  const external = `mistakes-${id}`;
  await service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer);
  await expect
    .poll(async () => (await service.control(deliveriesList, { subscription_id: id })).items[0]?.status, {
      timeout: 8_000,
    })
    .toBe("delivered");
  const { items } = await service.control(drillsRunAll, { subscription_id: id });
  for (const one of mine) await service.control(subscriptionsDelete, { id: one.id });
  await hooks.stop();
  return items.flatMap(({ drill, latest }): [DrillName, string][] =>
    latest?.verdict === "failed" ? [[drill, latest.sentence]] : [],
  );
};

test("a correct receiver of two integrations passes all drills", async () => {
  expect(await failedBy((received) => refusalOf(received))).toEqual([]);
});

test("a correct receiver passes in a world with a moved clock", async () => {
  await service.control(clockAdvance, { seconds: 3 * 24 * 3_600 });
  expect(await failedBy((received) => refusalOf(received))).toEqual([]);
});

test.each([
  ["printed_differently", reserialising],
  ["other_integration", tryingAll],
  ["timestamp_forms", strict],
  ["twenty_at_once", crowded],
  ["same_moment", inTwoSteps],
] as const)(
  "%s: a receiver with exactly that mistake fails only that drill, which names the mistake",
  async (drill, of) => {
    const failed = await failedBy(of());
    expect(failed.map(([name]) => name)).toEqual([drill]);
    expect(failed[0]?.[1]).toContain(drills[drill].mistake);
  },
);

test("twenty concurrent requests arrive together, and each is recorded", async () => {
  const hooks = await RecordingReceiver.start();
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url: hooks.url });
  const { items: subscriptions } = await service.control(subscriptionsList, {});
  const id = subscriptions.find(({ url }) => url === hooks.url)?.id ?? "";
  await service.ok(jobsInsert, { identity: { external: "together" }, repairer_site_id: site }, repairer);
  await hooks.waitFor(1);
  let inside = 0;
  let most = 0;
  hooks.answerWith(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await afterMs(200);
    inside -= 1;
    return 200;
  });
  // Simultaneous runs don't affect each other.
  const runs = await Promise.all([1, 2].map(() => service.control(drillsRunAll, { subscription_id: id })));
  expect(most).toBeGreaterThanOrEqual(20);
  const ran = runs[0]?.items.find(({ drill }) => drill === "twenty_at_once")?.latest;
  expect(ran).toMatchObject({ verdict: "passed", sentence: "Acknowledged all 20 of them with 200." });
  const kept = runs[1]?.items.find(({ drill }) => drill === "twenty_at_once")?.latest?.id ?? "";
  expect((await service.control(drillsGet, { id: kept })).exchanges).toHaveLength(20);
  await hooks.stop();
});
