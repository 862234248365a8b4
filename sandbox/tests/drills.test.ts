import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  deliveriesGet,
  deliveriesList,
  subscriptionsDelete,
  subscriptionsList,
} from "../contract/control/operations.ts";
import type { Scorecard } from "../contract/control/receiver-operations.ts";
import { deliveriesSendDrill, drillsGet, drillsList, drillsRunAll } from "../contract/control/receiver-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { type Received, RecordingReceiver } from "../testing/recording-receiver.ts";

const SECRET = fixedCredentials.repairer.webhook_secret;
let service: TestService;
let hooks: RecordingReceiver;
let site = "";
let jobs = 0;

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
const reasonOf = (received: Received) =>
  verifyNotification({ body: received.body, header: headerOf(received), secret: SECRET, now: Date.now() }).reason;

/** Responds like the reference sink. */
const correct = (received: Received): number => {
  const reason = reasonOf(received);
  if (reason === null) return 200;
  return reason === "missing_signature" || reason === "bad_signature" ? 401 : 400;
};

const insertJob = () => {
  jobs += 1;
  return service.ok(jobsInsert, { identity: { external: `drill-${jobs}` }, repairer_site_id: site }, repairer);
};
const subscribe = async (url: string): Promise<string> => {
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
  const { items } = await service.control(subscriptionsList, {});
  return items.find((one) => one.url === url)?.id ?? "";
};
const control = (operation: Parameters<typeof operationPath>[0], body: object) =>
  service.post<{ type: string; message: string }>(operationPath(operation), body, {
    authorization: `Bearer ${service.ready.control_token}`,
  });

describe("drills on a receiver", () => {
  let subscription = "";
  let delivery = "";
  beforeEach(async () => {
    hooks = await RecordingReceiver.start();
    hooks.answerWith(correct);
    subscription = await subscribe(hooks.url);
    await insertJob();
    await hooks.waitFor(1);
    await nonePending();
  });
  afterEach(async () => {
    await control(subscriptionsDelete, { id: subscription });
    await hooks.stop();
  });

  /** Waits until no delivery is pending, so that only a drill could change one. */
  const nonePending = async (): Promise<void> => {
    for (;;) {
      const { items } = await service.control(deliveriesList, { integration_id: repairer.integration_id });
      const mine = items.filter((one) => one.subscription_id === subscription);
      delivery = mine[0]?.id ?? "";
      if (mine.length > 0 && mine.every((one) => one.status !== "pending")) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  const verdicts = (scorecard: Scorecard): Partial<Record<DrillName, string>> =>
    Object.fromEntries(scorecard.items.map(({ drill, latest }) => [drill, latest?.verdict]));

  test.each(drillNames)("%s: is sent byte for byte as described, and a correct receiver passes", async (drill) => {
    const before = await service.control(deliveriesGet, { id: delivery });
    const had = hooks.received.length;
    const ran = await service.control(deliveriesSendDrill, { id: delivery, drill });
    expect(ran).toMatchObject({
      drill,
      verdict: "passed",
      expected: drills[drill].expects,
      delivery_id: delivery,
      subscription_id: subscription,
      trace_id: before.trace_id,
      url: hooks.url,
    });
    const arrived = hooks.received.slice(had);
    expect(arrived.map(({ body }) => body.toString("base64"))).toEqual(
      ran.exchanges.map(({ request_body_base64 }) => request_body_base64),
    );
    expect(arrived.map(headerOf)).toEqual(
      ran.exchanges.map(
        ({ request_headers }) => request_headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null,
      ),
    );
    expect(arrived.map(({ headers }) => headers)).toEqual(
      ran.exchanges.map(({ request_headers }) => Object.fromEntries(request_headers)),
    );
    expect(arrived.map(reasonOf)).toEqual(arrived.map(() => drills[drill].expects.reason));
    for (const exchange of ran.exchanges) {
      expect(exchange).toMatchObject({
        response_status: drills[drill].expects.status,
        error: null,
        verdict: "passed",
      });
      expect(Buffer.from(exchange.response_body_base64, "base64").toString("utf8")).toBe('{"ok":true}');
      expect(exchange.verification).toHaveLength(4);
    }
    expect(await service.control(deliveriesGet, { id: delivery })).toEqual(before);
    expect(await service.control(drillsGet, { id: ran.id })).toEqual(ran);
  });

  test("the scorecard is empty at first, and complete for a correct receiver", async () => {
    const empty = await service.control(drillsList, { subscription_id: subscription });
    expect(empty).toMatchObject({ run: 0, passed: 0, newest_delivery: { id: delivery } });
    expect(empty.items.map(({ drill, latest }) => [drill, latest])).toEqual(drillNames.map((drill) => [drill, null]));
    const scorecard = await service.control(drillsRunAll, { subscription_id: subscription });
    expect(scorecard).toMatchObject({ run: drillNames.length, passed: drillNames.length });
    expect(await service.control(drillsList, { subscription_id: subscription })).toEqual(scorecard);
  });

  test("a receiver that accepts everything passes only the drills that must be accepted", async () => {
    hooks.answerWith(() => 200);
    const scorecard = await service.control(drillsRunAll, { subscription_id: subscription });
    const mustAccept = drillNames.filter((drill) => drills[drill].expects.answer === "acknowledge");
    expect(scorecard).toMatchObject({ run: drillNames.length, passed: mustAccept.length });
    for (const { drill, latest } of scorecard.items)
      expect(latest?.sentence).toMatch(
        drills[drill].expects.answer === "acknowledge" ? /^Acknowledged (both|all)/ : /ccepted it; must refuse it/,
      );
  });

  test("a receiver that deduplicates before verifying accepts a recorded notification", async () => {
    const seen = new Set<string>(hooks.received.map(({ envelope }) => envelope.message_id));
    hooks.answerWith((received) => (seen.has(received.envelope.message_id) ? 200 : correct(received)));
    expect(verdicts(await service.control(drillsRunAll, { subscription_id: subscription }))).toMatchObject({
      stale: "failed",
      flipped_byte: "failed",
    });
  });

  test("each drill is on the live feed, in the trace of its event, without its bytes", async () => {
    const abort = new AbortController();
    const feed = await fetch(`${service.baseUrl}/__sandbox/live`, {
      headers: { authorization: `Bearer ${service.ready.control_token}` },
      signal: abort.signal,
    });
    const ran = await service.control(deliveriesSendDrill, { id: delivery, drill: "stale" });
    let text = "";
    for await (const chunk of feed.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes(ran.id)) break;
    }
    abort.abort();
    const entry = text.split("\n\n").find((block) => block.includes(ran.id)) ?? "";
    expect(entry).toContain("event: drill\n");
    const { exchanges: _sent, expected: _expected, ...row } = ran;
    const data = JSON.parse(entry.slice(entry.indexOf("data: ") + 6).split("\n")[0] ?? "null") as object;
    expect(data).toMatchObject({ kind: "drill", trace_id: ran.trace_id, data: row });
  });

  test("results end with their subscription", async () => {
    const ran = await service.control(deliveriesSendDrill, { id: delivery, drill: "stale" });
    await service.control(subscriptionsDelete, { id: subscription });
    expect((await control(drillsGet, { id: ran.id })).status).toBe(404);
    expect((await control(drillsList, { subscription_id: subscription })).status).toBe(404);
    const refused = await control(deliveriesSendDrill, { id: delivery, drill: "stale" });
    expect(refused).toMatchObject({ status: 404, body: { message: expect.stringMatching(/was deleted/) } });
  });

  test("a subscription without deliveries has no message for drills", async () => {
    const other = await subscribe(`${hooks.url}/other`);
    const nothing = await control(drillsRunAll, { subscription_id: other });
    expect(nothing).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/^This subscription has no deliveries/) },
    });
    await service.control(subscriptionsDelete, { id: other });
  });
});

test("an unknown delivery, subscription or drill is refused with a sentence", async () => {
  const id = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
  expect((await control(deliveriesSendDrill, { id, drill: "stale" })).status).toBe(404);
  expect((await control(drillsList, { subscription_id: id })).status).toBe(404);
  expect((await control(drillsRunAll, { subscription_id: id })).status).toBe(404);
  expect((await control(drillsGet, { id })).status).toBe(404);
  expect((await control(deliveriesSendDrill, { id, drill: "other" })).status).toBe(400);
  expect((await control(deliveriesSendDrill, { drill: "stale" })).status).toBe(400);
});

test("a service without deliveries runs no drills, and says why", async () => {
  const silent = await startTestService(undefined, { deliveries: false });
  try {
    await silent.post("/__webhooks/subscribe", {
      integration_id: repairer.integration_id,
      url: "http://127.0.0.1:9/hooks",
    });
    await silent.ok(jobsInsert, { identity: { external: "silent" }, repairer_site_id: site }, repairer);
    const { items } = await silent.control(deliveriesList, {});
    const refused = await silent.post(
      operationPath(deliveriesSendDrill),
      { id: items[0]?.id, drill: "stale" },
      { authorization: `Bearer ${silent.ready.control_token}` },
    );
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/--deliveries on/) } });
  } finally {
    await silent.end();
  }
});
