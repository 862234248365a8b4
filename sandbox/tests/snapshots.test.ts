import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { defaultQuotas, type Quotas } from "../config.ts";
import { faultsList, faultsSet } from "../contract/control/fault-operations.ts";
import {
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  clockGet,
  policiesGet,
  policiesSet,
  workList,
  worldsDelete,
  worldsList,
  worldsPin,
  worldsReset,
} from "../contract/control/world-operations.ts";
import type { Operation, RequestOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { worldFileName } from "../rules/worlds/world-name.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

const as = (world: string) => ({ "x-sandbox-tenant": world });
const insert = (world: string, external: string) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, as(world));
const jobs = async (world: string, ...externals: string[]): Promise<boolean[]> => {
  const found: boolean[] = [];
  for (const external of externals)
    found.push((await service.call(jobsGet, { identity: { external } }, repairer, as(world))).status === 200);
  return found;
};
const token = () => ({ authorization: `Bearer ${service.ready.control_token}` });
const refused = <O extends Operation>(operation: O, body: RequestOf<O>) =>
  service.call(operation, body, undefined, token());
const names = async (world: string) =>
  (await service.control(snapshotsList, { world })).items.map(({ name, kind }) => [kind, name]);

describe("a snapshot", () => {
  test("is saved under a name and restores exactly its state", async () => {
    const world = "saved";
    await insert(world, "one");
    await service.control(policiesSet, { world, policies: { confirm_when_confirmed: "reject" } });
    await service.control(clockAdvance, { world, seconds: 3_600 });
    await service.control(faultsSet, { world, effect: { drop: {} }, operation: "tier1.prepare" });
    const saved = await service.control(snapshotsSave, { world, name: "First" });
    expect(saved).toMatchObject({
      name: "First",
      world,
      kind: "saved",
      before: null,
      clock_offset_seconds: 3_600,
      counts: { credentials: 2, subscriptions: 0 },
      version: expect.stringMatching(/^\d/),
    });
    expect(saved.bytes).toBeGreaterThan(10_000);
    await insert(world, "two");
    await service.control(clockAdvance, { world, seconds: 10 });
    await service.control(policiesSet, { world, policies: { confirm_when_confirmed: "ok" } });
    const restored = await service.control(snapshotsRestore, { world, name: "First" });
    expect(restored).toMatchObject({ name: world, counts: saved.counts, clock_offset_seconds: 3_600 });
    expect(await jobs(world, "one", "two")).toEqual([true, false]);
    expect((await service.control(policiesGet, { world })).policies.confirm_when_confirmed).toBe("reject");
    expect((await service.control(clockGet, { world })).offset_seconds).toBe(3_600);
    expect((await service.control(faultsList, { world })).items).toHaveLength(1);
    await insert(world, "three");
    await service.control(snapshotsRestore, { world, name: restored.checkpoint ?? "" });
    expect(await jobs(world, "one", "two", "three")).toEqual([true, true, false]);
  });

  test("is refused under an invalid or taken name, and named after the time by default", async () => {
    const world = "named";
    await insert(world, "one");
    await service.control(snapshotsSave, { world, name: "a" });
    for (const name of ["a", "", "../b", "a b", "é", "x".repeat(65)])
      expect((await refused(snapshotsSave, { world, name })).status, name).toBe(400);
    await service.control(snapshotsSave, { world, name: "A" });
    expect(await names(world)).toEqual([
      ["saved", "A"],
      ["saved", "a"],
    ]);
    expect((await service.control(snapshotsSave, { world })).name).toMatch(/^snapshot-\d{8}-\d{6}\.\d{3}$/);
  });

  test("has a unique name: of several concurrent ones with one name, one is saved", async () => {
    const world = "contested";
    await insert(world, "one");
    const { document } = await service.control(snapshotsExport, { world });
    const answers = await Promise.all([
      ...[1, 2].map(() => refused(snapshotsSave, { world, name: "x" })),
      ...[1, 2].map(() => refused(snapshotsImport, { world, name: "x", document })),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    const made = answers.find(({ status }) => status === 200)?.body;
    expect((await service.control(snapshotsList, { world })).items).toEqual([made]);
    const unnamed = await Promise.all([1, 2].map(() => service.control(snapshotsSave, { world })));
    expect(new Set(unnamed.map(({ name }) => name)).size).toBe(2);
  });

  test("is deleted on request, and a missing one is refused with a sentence", async () => {
    const world = "forgotten";
    await service.control(snapshotsSave, { world, name: "a" });
    expect(await service.control(snapshotsDelete, { world, name: "a" })).toEqual({ ok: true });
    for (const operation of [snapshotsDelete, snapshotsRestore, snapshotsExport]) {
      for (const name of ["a", "my snapshot", "é", "../a", ""]) {
        expect(await refused(operation, { world, name })).toMatchObject({
          status: 404,
          body: { message: `/name ${name}: world forgotten has no such snapshot.` },
        });
      }
    }
    expect(await names(world)).toEqual([]);
  });

  test("with a damaged file can't be restored or exported, and the world is unchanged", async () => {
    const world = "damaged";
    await insert(world, "mine");
    await service.control(snapshotsSave, { world, name: "torn" });
    const place = path.join(service.folder, "snapshots", `${world}.snapshots`, "torn.snapshot");
    fs.truncateSync(path.join(place, "world.sqlite"), 20_000);
    const message = "The file of snapshot torn is damaged. Delete the snapshot.";
    for (const operation of [snapshotsRestore, snapshotsExport])
      expect(await refused(operation, { world, name: "torn" })).toMatchObject({
        status: 422,
        body: { type: "unprocessable", message },
      });
    expect(await jobs(world, "mine")).toEqual([true]);
    expect(await names(world)).toEqual([["saved", "torn"]]);
  });

  test("deleted while its restore waits changes nothing", async () => {
    const world = "overtaken";
    await insert(world, "mine");
    await service.control(snapshotsSave, { world, name: "a" });
    await insert(world, "later");
    const before = ["b", "c", "d"].map((name) => service.control(snapshotsSave, { world, name }));
    const restored = refused(snapshotsRestore, { world, name: "a" });
    const isQueued = async () => (await service.control(workList, {})).items.some(({ kind }) => kind === "restore");
    await expect.poll(isQueued, { interval: 5 }).toBe(true);
    await service.control(snapshotsDelete, { world, name: "a" });
    await Promise.all(before);
    expect(await restored).toMatchObject({ status: 404 });
    expect(await jobs(world, "mine", "later")).toEqual([true, true]);
  });

  test("survives a restart, and unfinished ones are removed", async () => {
    const own = await startTestService();
    await own.ok(jobsInsert, { identity: { external: "kept" }, repairer_site_id: site }, repairer);
    await own.control(snapshotsSave, { name: "kept" });
    await own.stop();
    const half = path.join(own.folder, "unfinished", "half");
    fs.mkdirSync(half, { recursive: true });
    fs.writeFileSync(path.join(half, "world.sqlite"), "half");
    // Foreign files in the folder stay untouched.
    fs.writeFileSync(path.join(own.folder, "snapshots", "notes.txt"), "mine");
    fs.mkdirSync(path.join(own.folder, "snapshots", "default.snapshots", "odd.snapshot"));
    fs.writeFileSync(path.join(own.folder, "snapshots", "default.snapshots", "odd.snapshot", "about.json"), "{");
    const again = await startTestService(own.folder);
    onTestFinished(() => again.end());
    await again.control(worldsReset, { checkpoint: false });
    await again.control(snapshotsRestore, { name: "kept" });
    expect((await again.call(jobsGet, { identity: { external: "kept" } }, repairer)).status).toBe(200);
    expect(fs.existsSync(half)).toBe(false);
  });
});

describe("D86: the snapshots of a world", () => {
  const limited = async (quotas: Partial<Quotas>) => {
    const small = await startTestService(undefined, { quotas: { ...defaultQuotas, ...quotas } });
    onTestFinished(() => small.end());
    const headers = { authorization: `Bearer ${small.ready.control_token}` };
    const save = (world: string) => small.call(snapshotsSave, { world }, undefined, headers);
    const listed = async (world: string) => (await small.control(snapshotsList, { world })).items;
    return { small, headers, save, listed };
  };

  test("are limited in number: another is refused, none is deleted, and checkpoints don't count", async () => {
    const { small, headers, save, listed } = await limited({ snapshots: 2 });
    const world = "many";
    await small.make(world);
    await small.make("another");
    const first = await save(world);
    await small.control(worldsReset, { world });
    expect((await save(world)).status).toBe(200);
    const limit = {
      status: 422,
      body: { type: "unprocessable", message: expect.stringMatching(/already has 2 snapshots/) },
    };
    expect(await save(world)).toMatchObject(limit);
    const { document } = await small.control(snapshotsExport, { world });
    expect(await small.call(snapshotsImport, { world, document }, undefined, headers)).toMatchObject(limit);
    await small.control(worldsReset, { world });
    expect((await listed(world)).map(({ kind }) => kind).toSorted()).toEqual([
      ...["checkpoint", "checkpoint", "saved", "saved"],
    ]);
    expect((await save("another")).status).toBe(200);
    await small.control(snapshotsDelete, { world, name: first.body.name });
    expect((await save(world)).status).toBe(200);
  });

  test("are limited in total size, even concurrent ones, and a refused one leaves no file", async () => {
    const { small, save, listed } = await limited({ snapshotMebibytes: 2 });
    await small.make("large");
    const saves = await Promise.all(Array.from({ length: 15 }, () => save("large")));
    const kept = (await listed("large")).reduce((sum, { bytes }) => sum + bytes, 0);
    expect([kept > 0, kept <= 2 * 1024 * 1024]).toEqual([true, true]);
    const refusals = saves.filter(({ status }) => status !== 200);
    expect(refusals.length).toBeGreaterThan(0);
    for (const { status, text } of refusals)
      expect([status, text]).toEqual([422, expect.stringMatching(/may take 2 MiB together/)]);
    expect(fs.readdirSync(path.join(small.folder, "unfinished"))).toEqual([]);
  });
});

describe("a checkpoint", () => {
  test("is saved before a world is reset or deleted, and restores it", async () => {
    const world = "undone";
    await insert(world, "mine");
    const reset = await service.control(worldsReset, { world });
    expect(reset.checkpoint).toMatch(/^before-reset-/);
    expect(await jobs(world, "mine")).toEqual([false]);
    await service.control(snapshotsRestore, { world, name: reset.checkpoint ?? "" });
    expect(await jobs(world, "mine")).toEqual([true]);
    const { checkpoint } = await service.control(worldsDelete, { world });
    expect((await service.control(snapshotsList, { everywhere: true })).items[0]).toMatchObject({
      name: checkpoint,
      world,
      before: "delete",
    });
    await service.control(snapshotsRestore, { world, name: checkpoint ?? "" });
    expect(await jobs(world, "mine")).toEqual([true]);
  });

  test("restores the pin of a deleted world", async () => {
    const pinned = async (world: string) =>
      (await service.control(worldsList, {})).items.find(({ name }) => name === world)?.pinned;
    for (const [world, was] of [
      ["held", true],
      ["loose", false],
    ] as const) {
      await insert(world, "mine");
      if (was) await service.control(worldsPin, { world, pinned: true });
      const { checkpoint } = await service.control(worldsDelete, { world });
      await service.control(snapshotsRestore, { world, name: checkpoint ?? "" });
      expect(await pinned(world)).toBe(was);
    }
    const { checkpoint } = await service.control(worldsReset, { world: "held" });
    await service.control(worldsPin, { world: "held", pinned: false });
    await service.control(snapshotsRestore, { world: "held", name: checkpoint ?? "" });
    expect(await pinned("held")).toBe(false);
  });

  test("isn't saved for an unchanged world, or if declined", async () => {
    const world = "untouched";
    expect(await service.control(worldsReset, { world })).toMatchObject({ checkpoint: null });
    await insert(world, "mine");
    expect(await service.control(worldsReset, { world, checkpoint: false })).toMatchObject({ checkpoint: null });
    expect(await names(world)).toEqual([]);
  });

  test("is one of the newest ten of its world, and saved snapshots stay", async () => {
    const world = "many";
    await insert(world, "mine");
    await service.control(snapshotsSave, { world, name: "mine" });
    const made: (string | null)[] = [];
    for (let count = 0; count < 12; count += 1) {
      await insert(world, `job ${count}`);
      made.push((await service.control(worldsReset, { world })).checkpoint);
    }
    expect((await names(world)).map(([, name]) => name)).toEqual([...made.slice(2).toReversed(), "mine"]);
  });

  test("can be restored even if it is the oldest", async () => {
    const world = "oldest";
    await insert(world, "first");
    const first = (await service.control(worldsReset, { world })).checkpoint ?? "";
    for (let count = 0; count < 9; count += 1) {
      await insert(world, `job ${count}`);
      await service.control(worldsReset, { world });
    }
    await insert(world, "last");
    await service.control(snapshotsRestore, { world, name: first });
    expect(await jobs(world, "first", "last")).toEqual([true, false]);
  });
});

test("a failed reset, restore or deletion leaves the world unchanged, without a checkpoint", async () => {
  const own = await startTestService();
  onTestFinished(() => own.end());
  const world = "precious";
  const inWorld = as(world);
  const insertOwn = (external: string) =>
    own.ok(jobsInsert, { identity: { external }, repairer_site_id: site }, repairer, inWorld);
  await insertOwn("mine");
  await own.control(snapshotsSave, { world, name: "a" });
  const file = path.join(own.folder, "worlds", worldFileName(world));
  const shares = (): number => fs.statSync(file).nlink;
  /** Makes file operations on the world's file fail. */
  const failing = (act: "renameSync" | "rmSync", changes: (...names: unknown[]) => boolean): (() => void) => {
    const real = fs[act] as (...names: unknown[]) => void;
    const spy = vi.spyOn(fs, act).mockImplementation((...names: unknown[]) => {
      if (changes(...names)) throw Object.assign(new Error("i/o error"), { code: "EIO", syscall: act });
      real(...names);
    });
    return () => spy.mockRestore();
  };
  const template = fs.readdirSync(own.folder).find((name) => name.startsWith("template-")) ?? "";
  const hidden = (): (() => void) => {
    const names = [path.join(own.folder, template), path.join(own.folder, "away")] as const;
    fs.renameSync(...names);
    return () => fs.renameSync(names[1], names[0]);
  };
  const notPut = () => failing("renameSync", (_from, to) => to === file);
  const cases = [
    [worldsReset, { world }, hidden],
    [worldsReset, { world }, notPut],
    [snapshotsRestore, { world, name: "a" }, notPut],
    [worldsDelete, { world }, () => failing("rmSync", (gone) => gone === file)],
  ] as const;
  for (const [operation, body, fail] of cases) {
    const mend = fail();
    const answer = await own.call<Operation>(operation, body, undefined, {
      authorization: `Bearer ${own.ready.control_token}`,
    });
    mend();
    expect([operation.id, answer.status, shares()]).toEqual([operation.id, 503, 1]);
    expect((await own.control(snapshotsList, { world })).items.map(({ name }) => name)).toEqual(["a"]);
    const read = await own.call(jobsGet, { identity: { external: "mine" } }, repairer, inWorld);
    expect([operation.id, read.status]).toEqual([operation.id, 200]);
    await insertOwn(randomUUID());
  }
  expect((await own.control(worldsReset, { world })).checkpoint).toMatch(/^before-reset-/);
});

test("a world whose checkpoint fails is neither reset, deleted nor restored", async () => {
  const own = await startTestService();
  onTestFinished(() => own.end());
  const world = "precious";
  const inWorld = as(world);
  await own.ok(jobsInsert, { identity: { external: "mine" }, repairer_site_id: site }, repairer, inWorld);
  await own.control(snapshotsSave, { world, name: "a" });
  const kept = path.join(own.folder, "snapshots", `${world}.snapshots`);
  fs.renameSync(kept, `${kept}.aside`);
  fs.writeFileSync(kept, "no folder");
  const authorization = `Bearer ${own.ready.control_token}`;
  for (const operation of [worldsReset, worldsDelete]) {
    const answer = await own.call(operation, { world }, undefined, { authorization });
    expect(answer).toMatchObject({ status: 503, body: { type: "storage_unavailable" } });
  }
  const restored = await own.call(snapshotsRestore, { world, name: "a" }, undefined, { authorization });
  // Its file was deleted with the folder.
  expect(restored.status).toBe(422);
  const read = { identity: { external: "mine" } };
  expect((await own.call(jobsGet, read, repairer, inWorld)).status).toBe(200);
  await own.control(worldsReset, { world, checkpoint: false });
  expect((await own.call(jobsGet, read, repairer, inWorld)).status).toBe(404);
});
