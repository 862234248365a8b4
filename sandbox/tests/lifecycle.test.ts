import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accessCodesIssue,
  deliveriesGet,
  deliveriesList,
  organizationsList,
  tracesGet,
} from "../contract/control/operations.ts";
import {
  basketsLatestGet,
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  partsInsert,
  partsList,
  procurementsPlace,
  repairerProcurementsGet,
  repairerProcurementsList,
  supplierProcurementsConfirm,
  supplierProcurementsGet,
} from "../contract/operations/partner.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { startTestService, supplier, type TestCredential, type TestService } from "../testing/harness.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let buyerHooks: RecordingReceiver;
let supplierHooks: RecordingReceiver;

beforeAll(async () => {
  service = await startTestService();
  buyerHooks = await RecordingReceiver.start();
  supplierHooks = await RecordingReceiver.start();
});

afterAll(async () => {
  await buyerHooks.stop();
  await supplierHooks.stop();
  await service.end();
});

const install = async (): Promise<TestCredential> => {
  const organizations = await service.control(organizationsList, {});
  const buyer = organizations.items.find((one) => one.scope === "repairer");
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const { access_code } = await service.control(accessCodesIssue, {
    client_id,
    organization_id: buyer?.id ?? "",
    scope: "repairer",
  });
  return service.ok(integrationsInsert, { access_code, client_id, client_secret });
};

test("an integration is installed and orders parts, the supplier confirms, and both sides are notified once", async () => {
  const buyer = await install();
  expect(buyer.api_key).toMatch(/^isk_[0-9a-f]{32}$/);

  for (const [credential, hooks] of [
    [buyer, buyerHooks],
    [supplier, supplierHooks],
  ] as const) {
    const subscribed = await service.post("/__webhooks/subscribe", {
      integration_id: credential.integration_id,
      url: hooks.url,
    });
    expect(subscribed).toMatchObject({ status: 200, body: { ok: true } });
  }

  const businesses = await service.ok(businessesList, {}, buyer);
  const site = businesses.items.find((one) => one.type === "repairer_site");
  const identity = { external: "estimate:1" };
  const job = await service.ok(
    jobsInsert,
    {
      identity,
      repairer_site_id: site?.id ?? "",
      job_number: "T-1",
      vehicle: { chassis_number: null, plate_number: "ABC123", plate_state: null },
    },
    buyer,
  );
  expect(await service.ok(jobsGet, { identity }, buyer)).toEqual(job);

  const parts = await service.ok(
    partsInsert,
    { job_identity: identity, parts: [{ description: "Bonnet", quantity: 1 }, { description: "Front bumper cover" }] },
    buyer,
  );
  expect(parts.items.map((part) => part.status)).toEqual(["estimated", "estimated"]);

  const basket = await service.ok(basketsLatestGet, { job_identity: identity }, buyer);
  const meridian = (await service.ok(businessesList, {}, supplier)).items[0];
  const offer = basket.offers.find((one) => one.supplier_business_id === meridian?.id);
  expect(offer).toBeDefined();

  const placed = await service.ok(
    procurementsPlace,
    { job_identity: identity, sellable_ids: [offer?.sellable_id ?? ""] },
    buyer,
  );
  const [procurement] = placed.items;
  expect(placed.items).toHaveLength(1);
  expect(procurement).toMatchObject({
    status: "order_requested",
    job_id: job.id,
    deliver_before: null,
    supplier_business: { id: meridian?.id },
  });
  const id = procurement?.id ?? "";
  expect(await service.ok(repairerProcurementsGet, { identity: { id } }, buyer)).toEqual(procurement);
  expect((await service.ok(repairerProcurementsList, { job_identity: identity }, buyer)).items).toEqual([procurement]);
  const ordered = (await service.ok(partsList, { job_identity: identity }, buyer)).items.filter(
    (part) => part.status === "ordered",
  );
  expect(ordered.map((part) => part.id)).toEqual(offer?.job_part_ids);

  const confirmed = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier);
  expect(confirmed.body).toMatchObject({ status: "order_confirmed", id });
  expect(confirmed.body.deliver_before).not.toBeNull();
  expect(await service.ok(supplierProcurementsGet, { identity: { id } }, supplier)).toEqual(confirmed.body);

  // Buyer: inserted, requested, confirmed. Supplier: requested, confirmed.
  const toBuyer = await buyerHooks.waitFor(3);
  const toSupplier = await supplierHooks.waitFor(2);
  expect(toBuyer.map((one) => [one.envelope.event_type, one.envelope.payload])).toEqual([
    ["repairer.jobs", { job_id: job.id, change_action: "inserted" }],
    ["repairer.procurements", { procurement_id: id, job_id: job.id, status: "order_requested" }],
    ["repairer.procurements", { procurement_id: id, job_id: job.id, status: "order_confirmed" }],
  ]);
  expect(toSupplier.map((one) => [one.envelope.event_type, one.envelope.payload])).toEqual([
    ["supplier.procurements", { procurement_id: id, job_id: job.id, status: "order_requested" }],
    ["supplier.procurements", { procurement_id: id, job_id: job.id, status: "order_confirmed" }],
  ]);
  const messageIds = [...toBuyer, ...toSupplier].map((one) => one.envelope.message_id);
  expect(new Set(messageIds).size).toBe(messageIds.length);

  const asked = await service.post<{ secret: string }>(
    "/__webhooks/secret",
    {},
    { authorization: `Bearer ${buyer.api_key}`, "service-integration-id": buyer.integration_id },
  );
  for (const one of toBuyer) {
    expect(Object.keys(one.envelope)).toEqual([
      "message_id",
      "event_timestamp",
      "webhook_timestamp",
      "event_type",
      "type",
      "version",
      "integration_id",
      "payload",
    ]);
    const header = one.headers["service-hmac-sha256"];
    const verification = verifyNotification({
      body: one.body,
      header: typeof header === "string" ? header : null,
      secret: asked.body.secret,
      now: Date.now(),
    });
    expect(verification.reason).toBeNull();
  }

  // The confirm's trace joins call, change, events and deliveries.
  const traceId = confirmed.headers.get("x-request-id") ?? "";
  await expect
    .poll(async () => (await service.control(tracesGet, { id: traceId })).deliveries.map((one) => one.status))
    .toEqual(["delivered", "delivered"]);
  const trace = await service.control(tracesGet, { id: traceId });
  expect(trace.request).toMatchObject({
    operation: "supplier.procurements.confirm",
    status: 200,
    events: 2,
    outcome: "now order_confirmed",
  });
  expect(trace.changes.map((change) => change.entity)).toContain("procurement");
  expect(trace.events.map((event) => event.event_type)).toEqual(["repairer.procurements", "supplier.procurements"]);

  const deliveries = await service.control(deliveriesList, {});
  expect(deliveries.total).toBe(5);
  const detail = await service.control(deliveriesGet, { id: deliveries.items[0]?.id ?? "" });
  expect(detail.attempts).toHaveLength(1);
  expect(detail.attempts[0]?.verification.map((one) => one.verdict)).toEqual(["passed", "passed", "passed", "passed"]);

  const again = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier);
  expect(again).toMatchObject({ status: 200, body: confirmed.body });
  // Deliveries are queued before the response, so further ones would be visible here.
  expect((await service.control(deliveriesList, {})).total).toBe(5);
  expect([buyerHooks.received.length, supplierHooks.received.length]).toEqual([3, 2]);
});
