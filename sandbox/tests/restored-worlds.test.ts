import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deliveriesList, deliveriesRedeliver, requestsList, uploadsList } from "../contract/control/operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { worldsCopy, worldsDelete, worldsReset } from "../contract/control/world-operations.ts";
import { businessesList, jobsGet, jobsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
let siteId = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  siteId = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

const as = (world: string) => ({ "x-sandbox-tenant": world });
const insert = (world: string, external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: siteId }, repairer, as(world));
const jobs = async (world: string, ...externals: string[]): Promise<boolean[]> => {
  const found: boolean[] = [];
  for (const external of externals)
    found.push((await service.call(jobsGet, { identity: { external } }, repairer, as(world))).status === 200);
  return found;
};

test("pending deliveries of a snapshot fail and are sent again only on request", async () => {
  const world = "notified";
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  receiver.answerWith(() => 503);
  const { integration_id } = repairer;
  expect((await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url }, as(world))).status).toBe(
    200,
  );
  await insert(world, "told");
  await receiver.waitFor(1);
  const pending = () => service.control(deliveriesList, { world, status: "pending" });
  await expect.poll(async () => (await pending()).items[0]?.attempts_made).toBe(1);
  await service.control(snapshotsSave, { world, name: "waiting" });
  await service.control(snapshotsRestore, { world, name: "waiting" });
  expect((await pending()).total).toBe(0);
  const [failed] = (await service.control(deliveriesList, { world })).items;
  expect(failed).toMatchObject({
    status: "failed",
    next_attempt_at: null,
    last_error: expect.stringMatching(/^not sent: pending deliveries from a snapshot/),
  });
  receiver.answerWith(() => 200);
  const sent = receiver.received.length;
  await service.control(deliveriesRedeliver, { world, id: failed?.id ?? "" });
  const all = await receiver.waitFor(sent + 1);
  expect(all.at(-1)?.envelope.message_id).toBe(failed?.message_id);
  await insert(world, "new");
  expect((await receiver.waitFor(sent + 2)).length).toBe(sent + 2);
});

test("readers of the live feed learn that their data is stale, even after reconnecting", async () => {
  const world = "followed";
  await insert(world, "one");
  await service.control(snapshotsSave, { world, name: "a" });
  await insert(world, "two");
  const follow = async (lastId: number | null): Promise<FeedReader> => {
    const reader = await FeedReader.connect(service, lastId, world);
    onTestFinished(() => reader.close());
    return reader;
  };
  const connected = await (await follow(null)).until(({ events }) => events.includes("state"));
  const last = Math.max(...connected.ids);
  await service.control(snapshotsRestore, { world, name: "a" });
  await connected.until(({ events }) => events.includes("reset"));
  const back = await (await follow(last)).until(({ events }) => events.includes("state"));
  expect(back.events).toContain("reset");
});

test("uploaded pictures are restored with their world", async () => {
  const world = "pictured";
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
  const prepared = await service.ok(
    uploadsPrepare,
    { file_name: "a.png", media_type: "image", type: "job_media" },
    repairer,
    as(world),
  );
  const address = (url: string | null) => (url ?? "").slice(service.baseUrl.length);
  const put = await service.raw(address(prepared.upload_url), { method: "PUT", body: new Uint8Array(png) });
  expect(put.status).toBe(200);
  const see = async () => (await service.raw(address(prepared.public_url), { method: "GET" })).status;
  const { checkpoint } = await service.control(worldsReset, { world });
  expect(await see()).toBe(404);
  await service.control(snapshotsRestore, { world, name: checkpoint ?? "" });
  expect(await see()).toBe(200);
  expect((await service.control(uploadsList, { world })).items[0]?.size).toBe(png.length);
  // A copy has its own pictures, which don't depend on the other world.
  await service.control(worldsCopy, { world, to: "pictured-too" });
  await service.control(worldsDelete, { world, checkpoint: false });
  expect(await see()).toBe(200);
  await service.control(worldsDelete, { world: "pictured-too", checkpoint: false });
  expect(await see()).toBe(404);
});

test("a world is saved completely during writes", async () => {
  const world = "busy";
  await insert(world, "first");
  const writing = Array.from({ length: 60 }, (_, index) => insert(world, `job ${index}`));
  const saving = [1, 2, 3].map((count) => service.control(snapshotsSave, { world, name: `s${count}` }));
  await Promise.all([...writing, ...saving]);
  for (const name of ["s1", "s2", "s3"]) {
    await service.control(snapshotsRestore, { world, name, checkpoint: false });
    expect(await jobs(world, "first")).toEqual([true]);
    expect((await service.control(requestsList, { world })).total).toBeGreaterThan(0);
  }
});
