import net from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { defaultQuotas } from "../config.ts";
import { deliveriesRedeliver } from "../contract/control/operations.ts";
import { deliveriesSendDrill, receiversCreate } from "../contract/control/receiver-operations.ts";
import { clockAdvance, clockReset, policiesSet, worldsReset } from "../contract/control/world-operations.ts";
import { businessesList, jobsInsert } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService(undefined, { quotas: { ...defaultQuotas, streams: 100 } });
  site = await ownSite(service);
});
afterAll(() => service.end());

let count = 0;
const insert = (world: string, images: string[] = []) => {
  count += 1;
  const job = { identity: { external: `feed:${count}` }, repairer_site_id: site, images };
  return service.ok(jobsInsert, job, repairer, { "x-sandbox-tenant": world });
};
const jobsIn = (reader: FeedReader): string[] =>
  reader.entries.flatMap((entry) => (entry.kind === "state" ? [entry.data.id] : []));

test("a hundred readers get all entries in order", async () => {
  const world = "many-readers";
  const readers = await Promise.all(Array.from({ length: 100 }, () => FeedReader.connect(service, null, world)));
  await Promise.all(readers.map((reader) => reader.until(({ events }) => events.includes("ready"))));
  const made: string[] = [];
  for (let round = 0; round < 20; round += 1)
    made.push(...(await Promise.all(Array.from({ length: 5 }, () => insert(world)))).map(({ id }) => id));
  // Each insert produces a call, a change and an event.
  await Promise.all(readers.map((reader) => reader.until(({ ids }) => ids.length >= 3 * made.length, 20_000)));
  const [first] = readers;
  expect(first && jobsIn(first).toSorted()).toEqual(made.toSorted());
  for (const reader of readers) {
    expect(reader.ids).toEqual(first?.ids);
    reader.close();
  }
}, 40_000);

test("a reader that doesn't read is dropped with a reason, blocks no one, and resumes later", async () => {
  const world = "slow-reader";
  const images = Array.from({ length: 100 }, (_, index) => `https://pictures.example/${index}/${"x".repeat(2_000)}`);
  const fast = await FeedReader.connect(service, null, world);
  const slow = net.connect(service.port, "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  slow.pause();
  slow.write(
    `GET /__sandbox/live?world=${world} HTTP/1.0\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${service.ready.control_token}\r\n\r\n`,
  );
  await fast.until(({ events }) => events.includes("ready"));
  const made: string[] = [];
  // More than the buffers of the system and the service.
  for (let left = 60; left > 0; left -= 1) made.push((await insert(world, images)).id);
  await fast.until((reader) => jobsIn(reader).length === made.length);
  expect(fast.events).not.toContain("dropped");
  fast.close();

  let text = "";
  slow.setEncoding("utf8").on("data", (some: string) => {
    text += some;
  });
  const ended = new Promise((resolve) => slow.once("end", resolve));
  slow.resume();
  await ended;
  const messages = text.split("\n\n").filter((block) => block.startsWith("id:") || block.startsWith("event:"));
  expect(messages.at(-1)).toMatch(/^event: dropped\ndata: \{"reason":"reads too slowly; [^"]*last id"\}$/);
  const ids = messages.flatMap((block) => /^id: (\d+)$/m.exec(block)?.[1] ?? []).map(Number);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.length).toBeLessThan(3 * made.length);

  const resumed = await FeedReader.connect(service, ids.at(-1), world);
  await resumed.until((reader) => jobsIn(reader).includes(made.at(-1) ?? ""));
  expect(resumed.events).not.toContain("reset");
  const before = messages.flatMap((block) => /"entity":"job","id":"([^"]+)"/.exec(block)?.[1] ?? []);
  expect([...before, ...jobsIn(resumed)]).toEqual(made);
  resumed.close();
}, 60_000);

test("every event is on the feed with its trace, and with the state before and after", async () => {
  const world = "all-kinds";
  const headers = { "x-sandbox-tenant": world };
  const reader = await FeedReader.connect(service, null, world);
  const { id } = await insert(world);
  await service.control(receiversCreate, { world, integration_id: repairer.integration_id });
  const job = { identity: { id }, repairer_site_id: site, claim_number: "C-2", if_: { exists: "update" as const } };
  const updated = await service.call(jobsInsert, job, repairer, headers);
  const trace = updated.headers.get("x-request-id");
  const deliveriesOf = () => reader.entries.flatMap((entry) => (entry.kind === "delivery" ? [entry] : []));
  await reader.until(() => deliveriesOf().some(({ data }) => data.status === "delivered"));
  const delivery = deliveriesOf()[0]?.data.id ?? "";
  await service.control(deliveriesSendDrill, { world, id: delivery, drill: "stale" });
  await service.control(deliveriesRedeliver, { world, id: delivery });
  await service.control(clockAdvance, { world, seconds: 90 });
  await service.control(clockReset, { world });
  await service.control(policiesSet, { world, policies: { webhook_retries: "none" } });
  await service.ok(businessesList, {}, repairer, headers);
  await reader.until(({ entries }) => JSON.stringify(entries.at(-1)).includes("businesses.list"));
  await service.control(worldsReset, { world });
  await reader.until(({ events }) => events.at(-1) === "reset");

  const ofTrace = reader.entries.filter((entry) => entry.trace_id === trace);
  expect(new Set(ofTrace.map(({ kind }) => kind))).toEqual(new Set(["state", "event", "delivery", "request", "drill"]));
  expect(ofTrace.find(({ kind }) => kind === "state")?.data).toMatchObject({
    ...{ entity: "job", id, change: "updated" },
    before: { claim_number: null },
    after: { claim_number: "C-2" },
  });
  // Queued and delivered, twice because of the resend.
  expect(ofTrace.filter(({ kind }) => kind === "delivery").map(({ data }) => "status" in data && data.status)).toEqual(
    expect.arrayContaining(["pending", "delivered", "pending", "delivered"]),
  );
  expect(reader.entries.flatMap((entry) => (entry.kind === "world" ? [entry.data] : []))).toEqual([
    { what: "receivers" },
    { what: "clock", before: { offset_seconds: 0 }, after: { offset_seconds: 90 } },
    { what: "clock", before: { offset_seconds: 90 }, after: { offset_seconds: 0 } },
    expect.objectContaining({
      what: "policies",
      before: expect.objectContaining({ webhook_retries: "standard" }),
      after: expect.objectContaining({ webhook_retries: "none" }),
    }),
  ]);
  const subscription = reader.entries.find((entry) => entry.kind === "state" && entry.data.entity === "subscription");
  expect(subscription?.data).toMatchObject({ change: "inserted", before: null, after: { paused_at: null } });
  for (const entry of reader.entries) {
    if (entry.kind === "world" || entry === subscription) continue;
    expect([entry.kind, entry.trace_id]).toEqual([entry.kind, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  }
  reader.close();
});
