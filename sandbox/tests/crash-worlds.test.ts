import fs from "node:fs";
import { expect, test } from "vitest";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const ROUNDS = 2;
const WORLDS = 12;

const call = async (baseUrl: string, tenant: string, operation: Parameters<typeof operationPath>[0], body: unknown) => {
  const headers = { ...credentialHeaders(repairer), "content-type": "application/json", "x-sandbox-tenant": tenant };
  const response = await fetch(baseUrl + operationPath(operation), {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
type Business = { readonly id: string; readonly type: string };

test("kill -9 in fresh worlds loses nothing acknowledged, and other worlds are empty", async () => {
  const data = temporaryFolder();
  const acknowledged = new Map<string, string>();
  const answered = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const command = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
    const { base_url } = await command.ready();
    const begin = async (tenant: string): Promise<void> => {
      const { body } = await call(base_url, tenant, businessesList, {});
      answered.add(tenant);
      // Every third world is only read.
      if (tenant.endsWith("0")) return;
      const site = (body.items as Business[]).find((one) => one.type === "repairer_site")?.id;
      const job = { identity: { external: tenant }, repairer_site_id: site };
      const inserted = await call(base_url, tenant, jobsInsert, job);
      expect(inserted.status).toBe(200);
      acknowledged.set(tenant, String(inserted.body.id));
    };
    const tenants = Array.from({ length: WORLDS }, (_, index) => `r${round}-${index}-${index % 3}`);
    const running = Promise.allSettled(tenants.map(begin));
    // Kill the service during the inserts, slightly later each round.
    await expect
      .poll(() => acknowledged.size, { interval: 1, timeout: 15_000 })
      .toBeGreaterThanOrEqual(4 * (round + 1) + round);
    await command.kill("SIGKILL");
    for (const outcome of await running)
      if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(/fetch failed|terminated|closed/);
  }

  const survivor = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
  const { base_url } = await survivor.ready();
  for (const [tenant, id] of acknowledged) {
    const found = await call(base_url, tenant, jobsGet, { identity: { external: tenant } });
    expect([tenant, found.status, found.body.id]).toEqual([tenant, 200, id]);
  }
  for (const tenant of answered) {
    const { status, body } = await call(base_url, tenant, businessesList, {});
    expect([status, (body.items as Business[]).length > 0]).toEqual([200, true]);
  }
  await survivor.kill("SIGTERM");
  fs.rmSync(data, { recursive: true, force: true });
}, 60_000);
