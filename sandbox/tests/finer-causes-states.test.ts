import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, partnerOperations, supplierProcurementsConfirm } from "../contract/operations/partner.ts";
import {
  credentialHeaders,
  repairer,
  startTestService,
  supplier,
  type TestCredential,
  type TestService,
} from "../testing/harness.ts";
import { buildSeedWorld } from "../worlds/seed/seed-world.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const seed = buildSeedWorld();
const [buyer, seller] = [repairer, supplier].map(
  (key) => seed.credentials.find(({ integration_id }) => integration_id === key.integration_id)?.organization_id,
);
const identity = {
  id: seed.procurements.find(
    ({ status, buyer_organization_id, supplier_organization_id }) =>
      status === "order_requested" && buyer_organization_id === buyer && supplier_organization_id === seller,
  )?.id,
};
const send = (id: string, body: unknown, world: string, as: TestCredential = repairer, headers = {}) => {
  const operation = partnerOperations.find((one) => one.id === id);
  return service.post(operation ? operationPath(operation) : id, body, {
    ...{ ...credentialHeaders(as), "x-sandbox-tenant": world },
    ...headers,
  });
};
const explain = (answer: { readonly headers: Headers }, world: string) =>
  service.control(requestsExplain, { world, id: answer.headers.get("x-request-id") ?? "" });
const refusal = async (id: string, body: unknown, world: string, as?: TestCredential) =>
  (await explain(await send(id, body, world, as), world)).refusal;

test("tells who cancelled an order", async () => {
  await send("procurements.cancel", { identity }, "states-cancelled");
  expect((await refusal(supplierProcurementsConfirm.id, { identity }, "states-cancelled", supplier))?.sentence).toMatch(
    /^The order can’t be confirmed: the buyer cancelled it, .* before this call\.$/,
  );
  expect((await refusal("procurements.cancel", { identity }, "states-cancelled"))?.sentence).toMatch(
    /^The order is already cancelled: a call with the same key did so, /,
  );
});

test("tells who deleted an order’s job", async () => {
  const world = "states-deleted";
  const job_identity = { external: "deleted" };
  const site = seed.businesses.find(
    ({ type, organization_id }) => type === "repairer_site" && organization_id === buyer,
  );
  await send("repairer.jobs.insert", { identity: job_identity, repairer_site_id: site?.id }, world);
  await send("repairer.jobs.parts.insert", { job_identity, parts: [{ description: "Front bumper" }] }, world);
  const basket = await send("repairer.jobs.baskets.latest.get", { job_identity }, world);
  const { offers } = basket.body as { offers: { sellable_id: string }[] };
  const placed = await send(
    "repairer.procurements.place",
    { job_identity, sellable_ids: [offers[0]?.sellable_id] },
    world,
  );
  const [order] = (placed.body as { items: { id: string }[] }).items;
  await send("procurements.cancel", { identity: order }, world);
  const deleted = await send("repairer.jobs.delete", { identity: job_identity }, world);
  expect(await refusal("repairer.procurements.get", { identity: { id: order?.id } }, world)).toMatchObject({
    ...{ cause: "job_deleted", earlier: deleted.headers.get("x-request-id") },
    sentence: expect.stringMatching(/^A call with the same key deleted the order’s job, and the order with it, /),
  });
});

test("doesn’t say who confirmed an order if no call on record did", async () => {
  const confirmed = seed.procurements.find(
    ({ status, buyer_organization_id }) => status === "order_confirmed" && buyer_organization_id === buyer,
  );
  const told = await refusal("procurements.cancel", { identity: { id: confirmed?.id } }, "states-seeded");
  expect(told).toMatchObject({ cause: "cancel_of_confirmed" });
  expect(told?.earlier).toBeUndefined();
});

test("tells that an order was confirmed by a call whose response was lost", async () => {
  const world = "states-lost";
  await service.control(policiesSet, { world, policies: { confirm_when_confirmed: "reject" } });
  const effect = { drop: { when: "after" as const } };
  await service.control(faultsSet, { world, operation: supplierProcurementsConfirm.id, effect, uses: 1 });
  await send(supplierProcurementsConfirm.id, { identity }, world, supplier).catch(() => undefined);
  const again = await refusal(supplierProcurementsConfirm.id, { identity }, world, supplier);
  expect(again).toMatchObject({
    cause: "confirmed_already",
    earlier: expect.any(String),
    whose_side: "fault",
    sentence: expect.stringMatching(
      /: a call with the same key did so, .* before this call\. A fault left it without a response\. This world’s setting `confirm_when_confirmed` is `reject`: /,
    ),
  });
});

test("tells of which job an offer is, and which job has a number", async () => {
  const world = "states-offers";
  const place = requestExamples["repairer.procurements.place"];
  await send("repairer.jobs.baskets.latest.get", { job_identity: place.job_identity }, world);
  const other = { job_identity: { external: "estimate:88213" }, sellable_ids: place.sellable_ids };
  expect((await refusal("repairer.procurements.place", other, world))?.sentence).toMatch(
    /^The offer is of job .*, whose basket was read with this key before\.$/,
  );
  const repairer_site_id = requestExamples["repairer.jobs.insert"].repairer_site_id;
  const taken = { identity: { external: "new" }, repairer_site_id, job_number: "J-20418" };
  expect((await refusal("repairer.jobs.insert", taken, world))?.sentence).toMatch(
    /^Job `[0-9a-f-]{36}` \(`external`: `estimate:88213`\) of the site has this number\.$/,
  );
});

test("recognises a plate as an external ID, and one form of a name ending in s", async () => {
  const { plate_number } =
    seed.jobs.find(({ organization_id, vehicle }) => organization_id === buyer && vehicle?.plate_number)?.vehicle ?? {};
  expect((await refusal("repairer.jobs.get", { identity: { external: plate_number } }, "default"))?.sentence).toMatch(
    /^`external` holds the job’s plate number\./,
  );
  const site = seed.businesses.find(
    ({ type, organization_id }) => type === "repairer_site" && organization_id !== buyer,
  );
  const body = { identity: { external: "new" }, repairer_site_id: site?.id };
  expect((await refusal("repairer.jobs.insert", body, "default"))?.sentence).not.toContain("s’s");
});

test("names the host that isn’t served, the byte that isn’t UTF-8, and a header of OAuth", async () => {
  // fetch can't set this header.
  const id = await new Promise<unknown>((resolve) => {
    const path = operationPath(businessesList);
    const headers = { ...credentialHeaders(repairer), host: "host.docker.internal:4026" };
    const options = { method: "POST", path, headers };
    http.request(service.baseUrl, options, (response) => resolve(response.resume().headers["x-request-id"])).end();
  });
  const { refusal: host } = await service.control(requestsExplain, { id: String(id) });
  expect(host?.sentence).toMatch(/names the host host\.docker\.internal,/);
  expect(host?.what_to_do).toContain("`--allow-host host.docker.internal`");
  const latin = await service.raw(operationPath(supplierProcurementsConfirm), {
    headers: { ...credentialHeaders(supplier), "content-type": "application/json" },
    body: new Uint8Array(Buffer.from('{\n"identity": "Müller"}', "latin1")),
  });
  const encoded = (await explain(latin, "default")).refusal;
  expect(encoded?.sentence).toMatch(/the byte 0xFC, `ü` in Latin-1, is at line 2, column 15\.$/);
  expect(encoded?.place).toEqual({ line: 2, column: 15 });
  const basic = { authorization: `Basic ${btoa("demo-client:secret")}` };
  const { notes } = await explain(
    await send("integrations.insert", { access_code: "ac_x" }, "default", repairer, basic),
    "default",
  );
  expect(notes).toContain("The header authorization was ignored. Send client_id and client_secret in the body.");
});

test("tells that the job of a call was inserted after it", async () => {
  const world = "states-later";
  const identity = { external: "raced" };
  const answer = await send("repairer.jobs.get", { identity }, world);
  const repairer_site_id = seed.businesses.find(({ type }) => type === "repairer_site")?.id;
  expect((await send("repairer.jobs.insert", { identity, repairer_site_id }, world)).status).toBe(200);
  const { refusal, correction } = await explain(answer, world);
  expect(refusal?.sentence).toMatch(/ This one was inserted .* after the call\.$/);
  expect(refusal?.what_to_do).toBe("Wait for the response of the insert, then send the call again.");
  expect(correction).toBeNull();
});

test("tells the world of a job whose ID an insert repeats elsewhere", async () => {
  const repairer_site_id = seed.businesses.find(({ type }) => type === "repairer_site")?.id;
  const inserted = await send(
    "repairer.jobs.insert",
    { identity: { external: "one" }, repairer_site_id },
    "states-one",
  );
  const { id } = inserted.body as { readonly id: string };
  const repeated = await refusal("repairer.jobs.insert", { identity: { id }, repairer_site_id }, "states-two");
  expect(repeated).toMatchObject({
    sentence: expect.stringContaining("This job is in world states-one."),
    what_to_do: "Send `x-sandbox-tenant: states-one` with the call.",
  });
});

test("says nothing of credentials in the body of a subscription, which names the integration", async () => {
  const world = "states-subscribe";
  await service.control(policiesSet, { world, policies: { subscribe_credentials: "required" } });
  const body = { integration_id: repairer.integration_id, url: "http://127.0.0.1:9/" };
  const answer = await service.post("/__webhooks/subscribe", body, { "x-sandbox-tenant": world });
  expect(answer.status).toBe(401);
  const { refusal: why } = await explain(answer, world);
  expect(why).toMatchObject({
    ...{ cause: "subscription_credentials", whose_side: "sandbox", section: "Events: Subscription" },
    sentence:
      "The `Authorization` and the `Service-Integration-ID` headers are missing. A subscription needs both, because this world’s setting `subscribe_credentials` is `required`.",
    what_to_do: expect.stringMatching(/Service-Integration-ID.* set `subscribe_credentials` to `own_keys`/),
    decisions: [{ id: "D76", policy: { name: "subscribe_credentials", value: "required" } }],
  });
  expect((await explain(answer, world)).notes ?? []).not.toContainEqual(
    expect.stringContaining("body has credentials"),
  );
});

test("leaves out the section for an extension’s fields, which the contract doesn’t show", async () => {
  expect(await refusal("procurements.cancel", {}, "states-section")).toMatchObject({ cause: "shape", section: null });
});
