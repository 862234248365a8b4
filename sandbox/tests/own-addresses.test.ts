import fs from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { deliveriesList, subscriptionsList } from "../contract/control/operations.ts";
import {
  receiversCreate,
  receiversList,
  receiversReceived,
  sinkList,
} from "../contract/control/receiver-operations.ts";
import { worldsCopy } from "../contract/control/world-operations.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const started: TestService[] = [];
const folders: string[] = [];
const start = async (folder: string): Promise<TestService> => {
  folders.push(folder);
  const service = await startTestService(folder);
  started.push(service);
  return service;
};
afterEach(async () => {
  for (const service of started.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

let count = 0;
const change = async (service: TestService, world = "default"): Promise<void> => {
  count += 1;
  const job = { identity: { external: `own:${count}` }, repairer_site_id: await ownSite(service) };
  await service.ok(jobsInsert, job, repairer, { "x-sandbox-tenant": world });
};
const { integration_id } = repairer;
const endedStatuses = async (service: TestService, world = "default"): Promise<string[]> => {
  let items: readonly { readonly status: string; readonly url: string }[] = [];
  await expect
    .poll(
      async () => {
        ({ items } = await service.control(deliveriesList, { world }));
        return items.filter(({ status }) => status === "pending").length;
      },
      { timeout: 15_000 },
    )
    .toBe(0);
  return items.map(({ status }) => status);
};

describe("subscriptions to the service's own receivers and test receiver", () => {
  test("follow it to another port after a restart, with their pending deliveries", async () => {
    const folder = temporaryFolder();
    const first = await startTestService(folder, { deliveries: false });
    await first.control(receiversCreate, { integration_id });
    await first.control(receiversCreate, { world: "team", integration_id });
    const sinkUrl = first.baseUrl.replace("127.0.0.1", "localhost");
    for (const url of [`${sinkUrl}/__webhooks/sink`, `${sinkUrl}/__webhooks/sink?of=team`])
      await first.post("/__webhooks/subscribe", { integration_id, url });
    await change(first);
    await change(first, "team");
    await first.stop();

    const second = await start(folder);
    expect(second.port).not.toBe(first.port);
    await endedStatuses(second);
    for (const world of ["default", "team"]) {
      await change(second, world);
      expect(await endedStatuses(second, world)).not.toContain("failed");
      const [receiver] = (await second.control(receiversList, { world })).items;
      expect(receiver?.url).toContain(`${second.baseUrl}/__receiver/${receiver?.id}`);
      expect(receiver?.subscription_id).not.toBeNull();
      const received = await second.control(receiversReceived, { world, id: receiver?.id ?? "" });
      expect(received.items.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
    }
    expect((await second.control(subscriptionsList, {})).items.map(({ url, delivered }) => [url, delivered])).toEqual([
      [expect.stringContaining(`${second.baseUrl}/__receiver/`), 2],
      [`${second.baseUrl}/__webhooks/sink`, 2],
      [`${second.baseUrl}/__webhooks/sink?of=team`, 2],
    ]);
    // One notification goes to two addresses of an integration, so the sink counts the second as a repeat.
    expect((await second.control(sinkList, {})).items.map(({ outcome }) => outcome).toSorted()).toEqual([
      "accepted",
      "accepted",
      "repeated",
      "repeated",
    ]);
  });

  test("exclude addresses of other programs, whatever their path", async () => {
    const folder = temporaryFolder();
    const receiver = await RecordingReceiver.start();
    const other = new URL("/__webhooks/sink", receiver.url).href;
    const first = await startTestService(folder);
    await first.post("/__webhooks/subscribe", { integration_id, url: other });
    await first.control(receiversCreate, { integration_id });
    await first.stop();
    const second = await start(folder);
    await change(second);
    await receiver.waitFor(1);
    await endedStatuses(second);
    expect((await second.control(subscriptionsList, {})).items[0]).toMatchObject({ url: other, delivered: 1 });
    await receiver.stop();
  });

  test("are unchanged if it returns to the same port", async () => {
    const folder = temporaryFolder();
    const first = await startTestService(folder);
    const { url } = await first.control(receiversCreate, { integration_id });
    const { port } = first;
    await first.stop();
    folders.push(folder);
    const second = await startTestService(folder, { port });
    started.push(second);
    expect((await second.control(receiversList, {})).items.map((one) => one.url)).toEqual([url]);
    await change(second);
    expect(await endedStatuses(second)).toEqual(["delivered"]);
  });

  test("of a copied world lead to the copy's receivers", async () => {
    const service = await start(temporaryFolder());
    const { id } = await service.control(receiversCreate, { integration_id });
    await service.control(worldsCopy, { to: "copy" });
    await change(service, "copy");
    expect(await endedStatuses(service, "copy")).toEqual(["delivered"]);
    expect((await service.control(receiversReceived, { world: "copy", id })).total).toBe(1);
    expect((await service.control(receiversReceived, { id })).total).toBe(0);
  });
});
