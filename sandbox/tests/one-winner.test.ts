import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accessCodesIssue,
  credentialsList,
  eventsList,
  jobsList,
  organizationsList,
} from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import {
  basketsLatestGet,
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  partsInsert,
  procurementsPlace,
  supplierProcurementsConfirm,
  supplierProcurementsGet,
} from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, supplier, type TestCredential, type TestService } from "../testing/harness.ts";
import { serveCommand } from "../testing/process.ts";
import { RawConnection, type RawResponse, rawRequest } from "../testing/raw-connection.ts";

const WRITERS = 20;

let service: TestService;
let site = "";
beforeAll(async () => {
  ({ service } = await serveCommand());
  site = (await service.ok(businessesList, {}, repairer)).items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

/** Twenty simultaneous callers, each on an open connection. */
const atOnce = async (
  operation: Operation,
  body: (writer: number) => unknown,
  credential?: TestCredential,
): Promise<RawResponse[]> => {
  const headers = credential ? credentialHeaders(credential) : {};
  const connections = await Promise.all(Array.from({ length: WRITERS }, () => RawConnection.open(service.port)));
  for (const [writer, connection] of connections.entries())
    connection.send(rawRequest(`POST ${operationPath(operation)}`, headers, JSON.stringify(body(writer))));
  const answers = await Promise.all(connections.map(async (connection) => (await connection.answers(1))[0]));
  for (const connection of connections) connection.close();
  return answers.filter((answer) => answer !== undefined);
};

/** The only successful response; all others must be refused like this. */
const winnerOf = (answers: readonly RawResponse[], status: number, type: string): Record<string, unknown> => {
  const won = answers.filter((answer) => answer.status === 200);
  const refused = answers.filter((answer) => answer.status === status && answer.body.includes(`"type":"${type}"`));
  expect([won.length, refused.length]).toEqual([1, WRITERS - 1]);
  return JSON.parse(won[0]?.body ?? "") as Record<string, unknown>;
};

test("D30: of twenty writers of one external identity exactly one inserts the job, and the others get its ID", async () => {
  const before = (await service.control(jobsList, { limit: 1 })).total;
  const identity = { external: "one-winner" };
  const job = (writer: number) => ({ identity, repairer_site_id: site, claim_number: `writer ${writer}` });
  const answers = await atOnce(jobsInsert, job, repairer);
  const winner = winnerOf(answers, 422, "unprocessable");
  expect(await service.ok(jobsGet, { identity }, repairer)).toEqual(winner);
  for (const { status, body } of answers) if (status === 422) expect(body).toContain(winner.id);
  expect((await service.control(jobsList, { limit: 1 })).total).toBe(before + 1);
});

test("D35: of twenty writers of one job number exactly one succeeds, and nothing of the others is stored", async () => {
  const before = (await service.control(jobsList, { limit: 1 })).total;
  const identity = (writer: number) => ({ external: `numbered ${writer}` });
  const job = (writer: number) => ({ identity: identity(writer), repairer_site_id: site, job_number: "ONE-1" });
  const winner = winnerOf(await atOnce(jobsInsert, job, repairer), 422, "unprocessable");
  const found = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => service.call(jobsGet, { identity: identity(writer) }, repairer)),
  );
  expect(found.filter((one) => one.status === 200).map((one) => one.body)).toEqual([winner]);
  expect((await service.control(jobsList, { limit: 1 })).total).toBe(before + 1);
});

test("of twenty installs with one access code exactly one gets a working credential", async () => {
  const { client_id, client_secret } = service.ready.clients?.demo ?? { client_id: "", client_secret: "" };
  const organizations = await service.control(organizationsList, {});
  const organization_id = organizations.items.find((one) => one.scope === "repairer")?.id ?? "";
  const { access_code } = await service.control(accessCodesIssue, { client_id, organization_id, scope: "repairer" });
  const before = (await service.control(credentialsList, {})).items.length;
  const answers = await atOnce(integrationsInsert, () => ({ access_code, client_id, client_secret }));
  const { api_key, integration_id } = winnerOf(answers, 401, "invalid_access_code");
  const installed = { api_key: String(api_key), integration_id: String(integration_id) };
  expect((await service.ok(businessesList, {}, installed)).items.length).toBeGreaterThan(0);
  expect((await service.control(credentialsList, {})).items.length).toBe(before + 1);
});

test("D50: of twenty confirmations of one order exactly one takes effect, with one event to each side", async () => {
  const job_identity = { external: "to-confirm" };
  await service.ok(jobsInsert, { identity: job_identity, repairer_site_id: site }, repairer);
  await service.ok(partsInsert, { job_identity, parts: [{ description: "Bonnet" }] }, repairer);
  const [meridian] = (await service.ok(businessesList, {}, supplier)).items;
  const { offers } = await service.ok(basketsLatestGet, { job_identity }, repairer);
  const sellable_id = offers.find((one) => one.supplier_business_id === meridian?.id)?.sellable_id ?? "";
  const placed = await service.ok(procurementsPlace, { job_identity, sellable_ids: [sellable_id] }, repairer);
  const identity = { id: placed.items[0]?.id ?? "" };
  await service.control(policiesSet, { policies: { confirm_when_confirmed: "reject" } });
  const before = (await service.control(eventsList, { limit: 1 })).total;
  const answers = await atOnce(supplierProcurementsConfirm, () => ({ identity }), supplier);
  const winner = winnerOf(answers, 422, "unprocessable");
  expect(winner).toMatchObject({ id: identity.id, status: "order_confirmed" });
  expect(await service.ok(supplierProcurementsGet, { identity }, supplier)).toEqual(winner);
  const { items, total } = await service.control(eventsList, { limit: 2 });
  expect(total).toBe(before + 2);
  expect(items.map((one) => one.event_type).sort()).toEqual(["repairer.procurements", "supplier.procurements"]);
});
