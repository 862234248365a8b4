import { randomUUID } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { accessCodesIssue, organizationsList, subscriptionsList } from "../contract/control/operations.ts";
import { subscriptionsPause } from "../contract/control/receiver-operations.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { businessesList, integrationsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  return () => service.end();
});

const subscribe = async (integration_id: string, world = "default") => {
  const url = "http://127.0.0.1:9/hooks";
  const { status, headers } = await service.post(
    "/__webhooks/subscribe",
    { integration_id, url },
    { "x-sandbox-tenant": world },
  );
  expect(status).toBe(200);
  return headers.get("x-request-id") ?? "";
};

/** An integration of a single world. */
const installedIn = async (world: string): Promise<string> => {
  await service.make(world);
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const { items } = await service.control(organizationsList, { world });
  const code = { world, client_id, organization_id: items[0]?.id ?? "", scope: "repairer" as const };
  const { access_code } = await service.control(accessCodesIssue, code);
  const install = { access_code, client_id, client_secret };
  return (await service.ok(integrationsInsert, install, undefined, { "x-sandbox-tenant": world })).integration_id;
};

const received = async (world = "default", token = service.ready.control_token) => {
  const { body } = await service.call(subscriptionsList, { world }, undefined, { authorization: `Bearer ${token}` });
  return new Map(body.items.map(({ integration_id, receives }) => [integration_id, receives]));
};

test("a subscription lists what its integration receives", async () => {
  for (const { integration_id } of [repairer, supplier]) await subscribe(integration_id);
  const found = await received();
  expect(found.get(repairer.integration_id)).toEqual({
    events: ["repairer.jobs", "repairer.procurements"],
    sentence:
      "A buyer’s integration: receives repairer.jobs and repairer.procurements. Events of other worlds need a subscription there.",
  });
  expect(found.get(supplier.integration_id)).toEqual({
    events: ["supplier.procurements"],
    sentence:
      "A supplier’s integration: receives supplier.procurements only. Events of other worlds need a subscription there.",
  });
});

test("for an unknown integration a subscription and its call say that nothing will be sent", async () => {
  const nobody = randomUUID();
  const call = await subscribe(nobody.toUpperCase());
  const nothing = { events: [], sentence: "No integration has this ID in this world. Nothing will be sent." };
  expect((await received()).get(nobody)).toEqual(nothing);
  expect((await service.control(requestsExplain, { id: call })).warning).toBe(nothing.sentence);
  const known = await subscribe(repairer.integration_id);
  expect(await service.control(requestsExplain, { id: known })).not.toHaveProperty("warning");
});

test("for another world’s integration a subscription names that world, if the reader has access", async () => {
  const id = await installedIn("qa");
  const call = await subscribe(id);
  const there = "This integration is in world qa, and its events happen there. Nothing will be sent from here.";
  expect((await received()).get(id)).toEqual({ events: [], sentence: there });
  expect((await service.control(requestsExplain, { id: call })).warning).toBe(there);
  const { token } = await service.control(tokensCreate, { name: "Partner", scope: "view" });
  const { sentence } = (await received("default", token)).get(id) ?? {};
  expect(sentence).toBe("No integration has this ID in this world. Nothing will be sent.");
});

test("a call says why its integration was sent nothing, and a subscription which fields were ignored", async () => {
  const explain = async (path: string, body: object, headers = {}) => {
    const id = (await service.post(path, body, headers)).headers.get("x-request-id") ?? "";
    return service.control(requestsExplain, { id });
  };
  const { items } = await service.ok(businessesList, {}, repairer);
  const repairer_site_id = items.find(({ type }) => type === "repairer_site")?.id;
  const insert = async (external: string) => {
    const job = { identity: { external }, repairer_site_id };
    return (await explain("/api/2026-01/repairer.jobs.insert", job, credentialHeaders(repairer))).notes;
  };
  const none =
    "No notification was sent to this integration: it had no subscription to this event in this world at that time.";
  expect(await insert("before")).toEqual([none]);
  const { integration_id } = repairer;
  const { ignored } = await explain("/__webhooks/subscribe", {
    integration_id,
    url: "http://127.0.0.1:9/",
    secret: "x",
  });
  expect(ignored.map(({ pointer }) => pointer)).toEqual(["/secret"]);
  expect(await insert("sent")).toBeUndefined();
  const [subscription] = (await service.control(subscriptionsList, {})).items;
  await service.control(subscriptionsPause, { id: subscription?.id ?? "" });
  expect(await insert("paused")).toEqual(["The subscription is paused, so the notification waits."]);
});

test("a developer machine's filter limits its listed events", async () => {
  const listening = new AbortController();
  onTestFinished(() => listening.abort());
  const listen = async (event_type: string) => {
    const { integration_id } = repairer;
    const asked = new URLSearchParams({ world: "default", name: "anna", integration_id, event_type });
    const headers = { authorization: `Bearer ${service.ready.control_token}` };
    const { status } = await fetch(`${service.baseUrl}/__sandbox/listen?${asked}`, {
      headers,
      signal: listening.signal,
    });
    expect(status).toBe(200);
    return (await received()).get(integration_id);
  };
  expect(await listen("repairer.jobs")).toEqual({
    events: ["repairer.jobs"],
    sentence: "A buyer’s integration: receives repairer.jobs only. Events of other worlds need a subscription there.",
  });
  expect(await listen("supplier.procurements")).toEqual({
    events: [],
    sentence:
      "A buyer’s integration receives repairer.jobs and repairer.procurements; this one asks for supplier.procurements. Nothing will be sent.",
  });
});
