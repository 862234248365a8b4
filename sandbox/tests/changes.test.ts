import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changingCalls } from "../contract/control/exchange-kinds.ts";
import { requestsList } from "../contract/control/operations.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  site = await ownSite(service);
  for (const external of ["C-1", "C-2", "C-3"]) await insert(external);
  const { integration_id } = repairer;
  await service.post("/__webhooks/subscribe", { integration_id, url: `${service.ready.base_url}/__webhooks/sink` });
  for (let reads = 0; reads < 5; reads++) await service.call(businessesList, {}, repairer);
  await service.call(jobsInsert, { identity: { external: "C-4" }, repairer_site_id: "nowhere" }, repairer);
});
afterAll(() => service.end());

const insert = (external: string) =>
  service.call(jobsInsert, { identity: { external }, repairer_site_id: site, job_number: external }, repairer);
const listLabels = async (filter: Parameters<typeof service.control<typeof requestsList>>[1]) =>
  (await service.control(requestsList, filter)).items.map(({ operation, label }) => label ?? operation);

describe("requests.list", () => {
  test("with changes lists calls that changed something, by page, after any number of reads and refusals", async () => {
    expect(await listLabels({ changes: true })).toEqual(["webhooks.subscribe", "C-3", "C-2", "C-1"]);
    const first = await service.control(requestsList, { changes: true, limit: 3 });
    expect(first.total).toBe(4);
    const cursor = first.next_cursor ?? "";
    expect(await listLabels({ changes: true, limit: 3, cursor })).toEqual(["C-1"]);
    expect(await listLabels({ changes: true, limit: 2, direction: "asc" })).toEqual(["C-1", "C-2"]);
  });

  test("with writes lists calls that changed or tried to, after any number of reads", async () => {
    expect(await listLabels({ writes: true })).toEqual([jobsInsert.id, "webhooks.subscribe", "C-3", "C-2", "C-1"]);
    const first = await service.control(requestsList, { writes: true, limit: 4 });
    expect([first.total, first.items[0]?.status]).toEqual([5, 422]);
  });

  test("with done lists an operation's calls with 200, optionally oldest first", async () => {
    await service.call(jobsGet, { identity: { external: "nothing has it" } }, repairer);
    await service.call(jobsGet, { identity: { external: "C-2" } }, repairer);
    await service.call(jobsGet, { identity: { external: "C-1" } }, repairer);
    expect(await listLabels({ operation: jobsGet.id, status: 200, direction: "asc" })).toEqual(["C-2", "C-1"]);
    expect(await listLabels({ operation: jobsGet.id, status: 200, limit: 1 })).toEqual(["C-1"]);
  });

  test("counts every operation that isn't declared as a read as a change", () => {
    expect(changingCalls).toContain(jobsInsert.id);
    expect(changingCalls).toContain("webhooks.subscribe");
    expect(changingCalls).not.toContain(jobsGet.id);
    expect(changingCalls).not.toContain("webhooks.secret");
  });
});
