import { expect, onTestFinished, test } from "vitest";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, temporaryFolder } from "../testing/harness.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

test("D72: pending deliveries of any world are sent after a restart without a call", async () => {
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  const folder = temporaryFolder();
  const tenant = { "x-sandbox-tenant": "team" };

  const first = await startTestService(folder, { deliveries: false });
  const { items } = await first.ok(businessesList, {}, repairer, tenant);
  const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  const subscription = { integration_id: repairer.integration_id, url: receiver.url };
  expect((await first.post("/__webhooks/subscribe", subscription, tenant)).status).toBe(200);
  const job = await first.ok(jobsInsert, { identity: { external: "waits" }, repairer_site_id: site }, repairer, tenant);
  await first.stop();

  const second = await startTestService(folder);
  onTestFinished(() => second.end());
  const [received] = await receiver.waitFor(1, 3_000);
  expect(received?.envelope.payload).toEqual({ job_id: job.id, change_action: "inserted" });
});
