import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { credentialHeaders, repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

const OPEN = 40;
/** More than the limit of open worlds. */
const WORLDS = 60;

let service: TestService;
/** A retry uses new worlds. */
let attempt = 0;
beforeAll(async () => {
  service = await startTestService(undefined, { limits: { openWorlds: OPEN } });
});
afterAll(() => service.end());

/** IDs of the calls recorded in a world's file, read beside the service. */
const onRecord = (world: string): Set<unknown> => {
  const db = new Sqlite(path.join(service.folder, "worlds", worldFileName(world)), { readonly: true });
  const ids = db.prepare("SELECT id FROM requests").pluck().all();
  db.close();
  return new Set(ids);
};
const idOf = ({ headers }: { readonly headers: Headers }): string | null => headers.get("x-request-id");

test("every call is recorded before its response: reads, writes, refusals and unknown addresses", async () => {
  const world = "recorded";
  const headers = { ...credentialHeaders(repairer), "x-sandbox-tenant": world };
  const tenant = { "x-sandbox-tenant": world };
  const repairer_site_id = await ownSite(service);
  await service.ok(businessesList, {}, repairer, tenant);
  const answered: (string | null)[] = [];
  const caller = async (number: number): Promise<void> => {
    for (let count = 0; count < 5; count += 1) {
      const external = `of-${number}-${count}`;
      const answers = [
        await service.call(jobsInsert, { identity: { external }, repairer_site_id }, repairer, tenant),
        await service.call(jobsGet, { identity: { external } }, repairer, tenant),
        await service.call(jobsInsert, { identity: { external }, repairer_site_id }, repairer, tenant),
        await service.call(jobsGet, { identity: { external } }, { ...repairer, api_key: "sbx_none" }, tenant),
        await service.post("/api/2026-01/nothing", {}, headers),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 401, 404]);
      answered.push(...answers.map(idOf));
      if (count % 5 === 0) expect(onRecord(world).has(answered.at(-1))).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, number) => caller(number)));
  const kept = onRecord(world);
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  expect(kept.size).toBe(answered.length + 1);
});

test("with more active worlds than open files, no call fails or is lost, and each has its exchange", async () => {
  attempt += 1;
  const repairer_site_id = await ownSite(service);
  const { integration_id } = repairer;
  const control = { authorization: `Bearer ${service.ready.control_token}` };
  const inWorld = async (world: string): Promise<void> => {
    const tenant = { "x-sandbox-tenant": world };
    const insert = (external: string) =>
      service.call(jobsInsert, { identity: { external }, repairer_site_id }, repairer, tenant);
    const url = "http://127.0.0.1:9/hook";
    const answers = await Promise.all([
      insert("a"),
      service.post("/__webhooks/subscribe", { integration_id, url }, tenant),
      service.post(operationPath(policiesSet), { world, policies: { webhook_retries: "none" } }, control),
      insert("b"),
      insert("c"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [first, subscribed, , second, third] = answers.map(idOf);
    const kept = onRecord(world);
    expect([first, subscribed, second, third].filter((id) => !kept.has(id))).toEqual([]);
  };
  const worlds = Array.from({ length: WORLDS }, (_, number) => `team-${number}-${attempt}`);
  for (let at = 0; at < WORLDS; at += 25)
    await Promise.all(
      worlds.slice(at, at + 25).map((world) => service.ok(businessesList, {}, repairer, { "x-sandbox-tenant": world })),
    );
  await Promise.all(worlds.map(inWorld));
}, 90_000);

test("a call that the disk refused is recorded later, with its original response", async () => {
  const as = { "x-sandbox-tenant": "refused" };
  const site = await ownSite(service);
  const insert = (external: string) =>
    service.call(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, as);
  expect((await insert("before")).status).toBe(200);
  const other = new Sqlite(path.join(service.folder, "worlds", worldFileName("refused")));
  other.exec("BEGIN IMMEDIATE");
  const change = await insert("refused");
  const read = await service.call(jobsGet, { identity: { external: "before" } }, repairer, as);
  expect([change.status, read.status]).toEqual([503, 200]);
  other.exec("ROLLBACK");
  other.close();
  await expect
    .poll(
      async () => {
        const { items } = await service.control(requestsList, { world: "refused" });
        return items.map(({ operation, status }) => `${operation} ${status}`).sort();
      },
      { timeout: 20_000 },
    )
    .toEqual(["repairer.jobs.get 200", "repairer.jobs.insert 200", "repairer.jobs.insert 503"]);
  expect((await insert("after")).status).toBe(200);
}, 60_000);
