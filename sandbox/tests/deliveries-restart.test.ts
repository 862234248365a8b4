import { expect, onTestFinished, test } from "vitest";
import { deliveriesList, subscriptionsList } from "../contract/control/operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import { repairer, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { serveCommand } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const JOBS = 200;

test("kill -9 with pending deliveries loses nothing, and repeats unrecorded ones in order", async () => {
  const data = temporaryFolder();
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  const first = await serveCommand(data);
  const { service } = first;
  const site = await ownSite(service);
  const subscription = { integration_id: repairer.integration_id, url: receiver.url };
  expect((await service.post("/__webhooks/subscribe", subscription)).status).toBe(200);

  // Holds the first notification until all jobs exist, then sends at full speed until the kill.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const killedAt = JOBS / 2;
  receiver.answerWith(async (_, count) => {
    await held;
    if (count === killedAt) void first.process.kill("SIGKILL");
    return 200;
  });
  let next = 0;
  const insert = async (): Promise<void> => {
    while (next < JOBS) {
      next += 1;
      await service.ok(jobsInsert, { identity: { external: `backlog:${next}` }, repairer_site_id: site }, repairer);
    }
  };
  await Promise.all(Array.from({ length: 16 }, insert));
  release();
  expect((await first.process.ended).signal).toBe("SIGKILL");
  const before = receiver.received.length;

  const second = await serveCommand(data);
  onTestFinished(() => second.service.end());
  const list = (filter: object) => second.service.control(deliveriesList, filter);
  await expect.poll(async () => (await list({ status: "pending" })).total, { timeout: 20_000 }).toBe(0);

  // In event order, oldest first.
  const inOrder: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await list({ limit: 500, ...(cursor === "" ? {} : { cursor }) });
    inOrder.unshift(...page.items.map(({ message_id }) => message_id).toReversed());
    cursor = page.next_cursor;
  }
  const received = receiver.received.map(({ envelope }) => envelope.message_id);
  expect(inOrder).toHaveLength(JOBS);
  expect(received.filter((id, index) => received.indexOf(id) === index)).toEqual(inOrder);
  const repeats = received.length - JOBS;
  expect(before).toBeGreaterThanOrEqual(killedAt);
  expect(repeats).toBeLessThanOrEqual(before);
  const { webhook_secret: secret } = fixedCredentials.repairer;
  for (const { body, headers, at } of receiver.received)
    expect(verifyNotification({ body, header: String(headers[SIGNATURE_HEADER]), secret, now: at }).reason).toBeNull();
  const [after] = (await second.service.control(subscriptionsList, {})).items;
  expect(after).toMatchObject({ delivered: JOBS, pending: 0, failed: 0 });
  console.log(`killed after ${before} of ${JOBS} notifications; ${repeats} came again, none was lost`);
}, 60_000);
