import fs from "node:fs";
import path from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { subscriptionsList } from "../contract/control/operations.ts";
import { policiesSet } from "../contract/control/world-operations.ts";
import { jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, TestService, temporaryFolder } from "../testing/harness.ts";
import { integrityFault } from "../testing/integrity.ts";
import { ownSite } from "../testing/order.ts";
import { CommandProcess } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";
import { SmallDisk } from "../testing/small-disk.ts";
import { FAILING_SYNCS, Strace } from "../testing/strace.ts";

const disk = SmallDisk.mount(16);
if (typeof disk === "string") console.log(`Skipped: a full disk, because ${disk}.`);
const hindrance = await Strace.hindrance();
if (hindrance !== null) console.log(`Skipped: a disk that fails to sync, because ${hindrance}.`);
afterAll(() => (typeof disk === "string" ? undefined : disk.remove()));

/** A service in a separate process, which can be killed. */
const serve = async (data: string): Promise<TestService> => {
  const command = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
  onTestFinished(async () => {
    await command.kill("SIGKILL");
  });
  const ready = await command.ready(20_000);
  const stop = async (): Promise<void> => {
    await command.kill("SIGKILL");
  };
  return new TestService(data, { ready, address: ready.base_url, stop });
};

/** A service with a subscriber, its acknowledged jobs, and those refused because of the disk. */
const setUp = async (data: string) => {
  const service = await serve(data);
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  const { integration_id } = repairer;
  await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
  expect((await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url })).status).toBe(200);
  const site = await ownSite(service);
  const acknowledged = new Map<string, string>();
  const refused: string[] = [];
  let count = 0;
  const insert = async (external: string): Promise<number> => {
    // Large enough that a few of them need a new page. A refused one may exist.
    const again = refused.includes(external) ? { if_: { exists: "update" as const } } : {};
    const job = { identity: { external }, repairer_site_id: site, claim_number: external.padEnd(200, "x"), ...again };
    const { status, body } = await service.call(jobsInsert, job, repairer);
    if (status === 200) acknowledged.set(external, body.id);
    else {
      refused.push(external);
      expect([status, body]).toEqual([
        503,
        {
          type: "storage_unavailable",
          message: expect.stringMatching(/^(The change could not|The disk) .* try again\.$/),
        },
      ]);
    }
    return status;
  };
  /** Sends ten inserts at once. */
  const insertSome = () =>
    Promise.all(
      Array.from({ length: 10 }, () => {
        count += 1;
        return insert(`job ${count}`);
      }),
    );
  const notified = () =>
    new Set(receiver.received.map(({ envelope }) => ("job_id" in envelope.payload ? envelope.payload.job_id : "")));
  const unnotified = () => [...acknowledged.values()].filter((id) => !notified().has(id));
  return { service, acknowledged, refused, insert, insertSome, unnotified };
};

const expectAllThere = async (service: TestService, acknowledged: ReadonlyMap<string, string>): Promise<void> => {
  for (const [external, id] of acknowledged) {
    const { status, body } = await service.call(jobsGet, { identity: { external } }, repairer);
    expect([external, status, body.id]).toEqual([external, 200, id]);
  }
};

/** Expects refused jobs to be accepted once the disk works again. */
const expectRecovered = async (scene: Awaited<ReturnType<typeof setUp>>): Promise<void> => {
  const { service, acknowledged, refused, insert, unnotified } = scene;
  for (const external of [...refused]) expect(await insert(external)).toBe(200);
  await expectAllThere(service, acknowledged);
  await expect.poll(() => unnotified().length, { timeout: 20_000 }).toBe(0);
  await expect
    .poll(async () => (await service.control(subscriptionsList, {})).items.map(({ pending }) => pending), {
      timeout: 20_000,
    })
    .toEqual([0]);
  await service.stop();
  const next = await serve(service.folder);
  await expectAllThere(next, acknowledged);
  await next.stop();
  expect(integrityFault(service.folder)).toBeNull();
};

test("D12: a full disk refuses changes but not reads, recovers, and loses nothing acknowledged", async (context) => {
  if (typeof disk === "string") return context.skip(disk);
  const scene = await setUp(path.join(disk.folder, "data"));
  await scene.insertSome();
  expect(scene.refused).toEqual([]);
  disk.fill();
  for (let rounds = 0; rounds < 200 && scene.refused.length < 30; rounds += 1) await scene.insertSome();
  expect(scene.refused.length).toBeGreaterThanOrEqual(30);
  await expectAllThere(scene.service, scene.acknowledged);
  for (const external of scene.refused.slice(0, 10))
    expect((await scene.service.call(jobsGet, { identity: { external } }, repairer)).status).toBe(404);
  disk.free();
  await expectRecovered(scene);
}, 60_000);

test("D12: a disk that fails to sync acknowledges nothing, and afterwards everything acknowledged exists", async (context) => {
  if (hindrance !== null) return context.skip(hindrance);
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true }));
  const scene = await setUp(data);
  await scene.insertSome();
  expect(scene.refused).toEqual([]);
  const failing = await Strace.attach(scene.service.ready.pid, FAILING_SYNCS);
  try {
    expect(new Set([...(await scene.insertSome()), ...(await scene.insertSome())])).toEqual(new Set([503]));
    // Readable content may not be on disk.
    for (const external of [...scene.acknowledged.keys(), ...scene.refused])
      expect((await scene.service.call(jobsGet, { identity: { external } }, repairer)).status).toBe(503);
  } finally {
    await failing.end();
  }
  await expectRecovered(scene);
}, 60_000);
