import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessCodesIssue, jobsList, organizationsList, procurementsList } from "../contract/control/operations.ts";
import { clockAdvance, clockGet, worldsList } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import {
  basketsLatestGet,
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  partnerOperations,
  partsList,
  procurementsPlace,
  repairerProcurementsList,
  uploadsPrepare,
  workProvidersList,
} from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { RawConnection, rawHead } from "../testing/raw-connection.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const as = (tenant: string) => ({ "x-sandbox-tenant": tenant });
const partnerAddresses = [...partnerOperations.map(operationPath), "/__webhooks/subscribe", "/__webhooks/secret"];

describe("the tenant header", () => {
  test("D80: missing, or default, means the same world", async () => {
    const job = { identity: { external: "default" }, repairer_site_id: await ownSite(service) };
    const { id } = await service.ok(jobsInsert, job, repairer);
    const get = (headers: Record<string, string>) => service.call(jobsGet, { identity: { id } }, repairer, headers);
    expect([(await get({})).status, (await get(as("default"))).status, (await get(as("Default"))).status]).toEqual([
      200, 200, 404,
    ]);
    const row = (await service.control(worldsList, {})).items.find((one) => one.name === "default");
    expect(row).toMatchObject({ resets_at: null });
  });

  test("D81: with an invalid name gets bad_request on every partner address, before the credentials", async () => {
    for (const address of partnerAddresses) {
      for (const name of ["a b", "../x", "a,b", "x".repeat(65)]) {
        const answer = await service.raw(address, { headers: as(name) });
        expect([address, answer.status, answer.body]).toEqual([
          address,
          400,
          { type: "bad_request", message: expect.stringContaining("x-sandbox-tenant") },
        ]);
      }
    }
    const twice = `${rawHead(`POST ${partnerAddresses[0]}`, as("a")).trimEnd()}\r\nx-sandbox-tenant: b\r\n\r\n`;
    const [answer] = await (await RawConnection.open(service.port)).send(twice).answers(1);
    expect(answer?.status).toBe(400);
  });

  test("D81: selects a separate world for each of 1 to 64 characters, and a refused name creates none", async () => {
    const names = ["a", "A", "0", ".", "-", "_", "..", "x".repeat(64), "CON", "a.b-c_d"];
    for (const name of names) expect((await service.call(businessesList, {}, repairer, as(name))).status).toBe(200);
    const known = new Set((await service.control(worldsList, {})).items.map((one) => one.name));
    for (const name of names) expect(known.has(name), name).toBe(true);
    expect(known.has("a b")).toBe(false);
  });

  test("separates credentials, jobs and orders of worlds", async () => {
    const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
    const organization_id = (await service.control(organizationsList, {})).items[0]?.id ?? "";
    const asked = { world: "one", client_id, organization_id, scope: "repairer" as const };
    const { access_code } = await service.control(accessCodesIssue, asked);
    const installation = { access_code, client_id, client_secret };
    expect((await service.call(integrationsInsert, installation, undefined, as("two"))).status).toBe(401);
    const installed = await service.ok(integrationsInsert, installation, undefined, as("one"));
    expect((await service.call(businessesList, {}, installed, as("one"))).status).toBe(200);
    for (const headers of [{}, as("two")])
      expect((await service.call(businessesList, {}, installed, headers)).status).toBe(401);
    const { id } = await placeOrder(service, "apart", as("one"));
    for (const [headers, status] of [
      [as("one"), 200],
      [as("two"), 404],
      [{}, 404],
    ] as const) {
      const get = await service.post(
        "/api/2026-01/supplier.procurements.get",
        { identity: { id } },
        { ...credentialHeaders(supplier), ...headers },
      );
      expect(get.status).toBe(status);
    }
  });
});

/** All content of a fresh world, over partner operations and the explorer's lists. */
const everything = async (world: string) => {
  const headers = as(world);
  const { items: jobs } = await service.control(jobsList, { world, limit: 500 });
  const { items: orders } = await service.control(procurementsList, { world, limit: 500 });
  const seen: unknown[] = [
    await service.ok(businessesList, {}, repairer, headers),
    await service.ok(workProvidersList, {}, repairer, headers),
  ];
  for (const { id } of jobs) {
    seen.push((await service.call(jobsGet, { identity: { id } }, repairer, headers)).body);
    seen.push((await service.call(partsList, { job_identity: { id } }, repairer, headers)).body);
    seen.push((await service.call(basketsLatestGet, { job_identity: { id } }, repairer, headers)).body);
    seen.push((await service.call(repairerProcurementsList, { job_identity: { id } }, repairer, headers)).body);
  }
  const row = (await service.control(worldsList, {})).items.find((one) => one.name === world);
  return { created: Date.parse(row?.created_at ?? ""), text: JSON.stringify([seen, jobs, orders]) };
};

describe("seeding", () => {
  const STAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

  test("D83: is identical in every fresh world, with times relative to its creation", async () => {
    const [first, second] = [await everything("fresh-1"), await everything("fresh-2")];
    const relative = ({ text, created }: typeof first) =>
      text.replace(STAMP, (stamp) => `T${Date.parse(stamp) - created}`);
    expect(relative(second)).toBe(relative(first));
    expect(first.text.match(STAMP)?.length).toBeGreaterThan(50);
  });
});

describe("D84: a world's clock", () => {
  test("moves ahead only for that world, and dates its records", async () => {
    const world = "ahead";
    const before = await placeOrder(service, "before", as(world));
    await service.control(clockAdvance, { world, seconds: 3_600 });
    const job_identity = { external: "before" };
    const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer, as(world));
    const sellable_ids = offers.slice(0, 1).map((one) => one.sellable_id);
    await service.ok(procurementsPlace, { job_identity, sellable_ids }, repairer, as(world));
    const { items } = await service.ok(repairerProcurementsList, { job_identity }, repairer, as(world));
    const [later, earlier] = items;
    expect(earlier?.id).toBe(before.id);
    expect(Date.parse(later?.created_at ?? "") - Date.parse(earlier?.created_at ?? "")).toBeGreaterThanOrEqual(
      3_600_000,
    );
    expect(await service.control(clockGet, { world })).toMatchObject({ offset_seconds: 3_600 });
    expect(await service.control(clockGet, {})).toMatchObject({ offset_seconds: 0 });
  });

  test("defines when an upload address expires", async () => {
    const world = "uploads-ahead";
    const body = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const { upload_url } = await service.ok(uploadsPrepare, body, repairer, as(world));
    await service.control(clockAdvance, { world, seconds: 15 * 60 + 1 });
    expect((await fetch(upload_url, { method: "PUT", body: "late" })).status).toBe(403);
    const { upload_url: fresh } = await service.ok(uploadsPrepare, body, repairer, as(world));
    expect((await fetch(fresh, { method: "PUT", body: "no image" })).status).toBe(415);
  });
});
