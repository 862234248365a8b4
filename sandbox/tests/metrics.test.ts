import { afterEach, expect, test, vi } from "vitest";
import { activityList } from "../contract/control/activity-operations.ts";
import { integrationsInsert, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

let service: TestService;
afterEach(() => service.end());

const scraped = async (token = service.ready.control_token) =>
  service.raw("/metrics", { method: "GET", headers: { authorization: `Bearer ${token}` } });
/** A figure by its name and labels as they appear in the text. */
const figureIn = (text: string, name: string): number | undefined => {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

test("are off unless the service enables metrics", async () => {
  service = await startTestService();
  expect((await scraped()).status).toBe(404);
});

test("count calls, attempts, worlds and pending deliveries, in OpenMetrics, for the operator only", async () => {
  service = await startTestService(undefined, { metrics: true });
  const receiver = await RecordingReceiver.start();
  receiver.answerWith((_, count) => (count === 1 ? 500 : 200));
  await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url: receiver.url });
  const site = await ownSite(service);
  for (const external of ["one", "two"])
    await service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer);
  await service.call(integrationsInsert, { access_code: "ac_none", client_id: "nobody", client_secret: "nothing" });
  await receiver.waitFor(2);
  const { headers, text } = await vi.waitUntil(async () => {
    const answer = await scraped();
    return figureIn(answer.text, "sandbox_deliveries_waiting") === 1 && answer;
  }, 5_000);
  await receiver.stop();
  expect(headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(text.endsWith("# EOF\n")).toBe(true);
  const insert = "/api/2026-01/repairer.jobs.insert";
  expect(figureIn(text, `sandbox_calls_total{route="${insert}",status="200"}`)).toBe(2);
  expect(figureIn(text, `sandbox_call_duration_seconds_count{route="${insert}"}`)).toBe(2);
  expect(text).toMatch(/sandbox_calls_total\{route="\/api\/2026-01\/integrations\.insert",status="4\d\d"\} 1/);
  expect(figureIn(text, 'sandbox_delivery_attempt_duration_seconds_count{outcome="refused"}')).toBe(1);
  expect(figureIn(text, 'sandbox_delivery_attempt_duration_seconds_count{outcome="acknowledged"}')).toBe(1);
  expect([figureIn(text, "sandbox_worlds"), figureIn(text, "sandbox_worlds_open")]).toEqual([1, 1]);
  expect(figureIn(text, "sandbox_live_readers")).toBe(0);
  expect(text).toContain("nodejs_eventloop_lag_seconds");
  expect((await scraped("guessed")).status).toBe(401);
});

test("don't hide calls without an operation from the activity", async () => {
  service = await startTestService(undefined, { metrics: true });
  for (let call = 0; call < 3; call += 1) await service.raw("/api/2026-01/repairer.jobs.erase");
  const { items } = await service.control(activityList, {});
  expect(items.map(({ cause, count }) => [cause, count])).toEqual([["unknown_operation", 3]]);
});
