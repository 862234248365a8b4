import fs from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsExplain } from "../contract/control/explain-operations.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { requestsGet, requestsList } from "../contract/control/operations.ts";
import { integrationsEvidence } from "../contract/control/readiness-operations.ts";
import { scenariosRecord } from "../contract/control/scenario-operations.ts";
import { auditList } from "../contract/control/service-operations.ts";
import { snapshotsExport, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { integrationsInsert, jobsGet, procurementsCancel } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { placeOrder } from "../testing/order.ts";

/** A well-formed key of another service. */
const FOREIGN_KEY = "isk_5d1f0c9a526d3b4e879b1a2c5d7e8f9a";
const ADDRESS = operationPath(jobsGet);

let service: TestService;
let secrets: readonly string[];
beforeAll(async () => {
  service = await startTestService();
  secrets = [FOREIGN_KEY, service.ready.control_token];
});
afterAll(() => service.end());

/** Sends a secret in every part of a call that a caller controls. */
const spread = async (secret: string): Promise<void> => {
  const body = JSON.stringify({ identity: { external: "none" }, note: secret, [secret]: [secret] });
  const known = { "content-type": "application/json", ...credentialHeaders(repairer) };
  const send = (address: string, headers: Record<string, string>, content: string | Buffer<ArrayBuffer> = body) =>
    service.raw(address, { headers, body: content });
  await send(ADDRESS, { ...known, "x-note": secret, "user-agent": `a/1 ${secret}`, "x-api-key": secret });
  await send(ADDRESS, { ...known, authorization: `Bearer ${secret}` });
  await send(ADDRESS, { ...known, authorization: secret, cookie: secret });
  await send(ADDRESS, { ...known, "service-integration-id": secret });
  await send(ADDRESS, { ...known, "content-type": `text/${secret}` });
  await send(`${ADDRESS}?token=${secret}&q=${secret}#${secret}`, known);
  await send(`${ADDRESS}/${secret}`, known);
  await send(`/nowhere/${secret}`, known);
  await send(ADDRESS, known, `{"identity": "${secret}`);
  await send(ADDRESS, known, Buffer.from(`\xff ${secret}`, "latin1"));
  await service.post(operationPath(integrationsInsert), {
    client_id: secret,
    client_secret: secret,
    access_code: secret,
  });
  await service.post(operationPath(integrationsInsert), { clientSecret: secret });
  await service.post("/__webhooks/subscribe", { integration_id: secret, url: secret });
};

/** Secrets that appear in a text or file. */
const shown = (what: string | Buffer): readonly string[] => secrets.filter((secret) => what.includes(secret));

test("a caller's secret appears in no record, list, log, document, recording, evidence or tool response", async () => {
  for (const secret of secrets) await spread(secret);
  for (const name of secrets)
    await service.control(faultsSet, {
      name,
      operation: "supplier.procurements.get",
      effect: { error: { code: "internal_error" } },
    });
  const order = await placeOrder(service, "masked");
  const headers = { "x-note": secrets.join(" ") };
  const last = await service.call(procurementsCancel, { identity: { id: order.id } }, repairer, headers);
  const id = last.headers.get("x-request-id") ?? "";
  await service.control(snapshotsSave, { name: "kept" });

  const { items } = await service.control(requestsList, { limit: 200 });
  expect(items.length).toBeGreaterThan(25);
  const told: Record<string, unknown> = { "requests.list": items };
  for (const one of items) {
    told[`record of ${one.method} ${one.path}`] = await service.control(requestsGet, { id: one.id });
    told[`explanation of ${one.method} ${one.path}`] = await service.control(requestsExplain, { id: one.id });
  }
  told["audit.list"] = await service.control(auditList, {});
  told.document = await service.control(snapshotsExport, {});
  told["document of a snapshot"] = await service.control(snapshotsExport, { name: "kept" });
  told.recording = await service.control(scenariosRecord, { since: "reset" });
  told["recording with its start"] = await service.control(scenariosRecord, { trace_ids: [id], start: true });
  told.evidence = await service.control(integrationsEvidence, { integration_id: repairer.integration_id });
  const assistant = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port}/__sandbox/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${service.ready.control_token}` } },
  });
  // The type allows an absent property, but not an undefined one.
  await assistant.connect(transport as Parameters<Client["connect"]>[0]);
  for (const [name, given] of [
    ["requests_list", { limit: 100 }],
    ["requests_get", { id }],
    ["requests_explain", { id: items.at(-1)?.id }],
    ["traces_get", { id }],
  ] as const) {
    const { content, isError } = await assistant.callTool({ name, arguments: given });
    expect(isError ?? false, JSON.stringify(content)).toBe(false);
    told[`tool ${name}`] = content;
  }
  await assistant.close();
  expect(Object.entries(told).flatMap(([what, one]) => shown(JSON.stringify(one)).map(() => what))).toEqual([]);

  // The service's database has the control token, and the fault has the name a person entered.
  const files = fs.readdirSync(service.folder, { recursive: true, encoding: "utf8" });
  const log = files.filter((file) => file.endsWith(".log"));
  expect(log.length).toBeGreaterThan(0);
  expect(log.flatMap((file) => shown(fs.readFileSync(path.join(service.folder, file))))).toEqual([]);
});
