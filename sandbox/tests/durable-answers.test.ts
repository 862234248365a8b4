import { expect, it, onTestFinished } from "vitest";
import { requestsList } from "../contract/control/operations.ts";
import { jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService } from "../testing/harness.ts";
import { delaySyncs, diskFailure } from "../testing/held-sync.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const scene = async () => {
  const service = await startTestService();
  onTestFinished(() => service.end());
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  const { integration_id } = repairer;
  await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url });
  const job = { repairer_site_id: await ownSite(service), identity: { external: "first" } };
  await service.ok(jobsInsert, job, repairer);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
  // Waits until the first call's work is written.
  await new Promise((done) => setTimeout(done, 200));
  const syncs = delaySyncs();
  onTestFinished(() => syncs.restore());
  const insert = (external: string, tenant?: string) =>
    service.call(
      jobsInsert,
      { ...job, identity: { external } },
      repairer,
      tenant ? { "x-sandbox-tenant": tenant } : {},
    );
  const get = (external: string) => service.call(jobsGet, { identity: { external } }, repairer);
  return { service, receiver, syncs, insert, get };
};

it("the response to an insert, its notification and reads of it wait for the disk", async () => {
  const { service, receiver, syncs, insert, get } = await scene();
  const left: string[] = [];
  const note = (name: string) => () => void left.push(name);
  const inserted = insert("second").then(note("insert"));
  await expect.poll(() => syncs.held.length, { timeout: 10_000 }).toBe(1);
  const read = get("second").then(note("read"));
  const listed = service.control(requestsList, {}).then(note("list"));
  await new Promise((done) => setTimeout(done, 150));
  expect([left, receiver.received.length]).toEqual([[], 1]);
  syncs.restore();
  syncs.held[0]?.end();
  await Promise.all([inserted, read, listed]);
  expect(left.toSorted()).toEqual(["insert", "list", "read"]);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2);
});

it("if the disk fails, an insert and its reads get 503, nothing is sent, and the world continues", async () => {
  const { service, receiver, syncs, insert, get } = await scene();
  const inserted = insert("second");
  await expect.poll(() => syncs.held.length, { timeout: 10_000 }).toBe(1);
  const read = get("second");
  const behind = insert("fourth");
  const listed = service.post(
    "/__sandbox/requests.list",
    {},
    { authorization: `Bearer ${service.ready.control_token}` },
  );
  // Waits until both calls have arrived and read content that isn't on disk.
  await new Promise((done) => setTimeout(done, 1_000));
  syncs.restore();
  syncs.held[0]?.end(diskFailure());
  const answers = await Promise.all([inserted, read, behind, listed]);
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      503,
      { type: "storage_unavailable", message: expect.stringMatching(/may be lost or kept/) },
    ]);
  expect((await get("first")).status).toBe(200);
  expect((await insert("third")).status).toBe(200);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(1);
});

it("another world responds while one waits for the disk", async () => {
  const { syncs, insert } = await scene();
  const waiting = insert("second");
  await expect.poll(() => syncs.held.length, { timeout: 10_000 }).toBe(1);
  const other = insert("second", "other");
  await expect.poll(() => syncs.held.length, { timeout: 10_000 }).toBe(2);
  syncs.held[1]?.end();
  expect((await other).status).toBe(200);
  syncs.restore();
  syncs.held[0]?.end();
  expect((await waiting).status).toBe(200);
});
