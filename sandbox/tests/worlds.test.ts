import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsList, tier1List, uploadsList } from "../contract/control/operations.ts";
import {
  clockAdvance,
  clockGet,
  policiesGet,
  policiesSet,
  worldsCopy,
  worldsDelete,
  worldsList,
  worldsPin,
  worldsReset,
} from "../contract/control/world-operations.ts";
import { businessesList, jobsGet, jobsInsert, tier1Prepare, uploadsPrepare } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const as = (tenant: string) => ({ "x-sandbox-tenant": tenant });
const insert = async (world: string, external: string): Promise<void> => {
  const { items } = await service.ok(businessesList, {}, repairer, as(world));
  const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  await service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, as(world));
};
const status = async (world: string, external: string) =>
  (await service.call(jobsGet, { identity: { external } }, repairer, as(world))).status;
const rowOf = async (name: string) => (await service.control(worldsList, {})).items.find((one) => one.name === name);

describe("worlds on the control plane", () => {
  test("D84: concurrent advances of a clock add up", async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => service.control(clockAdvance, { world: "hurried", seconds: 10 })),
    );
    expect(await service.control(clockGet, { world: "hurried" })).toMatchObject({ offset_seconds: 200 });
  });

  test("D15: a clock stays within the range of dates, and refuses more without moving", async () => {
    const century = { world: "far", seconds: 100 * 365 * 86_400 };
    const token = { authorization: `Bearer ${service.ready.control_token}` };
    let offset = 0;
    for (let steps = 0; steps < 100; steps += 1) {
      const answer = await service.call(clockAdvance, century, undefined, token);
      if (answer.status !== 200) {
        expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("/seconds") } });
        break;
      }
      offset += century.seconds;
    }
    const { now, offset_seconds } = await service.control(clockGet, { world: "far" });
    expect(offset_seconds).toBe(offset);
    expect(now).toMatch(/^9\d{3}-/);
  });

  test("a copy contains its whole original and then changes independently", async () => {
    await insert("original", "before");
    expect(await service.control(worldsCopy, { world: "original", to: "copied" })).toMatchObject({ name: "copied" });
    await insert("copied", "after");
    expect([
      await status("copied", "before"),
      await status("copied", "after"),
      await status("original", "after"),
    ]).toEqual([200, 200, 404]);
  });

  test("shows the last call, excluding reads on the control plane", async () => {
    const row = async () => (await service.control(worldsList, {})).items.find(({ name }) => name === "read");
    await service.control(clockGet, { world: "read" });
    expect(await row()).toMatchObject({ last_active_at: expect.any(String), last_called_at: null });
    await insert("read", "called");
    await expect.poll(async () => (await row())?.last_called_at).toEqual(expect.any(String));
    const called = (await row())?.last_called_at ?? "";
    await wait(20);
    await service.control(clockGet, { world: "read" });
    expect(await row()).toMatchObject({ last_called_at: called });
    expect(((await row())?.last_active_at ?? "") > called).toBe(true);
  });

  test("shows the size of a world's file, which grows with its content", async () => {
    await insert("weighed", "first");
    const before = (await rowOf("weighed"))?.bytes ?? 0;
    expect(before).toBeGreaterThan(100_000);
    await Promise.all(Array.from({ length: 40 }, (_, number) => insert("weighed", `more-${number}`)));
    expect((await rowOf("weighed"))?.bytes).toBeGreaterThan(before);
  });

  test("shows when each setting last changed; setting the same value doesn't count", async () => {
    const world = "switched";
    const never = await service.control(policiesGet, { world });
    expect(new Set(Object.values(never.changed_at))).toEqual(new Set([null]));
    const before = Date.now();
    const policies = { confirm_when_confirmed: "reject", part_ordered_on: "placed" } as const;
    const { changed_at } = await service.control(policiesSet, { world, policies });
    expect(changed_at.part_ordered_on).toBeNull();
    expect(Date.parse(changed_at.confirm_when_confirmed ?? "")).toBeGreaterThanOrEqual(before);
    await service.control(policiesSet, { world, policies: { webhook_retries: "none", ...policies } });
    const after = await service.control(policiesGet, { world });
    expect(after.changed_at.confirm_when_confirmed).toBe(changed_at.confirm_when_confirmed);
    expect(after.changed_at.webhook_retries).not.toBeNull();
  });

  test("a copy to a taken or invalid name changes nothing", async () => {
    await insert("taken", "mine");
    const token = { authorization: `Bearer ${service.ready.control_token}` };
    for (const to of ["taken", "../x", ""]) {
      expect(await service.call(worldsCopy, { world: "original", to }, undefined, token)).toMatchObject({
        status: 400,
        body: { type: "bad_request" },
      });
    }
    expect(await status("taken", "mine")).toBe(200);
  });

  test("a deleted world is created again by the next call; default can only be reset", async () => {
    await insert("short", "gone");
    expect(await service.control(worldsDelete, { world: "short" })).toEqual({
      ok: true,
      checkpoint: expect.stringMatching(/^before-delete-/),
    });
    expect(await rowOf("short")).toBeUndefined();
    expect(await status("short", "gone")).toBe(404);
    const refused = await service.call(worldsDelete, {}, undefined, {
      authorization: `Bearer ${service.ready.control_token}`,
    });
    expect(refused).toMatchObject({ status: 400, body: { type: "bad_request" } });
  });

  test("D82: a pinned world has no reset time; a reset restores the seed and keeps the pin", async () => {
    await insert("kept", "mine");
    expect((await rowOf("kept"))?.resets_at).not.toBeNull();
    expect(await service.control(worldsPin, { world: "kept", pinned: true })).toMatchObject({
      pinned: true,
      resets_at: null,
    });
    expect(await service.control(worldsReset, { world: "kept" })).toMatchObject({ name: "kept", pinned: true });
    expect(await status("kept", "mine")).toBe(404);
    expect((await service.control(jobsList, { world: "kept", limit: 1 })).total).toBe(
      (await service.control(jobsList, { limit: 1 })).total,
    );
  });
});

test("lists queued vehicles and prepared uploads, newest first", async () => {
  const identifiers = [
    { region: "NZ", plate: "ONE" },
    { region: "NZ", plate: "TWO" },
    { region: "NZ", plate: "one" },
  ];
  await service.ok(tier1Prepare, { identifiers }, repairer);
  const queued = await service.control(tier1List, { limit: 1 });
  expect(queued).toMatchObject({
    total: 2,
    items: [{ identifier: { kind: "plate", region: "NZ", plate: "TWO" } }],
    next_cursor: expect.any(String),
  });
  const rest = await service.control(tier1List, { limit: 1, cursor: queued.next_cursor ?? "" });
  expect(rest).toMatchObject({ items: [{ identifier: { plate: "ONE" } }], next_cursor: null });
  const { public_url } = await service.ok(
    uploadsPrepare,
    { file_name: "a b.png", media_type: "image", type: "job_media" },
    repairer,
  );
  expect(await service.control(uploadsList, {})).toMatchObject({
    total: 1,
    items: [{ file_name: "a b.png", uploaded_at: null, size: null, public_url }],
  });
});
