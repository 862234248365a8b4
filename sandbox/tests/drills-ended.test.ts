import { expect, test } from "vitest";
import { deliveriesList, subscriptionsList } from "../contract/control/operations.ts";
import {
  deliveriesSendDrill,
  drillsGet,
  drillsList,
  drillsRunAll,
  subscriptionsResume,
} from "../contract/control/receiver-operations.ts";
import { worldsCopy, worldsDelete, worldsList, worldsReset } from "../contract/control/world-operations.ts";
import { drillNames } from "../contract/drill-names.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const siteOf = async (service: TestService): Promise<string> => {
  const { items } = await service.ok(businessesList, {}, repairer);
  return items.find((one) => one.type === "repairer_site")?.id ?? "";
};
const subscribe = (service: TestService, url: string) =>
  service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });

test("a stop doesn't wait for a receiver that doesn't respond to a drill", async () => {
  const other = await startTestService();
  const hanging = await RecordingReceiver.start();
  await subscribe(other, hanging.url);
  await other.ok(jobsInsert, { identity: { external: "hanging" }, repairer_site_id: await siteOf(other) }, repairer);
  await hanging.waitFor(1);
  hanging.answerWith(() => new Promise(() => undefined));
  const { items } = await other.control(deliveriesList, {});
  const ran = other.control(deliveriesSendDrill, { id: items[0]?.id ?? "", drill: "stale" }).catch(() => null);
  await hanging.waitFor(2);
  await other.end();
  // Nothing is recorded; a response that still arrives reports none.
  expect((await ran)?.verdict ?? "failed").toBe("failed");
  await hanging.stop();
}, 9_000);

test("a run ends when its caller hangs up, and keeps its results", async () => {
  const service = await startTestService();
  const hanging = await RecordingReceiver.start();
  await subscribe(service, hanging.url);
  const [subscription] = (await service.control(subscriptionsList, {})).items;
  await service.ok(
    jobsInsert,
    { identity: { external: "given-up" }, repairer_site_id: await siteOf(service) },
    repairer,
  );
  await hanging.waitFor(1);
  // The duplicate goes first and is acknowledged; nothing after it gets a response.
  hanging.answerWith(() => (hanging.received.length <= 3 ? 200 : new Promise(() => undefined)));
  const caller = new AbortController();
  const ran = fetch(service.ready.base_url + operationPath(drillsRunAll), {
    method: "POST",
    headers: { authorization: `Bearer ${service.ready.control_token}`, "content-type": "application/json" },
    body: JSON.stringify({ subscription_id: subscription?.id ?? "" }),
    signal: caller.signal,
  }).then(
    () => "answered",
    () => "hung up",
  );
  await hanging.waitFor(3 + drillNames.length - 1);
  caller.abort();
  expect(await ran).toBe("hung up");
  await hanging.waitUntilLeft();
  const card = await service.control(drillsList, { subscription_id: subscription?.id ?? "" });
  expect(card.items.flatMap(({ drill, latest }) => (latest ? [[drill, latest.verdict]] : []))).toEqual([
    ["duplicate", "passed"],
  ]);
  await service.end();
  await hanging.stop();
}, 9_000);

test("a world resets during a run immediately, and the new one has no results", async () => {
  const service = await startTestService();
  const hanging = await RecordingReceiver.start();
  await subscribe(service, hanging.url);
  const site = await siteOf(service);
  await service.ok(jobsInsert, { identity: { external: "before" }, repairer_site_id: site }, repairer);
  await hanging.waitFor(1);
  hanging.answerWith(() => new Promise(() => undefined));
  const [delivery] = (await service.control(deliveriesList, {})).items;
  const ran = service.control(deliveriesSendDrill, { id: delivery?.id ?? "", drill: "stale" });
  await hanging.waitFor(2);
  const began = performance.now();
  await service.control(worldsReset, {});
  expect(performance.now() - began).toBeLessThan(3_000);
  await hanging.stop();
  const { id } = await ran;
  const kept = await service.post(
    operationPath(drillsGet),
    { id },
    { authorization: `Bearer ${service.ready.control_token}` },
  );
  expect(kept.status).toBe(404);
  await service.end();
});

test("a run in a world that is deleted meanwhile doesn't create it again", async () => {
  const service = await startTestService();
  const server = await RecordingReceiver.start();
  await subscribe(service, server.url);
  await service.ok(jobsInsert, { identity: { external: "gone" }, repairer_site_id: await siteOf(service) }, repairer);
  // A delivery that is still pending would be copied, sent from the copy, and delete it too early.
  await expect.poll(async () => (await service.control(deliveriesList, {})).items[0]?.status).toBe("delivered");
  const world = "copied";
  await service.control(worldsCopy, { to: world });
  const [subscription] = (await service.control(subscriptionsList, { world })).items;
  await service.control(subscriptionsResume, { world, id: subscription?.id ?? "" });
  server.answerWith(async () => {
    server.answerWith(() => 200);
    await service.control(worldsDelete, { world });
    return 200;
  });
  expect(
    await service.post(
      operationPath(drillsRunAll),
      { world, subscription_id: subscription?.id },
      { authorization: `Bearer ${service.ready.control_token}` },
    ),
  ).toMatchObject({ status: 404, body: { type: "no_such_world" } });
  expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toEqual(["default"]);
  await service.end();
  await server.stop();
});
