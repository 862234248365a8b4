import { afterEach, beforeEach, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import {
  accessCodesIssue,
  credentialsList,
  deliveriesList,
  organizationsList,
} from "../contract/control/operations.ts";
import { sinkList } from "../contract/control/receiver-operations.ts";
import { tokensCreate, tokensInvite } from "../contract/control/service-operations.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { signBody } from "../secrets/webhook-signature.ts";
import { startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

const { integration_id, webhook_secret } = fixedCredentials.repairer;
let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.end());

const body = JSON.stringify({ message_id: "sink-1", webhook_timestamp: new Date().toISOString(), integration_id });
const post = (headers: Record<string, string>) => service.raw("/__webhooks/sink", { headers, body });

test("the test receiver shows what it accepted and refused", async () => {
  const signed = { [SIGNATURE_HEADER]: signBody(Buffer.from(body), webhook_secret) };
  expect((await post(signed)).body).toEqual({ ok: true, deduped: false });
  expect((await post(signed)).body).toEqual({ ok: true, deduped: true });
  await post({ authorization: "Bearer sbx_0123456789abcdef0123456789abcdef" });
  const { items } = await service.control(sinkList, {});
  expect(items.map(({ outcome, status, reason, message_id }) => [outcome, status, reason, message_id])).toEqual([
    ["refused", 401, "missing_signature", "sink-1"],
    ["repeated", 200, null, "sink-1"],
    ["accepted", 200, null, "sink-1"],
  ]);
  expect(Buffer.from(items[2]?.body_base64 ?? "", "base64").toString("utf8")).toBe(body);
  // Credentials in a notification are masked.
  expect(items[0]?.headers).toContainEqual(["authorization", "Bearer sbx_••••••••cdef"]);
});

test("D78: in two worlds with one integration and two secrets, the test receiver uses each world's own", async () => {
  const { client_id, client_secret } = fixedClients.demo;
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { access_code } = await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" });
  const { integration_id: id } = await service.ok(integrationsInsert, { client_id, client_secret, access_code });
  await service.post("/__webhooks/subscribe", { integration_id: id, url: `${service.baseUrl}/__webhooks/sink` });
  const invited = { world: "copy", name: "Partner", scope: "act", from: { world: "default" } } as const;
  await service.control(tokensInvite, invited);

  const secrets = new Set<string>();
  for (const world of ["default", "copy"]) {
    const listed = await service.control(credentialsList, { world, reveal: true });
    const found = listed.items.find((one) => one.integration_id === id);
    secrets.add(found?.webhook_secret ?? "");
    const job = { identity: { external: `sink in ${world}` }, repairer_site_id: await ownSite(service) };
    const caller = { api_key: found?.api_key ?? "", integration_id: id };
    await service.ok(jobsInsert, job, caller, { "x-sandbox-tenant": world });
    const statuses = async () =>
      (await service.control(deliveriesList, { world, integration_id: id })).items.map(({ status }) => status);
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(["delivered"]);
  }
  expect(secrets.size).toBe(2);
}, 90_000);

const explain = async (answer: { readonly headers: Headers }) =>
  service.control(requestsExplain, { id: answer.headers.get("x-request-id") ?? "" });
const sign = (text: string, secret: string = webhook_secret) => signBody(Buffer.from(text), secret);

test.each([
  [
    "under another header",
    { "x-hmac-sha256": sign(body) },
    /x-hmac-sha256 was sent instead\.$/,
    /`service-hmac-sha256`/,
  ],
  [
    "of another integration's secret",
    { [SIGNATURE_HEADER]: sign(body, fixedCredentials.supplier.webhook_secret) },
    /with the secret of Meridian Genuine Parts, not of/,
    /webhook secret of the integration/,
  ],
  [
    "of other bytes",
    { [SIGNATURE_HEADER]: sign(JSON.stringify(JSON.parse(body), null, 2)) },
    /re-serialised JSON/,
    /as they are sent/,
  ],
])("explains a call with a signature %s by its x-request-id", async (_what, headers, sentence, remedy) => {
  const answer = await post(headers);
  expect(answer.status).toBe(401);
  const { refusal } = await explain(answer);
  expect(refusal).toMatchObject({ whose_side: "partner", sentence: expect.stringMatching(sentence) });
  expect(refusal?.what_to_do).toMatch(remedy);
});

test("says which calls are never recorded, and where to look", async () => {
  const { token } = await service.control(tokensCreate, { world: "default", name: "view", scope: "view" });
  const sent = await post({});
  const own = service.ready.control_token;
  const controlled = await service.post("/__sandbox/service.info", {}, { authorization: `Bearer ${own}` });
  for (const [answer, bearer] of [
    [controlled, own],
    // The sink's calls are of all worlds.
    [sent, token],
  ] as const) {
    const id = answer.headers.get("x-request-id");
    const asked = await service.post("/__sandbox/requests.explain", { id }, { authorization: `Bearer ${bearer}` });
    expect(asked.body).toMatchObject({ message: expect.stringMatching(/never recorded; sink\.list has those/) });
  }
});
