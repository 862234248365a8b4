import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessCodesIssue, deliveriesGet, deliveriesList, organizationsList } from "../contract/control/operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

const { integration_id, webhook_secret } = fixedCredentials.repairer;
const MINUTE = 60_000;

let service: TestService;
let count = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const notification = (changes: object = {}): string => {
  count += 1;
  const webhook_timestamp = new Date().toISOString();
  return JSON.stringify({ message_id: `verification-${count}`, webhook_timestamp, integration_id, ...changes });
};
const sink = async (body: string, signature: string | null) => {
  const headers = signature === null ? {} : { [SIGNATURE_HEADER]: signature };
  const answer = await service.raw("/__webhooks/sink", { headers: headers as Record<string, string>, body });
  return { status: answer.status, body: answer.body, challenge: answer.headers.get("www-authenticate") };
};
const signed = (body: string, secret: string = webhook_secret) => sink(body, signBody(Buffer.from(body), secret));
const refused = (status: number, reason: string) => ({
  status,
  body: { ok: false, reason },
  // The sink takes no credentials (D13).
  challenge: null,
});
const accepted = (deduped: boolean) => ({ status: 200, body: { ok: true, deduped }, challenge: null });
const at = (offset: number) => ({ webhook_timestamp: new Date(Date.now() + offset).toISOString() });

describe("the test receiver", () => {
  test("accepts a notification once, and recognises a repeat whatever else changed", async () => {
    const body = notification();
    expect(await signed(body)).toEqual(accepted(false));
    expect(await signed(body)).toEqual(accepted(true));
    const again = JSON.stringify({ ...(JSON.parse(body) as object), ...at(-1_000) });
    expect(await signed(again)).toEqual(accepted(true));
    expect(await signed(notification())).toEqual(accepted(false));
  });

  test("D78: refuses with each reason and its status", async () => {
    const body = notification();
    expect(await sink(body, null)).toEqual(refused(401, "missing_signature"));
    expect(await signed(body, "pwh_another")).toEqual(refused(401, "bad_signature"));
    for (const malformed of ["x", signBody(Buffer.from(body), webhook_secret).slice(0, -2), "a".repeat(44)])
      expect(await sink(body, malformed)).toEqual(refused(401, "bad_signature"));
    for (const webhook_timestamp of [undefined, null, 5, "", "yesterday", {}])
      expect(await signed(notification({ webhook_timestamp }))).toEqual(refused(400, "missing_timestamp"));
    for (const offset of [-6 * MINUTE, 6 * MINUTE, -365 * 24 * 60 * MINUTE])
      expect(await signed(notification(at(offset)))).toEqual(refused(400, "stale_timestamp"));
    for (const offset of [-4 * MINUTE, 4 * MINUTE])
      expect(await signed(notification(at(offset)))).toEqual(accepted(false));
  });

  test("checks in the contract's order, on the exact bytes", async () => {
    const stale = notification(at(-60 * MINUTE));
    expect(await sink(stale, null)).toEqual(refused(401, "missing_signature"));
    expect(await signed(stale, "pwh_another")).toEqual(refused(401, "bad_signature"));
    const body = notification();
    const signature = signBody(Buffer.from(body), webhook_secret);
    expect(await sink(` ${body}`, signature)).toEqual(refused(401, "bad_signature"));
    expect(await sink(body.replace('":"', '": "'), signature)).toEqual(refused(401, "bad_signature"));
    expect(await sink(body, signature)).toEqual(accepted(false));
    for (const other of ["", "{", "[]", "null"]) expect(await signed(other)).toEqual(refused(401, "bad_signature"));
  });

  test("D78: finds an integration in any world, and accepts the service's own deliveries", async () => {
    const world = "of-a-team";
    const tenant = { "x-sandbox-tenant": world };
    const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
    const organization_id = (await service.control(organizationsList, { world })).items[0]?.id ?? "";
    const asked = { world, client_id, organization_id, scope: "repairer" as const };
    const { access_code } = await service.control(accessCodesIssue, asked);
    const installed = await service.ok(
      integrationsInsert,
      { access_code, client_id, client_secret },
      undefined,
      tenant,
    );
    const secret = await service.post<{ secret: string }>(
      "/__webhooks/secret",
      {},
      { ...credentialHeaders(installed), ...tenant },
    );
    const body = notification({ integration_id: installed.integration_id });
    expect(await signed(body, secret.body.secret)).toEqual(accepted(false));
    expect(await signed(body)).toEqual(refused(401, "bad_signature"));
    const url = `${service.baseUrl}/__webhooks/sink`;
    await service.post("/__webhooks/subscribe", { integration_id: installed.integration_id, url }, tenant);
    const job = { identity: { external: "to the sink" }, repairer_site_id: await ownSite(service, tenant) };
    await service.ok(jobsInsert, job, installed, tenant);
    const list = () => service.control(deliveriesList, { world, status: "delivered" });
    await expect.poll(async () => (await list()).total, { timeout: 10_000 }).toBe(1);
    const { attempts } = await service.control(deliveriesGet, { world, id: (await list()).items[0]?.id ?? "" });
    expect(attempts.map((one) => one.response_status)).toEqual([200]);
  });

  test("refuses an integration unknown in every world", async () => {
    const body = notification({ integration_id: "00000000-0000-4000-8000-000000000000" });
    expect(await signed(body)).toEqual(refused(401, "bad_signature"));
    expect(await signed(notification({ integration_id: repairer.integration_id.toUpperCase() }))).toEqual(
      accepted(false),
    );
  });
});
