import { afterAll, beforeAll, expect, test } from "vitest";
import { worldsCompare } from "../contract/control/compare-operations.ts";
import { deliveriesList } from "../contract/control/operations.ts";
import { type PolicyName, policyChoices } from "../contract/control/policies.ts";
import { policiesExamples } from "../contract/control/policy-examples.ts";
import { policiesSet, worldsCopy } from "../contract/control/world-operations.ts";
import {
  jobsInsert,
  partsList,
  procurementsCancel,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { startReceiver } from "../testing/delivering-engine.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { placeOrder, siteOf } from "../testing/order.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const examplesIn = async (world: string) => (await service.control(policiesExamples, { world })).items;
const exampleOf = async (world: string, policy: PolicyName) => {
  const found = (await examplesIn(world)).find((one) => one.policy === policy);
  return found ?? expect.unreachable(`${world} has no example of ${policy}`);
};
const as = (world: string) => ({ "x-sandbox-tenant": world });

test("each switch is shown by the newest thing it decides about, with what each value answers", async () => {
  const world = "shown";
  const [headers, identity] = [as(world), { external: "newest" }];
  const cancelled = await placeOrder(service, "cancelled", headers);
  await service.ok(procurementsCancel, { identity: { id: cancelled.id } }, repairer, headers);
  const confirmed = await placeOrder(service, "confirmed", headers);
  await service.ok(supplierProcurementsConfirm, { identity: { id: confirmed.id } }, supplier, headers);
  const waiting = await placeOrder(service, "waiting", headers);
  const job = await service.ok(
    jobsInsert,
    { identity, job_number: "N-1", repairer_site_id: await siteOf(service, headers) },
    repairer,
    headers,
  );
  const found = new Map((await examplesIn(world)).map((one) => [one.policy, one]));
  expect(found.get("jobs_insert_conflict")).toMatchObject({
    label: "N-1",
    job_id: job.id,
    answers: [
      { choice: "reject", operation: "repairer.jobs.insert", status: 422, code: "unprocessable", events: 0 },
      { choice: "update", operation: "repairer.jobs.insert", status: 200, code: null, events: 1 },
    ],
  });
  expect(found.get("jobs_insert_unknown_id")?.answers).toMatchObject([
    { choice: "reject", status: 422, events: 0 },
    { choice: "create", status: 200, events: 1 },
  ]);
  expect(found.get("part_ordered_on")).toMatchObject({
    procurement_id: waiting.id,
    answers: [
      { choice: "placed", part_status: "ordered" },
      { choice: "confirmed", part_status: "estimated" },
    ],
  });
  expect(found.get("confirm_when_confirmed")).toMatchObject({
    procurement_id: confirmed.id,
    answers: [
      { choice: "ok", status: 200, code: null, events: 0 },
      { choice: "reject", status: 422, code: "unprocessable", events: 0 },
    ],
  });
  expect(found.get("confirm_when_cancelled")).toMatchObject({
    procurement_id: cancelled.id,
    answers: [
      { choice: "reject", status: 422 },
      { choice: "not_found", status: 404, code: "not_found" },
    ],
  });
});

test("what is said of a value is what a call is answered once it is set", async () => {
  const world = "held";
  const headers = as(world);
  const { id } = await placeOrder(service, "again", headers);
  await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, headers);
  for (const policy of ["confirm_when_confirmed", "jobs_insert_conflict"] as const) {
    const { answers } = await exampleOf(world, policy);
    for (const answer of answers) {
      await service.control(policiesSet, { world, policies: { [policy]: answer.choice } });
      const answered =
        policy === "confirm_when_confirmed"
          ? await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, headers)
          : await service.call(
              jobsInsert,
              { identity: { external: "again" }, repairer_site_id: await siteOf(service, headers) },
              repairer,
              headers,
            );
      expect(answer).toMatchObject({ status: answered.status });
    }
  }
  for (const choice of policyChoices.part_ordered_on) {
    await service.control(policiesSet, { world, policies: { part_ordered_on: choice } });
    const { job_id } = await placeOrder(service, `ordered once ${choice}`, headers);
    const { items } = await service.ok(partsList, { job_identity: { id: job_id } }, repairer, headers);
    const said = (await exampleOf(world, "part_ordered_on")).answers.find((one) => one.choice === choice);
    expect(items.map(({ description, status }) => ({ part: description, part_status: status }))).toContainEqual(
      said && "part" in said ? { part: said.part, part_status: said.part_status } : expect.unreachable(),
    );
  }
});

test("nothing is changed by it, whatever is tried", async () => {
  const world = "as-it-was";
  const { id } = await placeOrder(service, "kept", as(world));
  await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, as(world));
  await service.control(worldsCopy, { world, to: "copy-of-it" });
  expect((await examplesIn(world)).length).toBeGreaterThan(2);
  expect(await service.control(worldsCompare, { world, with: { world: "copy-of-it" } })).toMatchObject({ same: true });
});

test("when a notification is sent again is shown by one that failed, and no trial sends another", async () => {
  const world = "failing";
  expect((await examplesIn(world)).map(({ policy }) => policy)).not.toContain("webhook_retries");
  const receiver = await startReceiver();
  receiver.answerWith(() => 503);
  await service.control(policiesSet, { world, policies: { webhook_retries: "none" } });
  const asked = { integration_id: repairer.integration_id, url: receiver.url };
  expect((await service.post("/__webhooks/subscribe", asked, as(world))).status).toBe(200);
  const { job_id } = await placeOrder(service, "told", as(world));
  const failed = async () => (await service.control(deliveriesList, { world, status: "failed" })).total;
  await expect.poll(failed).toBeGreaterThan(0);
  await expect.poll(async () => (await service.control(deliveriesList, { world, status: "pending" })).total).toBe(0);
  const { total } = await service.control(deliveriesList, { world });
  expect(await exampleOf(world, "webhook_retries")).toMatchObject({
    job_id,
    answers: [
      { choice: "standard", attempts: 1, wait_ms: 5_000 },
      { choice: "fast", attempts: 1, wait_ms: 200 },
      { choice: "none", attempts: 1, wait_ms: null },
    ],
  });
  expect((await service.control(deliveriesList, { world })).total).toBe(total);
});
