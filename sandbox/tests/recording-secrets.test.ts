import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requestsAnnotate } from "../contract/control/explain-operations.ts";
import { faultsClear, faultsSet } from "../contract/control/fault-operations.ts";
import { accessCodesIssue, deliveriesList, organizationsList, requestsList } from "../contract/control/operations.ts";
import { scenariosRecord } from "../contract/control/scenario-operations.ts";
import { snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import type { RequestOf } from "../contract/operation.ts";
import { operationPath } from "../contract/operation.ts";
import {
  integrationsInsert,
  jobsGet,
  jobsInsert,
  procurementsCancel,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import type { Scenario } from "../contract/scenario.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { runRecording } from "../testing/run-recorded.ts";
import { readWorld } from "../testing/world-file.ts";

const PNG = "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489";

let service: TestService;
let other: TestService;
let server: http.Server;
/** Secrets in partners' own addresses. */
const PARTNERS = { access_token: "a partner's own+token/42", sig: "aPartnersOwnSignature" };
let webhook = "";
/** Value the partner's server echoes. */
let echoed = "";
const signatures: string[] = [];

/** Every stored secret of the world and the service. */
const allSecrets = (): string[] =>
  readWorld(service.folder, (db) => {
    const column = (sql: string): string[] => db.prepare<[], string>(sql).pluck().all();
    return [
      ...column("SELECT api_key FROM credentials"),
      ...column("SELECT webhook_secret FROM credentials"),
      ...column("SELECT client_secret FROM clients"),
      ...column("SELECT code FROM access_codes"),
      service.ready.control_token,
      ...Object.values(PARTNERS),
    ];
  });

const codeFor = async (scope: "repairer" | "supplier"): Promise<string> => {
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find((one) => one.scope === scope)?.id ?? "";
  const { client_id } = fixedClients.demo;
  return (await service.control(accessCodesIssue, { client_id, organization_id, scope })).access_code;
};

const upload = async (): Promise<string> => {
  const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const { upload_url } = await service.ok(uploadsPrepare, asked, repairer);
  const url = new URL(upload_url);
  signatures.push(url.searchParams.get("signature") ?? "");
  const body = Buffer.concat([Buffer.from(PNG, "hex"), Buffer.from(echoed || "nothing yet")]);
  await service.raw(url.pathname + url.search, { method: "PUT", body });
  return upload_url;
};

/** Secrets used everywhere; the others only in calls about jobs. */
const EVERYWHERE = 6;

/** Puts each secret, or the first few, wherever a caller, receiver or person can. */
const spread = async (external: string, most = Number.POSITIVE_INFINITY): Promise<string> => {
  const { client_id, client_secret } = fixedClients.demo;
  for (const scope of ["repairer", "supplier"] as const) {
    const access_code = await codeFor(scope);
    await service.ok(integrationsInsert, { client_id, client_secret, access_code });
    await codeFor(scope);
  }
  const address = await upload();
  const secrets = [...allSecrets(), address];
  echoed = secrets.join(" ");
  await upload();
  const site = await ownSite(service);
  const identity = { external };
  await service.ok(jobsInsert, { identity, repairer_site_id: site, claim_number: echoed.slice(0, 200) }, repairer);
  for (const [nth, secret] of secrets.slice(0, most).entries()) {
    const text = `${secret} ${secret}`;
    await service.ok(
      jobsInsert,
      { identity: { external: `${external} ${secret}` }, repairer_site_id: site, claim_number: text.slice(0, 99) },
      repairer,
    );
    await service.call(
      jobsGet,
      { identity: { external: `no job ${secret}` }, [secret]: text } as RequestOf<typeof jobsGet>,
      repairer,
      { "x-note": text, [`x-${secret.replace(/[^\w-]/g, "")}`]: "1", "user-agent": secret },
    );
    if (nth >= EVERYWHERE) continue;
    await service.post(`${operationPath(jobsGet)}?q=${encodeURIComponent(text)}&secret=${encodeURIComponent(secret)}`, {
      client_secret: secret,
    });
    await service.raw(operationPath(jobsGet), { body: `{"identity": "${text}` });
    await service.raw(operationPath(jobsGet), {
      body: Buffer.from(`\xff${text}`, "latin1"),
      headers: { authorization: text },
    });
    await service.raw(`/nowhere/${encodeURIComponent(secret)}`, { method: "GET" });
  }
  const order = await placeOrder(service, `${external} order`);
  const cancelled = await service.call(procurementsCancel, { identity: { id: order.id } }, repairer, {
    "x-note": secrets.join(" "),
  });
  return cancelled.headers.get("x-request-id") ?? "";
};

beforeAll(async () => {
  [service, other] = await Promise.all([startTestService(), startTestService()]);
  let turn = 0;
  server = http.createServer((request, response) => {
    request.resume();
    turn += 1;
    response.writeHead(turn % 2 === 0 ? 200 : 503, { "x-echo": echoed.slice(0, 4_000) });
    response.end(turn % 3 === 1 ? echoed : Buffer.from(`\xff ${echoed}`, "latin1"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?${new URLSearchParams(PARTNERS)}`;
  for (const { integration_id } of [repairer, supplier])
    await service.post("/__webhooks/subscribe", { integration_id, url: webhook });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await Promise.all([service.end(), other.end()]);
});

test("a recording contains no secret of its world, at any position", async () => {
  await spread("before", 3);
  const { items: some } = await service.control(requestsList, { limit: 1 });
  await service.control(requestsAnnotate, { id: some[0]?.id ?? "", note: echoed.slice(0, 900), pinned: true });
  const name = allSecrets()[0] ?? "";
  await service.control(faultsSet, { name, effect: { error: { code: "internal_error" } }, uses: 1 });
  await service.call(jobsGet, { identity: { external: "faulty" } }, repairer);
  await service.control(faultsClear, {});
  await service.control(snapshotsSave, { name: "between" });
  const last = await spread("behind");
  await vi.waitFor(
    async () => {
      const { items } = await service.control(deliveriesList, { limit: 200 });
      expect(items.filter(({ attempts_made }) => attempts_made === 0)).toEqual([]);
    },
    { timeout: 20_000 },
  );
  const secrets = [...allSecrets(), ...signatures];
  expect(secrets.length).toBeGreaterThan(20);
  expect(new Set(secrets).size).toBe(secrets.length);
  // The echo reveals it, so the test can detect a leak.
  expect(echoed).toContain(secrets[0]);

  const asked: RequestOf<typeof scenariosRecord>[] = [
    { trace_ids: [last], start: true, name: allSecrets().join(" ") },
    { trace_ids: [last] },
    { since: "reset", start: true },
    { since: "reset" },
  ];
  for (const one of asked) {
    const made = await service.control(scenariosRecord, one);
    const read = JSON.stringify(made);
    expect(secrets.filter((secret) => read.includes(secret))).toEqual([]);
    // The scenario also passes on a service that knows none of the secrets.
    if ((one.since === undefined) === (one.start === true))
      expect(await runRecording(other, made.scenario as Scenario)).toEqual([]);
  }
}, 240_000);
