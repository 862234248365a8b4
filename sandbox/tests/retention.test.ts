import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultQuotas } from "../config.ts";
import { requestsGet, requestsList } from "../contract/control/operations.ts";
import { retentionGet, retentionSet, worldsReset } from "../contract/control/world-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { businessesList, jobsGet } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const set = (body: object) =>
  service.post(operationPath(retentionSet), body, { authorization: `Bearer ${service.ready.control_token}` });

describe("the retention of a world", () => {
  test("is a week and 256 megabytes by default, and keeps omitted values", async () => {
    const world = "said";
    expect(await service.control(retentionGet, { world })).toEqual({ max_age_hours: 168, max_megabytes: 256 });
    expect(await service.control(retentionSet, { world, max_age_hours: 2 })).toEqual({
      max_age_hours: 2,
      max_megabytes: 256,
    });
    await service.control(retentionSet, { world, max_megabytes: 7 });
    expect(await service.control(retentionGet, { world })).toEqual({ max_age_hours: 2, max_megabytes: 7 });
    expect(await service.control(retentionGet, { world: "another" })).toMatchObject({ max_megabytes: 256 });
    await service.control(worldsReset, { world });
    expect(await service.control(retentionGet, { world })).toEqual({ max_age_hours: 168, max_megabytes: 256 });
  });

  test("D86: is limited by the service, even in a world that was set higher before", async () => {
    const world = "ceiling";
    await service.control(retentionSet, { world, max_megabytes: 2_048 });
    const { folder } = service;
    await service.stop();
    service = await startTestService(folder, { quotas: { ...defaultQuotas, retentionMebibytes: 512 } });
    expect(await service.control(retentionGet, { world })).toMatchObject({ max_megabytes: 512 });
    expect(await set({ world, max_megabytes: 513 })).toMatchObject({
      status: 400,
      body: {
        type: "bad_request",
        message: expect.stringMatching(/^\/max_megabytes must be at most 512.*--max-retention/),
      },
    });
    expect((await set({ world, max_megabytes: 512 })).status).toBe(200);
  });

  test.each<[object, RegExp]>([
    [{}, /\/max_age_hours or \/max_megabytes/],
    [{ max_age_hours: 0 }, /^\/max_age_hours .*1/],
    [{ max_age_hours: 87_601 }, /^\/max_age_hours .*87600/],
    [{ max_age_hours: 1.5 }, /^\/max_age_hours .*integer/],
    [{ max_age_hours: "24" }, /^\/max_age_hours /],
    [{ max_age_hours: null }, /^\/max_age_hours /],
    [{ max_megabytes: 0 }, /^\/max_megabytes .*1/],
    [{ max_megabytes: 65_537 }, /^\/max_megabytes .*65536/],
    [{ max_age_hours: 5, max_megabytes: -1 }, /^\/max_megabytes /],
  ])("can't be %j, which changes nothing and names the field", async (body, message) => {
    const { status, body: answer } = await set({ world: "bounds", ...body });
    expect([status, answer]).toEqual([400, { type: "bad_request", message: expect.stringMatching(message) }]);
    expect(await service.control(retentionGet, { world: "bounds" })).toEqual({
      max_age_hours: 168,
      max_megabytes: 256,
    });
  });

  test("is published with its previous value", async () => {
    const reader = await FeedReader.connect(service, null, "published");
    await service.control(retentionSet, { world: "published", max_age_hours: 3 });
    await reader.until(({ entries }) => entries.length > 0);
    expect(reader.entries[0]).toMatchObject({
      kind: "world",
      data: {
        ...{ what: "retention", before: { max_age_hours: 168, max_megabytes: 256 } },
        after: { max_age_hours: 3, max_megabytes: 256 },
      },
    });
    reader.close();
  });
});

test("a called world trims itself to its limits, and a returning reader is told", async () => {
  const world = "busy";
  const headers = { "x-sandbox-tenant": world };
  await service.control(retentionSet, { world, max_megabytes: 1 });
  const reader = await FeedReader.connect(service, null, world);
  await service.ok(businessesList, {}, repairer, headers);
  await reader.until(({ ids }) => ids.length > 0);
  const [seen = 0] = reader.ids.slice(-1);
  reader.close();
  const first = (await service.control(requestsList, { world })).items[0];
  for (let count = 0; count < 12; count += 1) {
    const long = { identity: { external: "x" }, note: "y".repeat(300_000) };
    expect((await service.call(jobsGet, long as never, repairer, headers)).status).toBe(404);
  }
  expect((await service.control(requestsList, { world })).total).toBe(13);
  const kept = async (): Promise<number> => (await service.control(requestsList, { world })).total;
  await expect.poll(kept, { timeout: 15_000, interval: 200 }).toBeLessThanOrEqual(3);
  expect(await kept()).toBeGreaterThan(0);
  const gone = await service.call(requestsGet, { world, id: first?.id ?? "" }, undefined, {
    authorization: `Bearer ${service.ready.control_token}`,
  });
  expect([gone.status, gone.body]).toMatchObject([404, { message: expect.stringMatching(/no recorded call/) }]);

  const again = await FeedReader.connect(service, seen, world);
  await again.until(({ events }) => events.length >= 3);
  expect(again.messages.slice(0, 2)).toMatchObject([
    { event: "ready" },
    { event: "reset", data: { reason: expect.stringMatching(/no longer stored/) } },
  ]);
  await service.ok(businessesList, {}, repairer, headers);
  await again.until(({ entries }) => JSON.stringify(entries.at(-1)).includes("businesses.list"));
  expect(again.ids).toEqual(again.ids.toSorted((one, other) => one - other));
  again.close();
});
