import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credentialsList, procurementsList } from "../contract/control/operations.ts";
import {
  comparedTables,
  MAX_DIFFERENT_ROWS,
  snapshotsDelete,
  snapshotsExport,
  snapshotsImport,
  snapshotsRestore,
  snapshotsSave,
  worldsCompare,
} from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  policiesSet,
  worldsCopy,
  worldsList,
  worldsReset,
} from "../contract/control/world-operations.ts";
import type { ResponseOf } from "../contract/operation.ts";
import {
  businessesList,
  jobsDelete,
  jobsInsert,
  partsInsert,
  supplierProcurementsConfirm,
} from "../contract/operations/partner.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";

let service: TestService;
let site = "";
beforeAll(async () => {
  service = await startTestService();
  const { items } = await service.ok(businessesList, {}, repairer);
  site = items.find((one) => one.type === "repairer_site")?.id ?? "";
});
afterAll(() => service.end());

const as = (world: string) => ({ "x-sandbox-tenant": world });
const insert = (world: string, external: string, fields: object = {}) =>
  service.ok(jobsInsert, { identity: { external }, repairer_site_id: site, ...fields }, repairer, as(world));
const tableOf = ({ tables }: ResponseOf<typeof worldsCompare>, name: (typeof comparedTables)[number]) => {
  const found = tables.find(({ table }) => table === name);
  if (!found) throw new Error(`${name} is not compared`);
  return found;
};
const token = () => ({ authorization: `Bearer ${service.ready.control_token}` });

describe("comparing two worlds", () => {
  test("shows no difference after a copy, then the differences by world and field", async () => {
    await insert("here", "both", { job_number: "C-1", claim_number: "before" });
    await insert("here", "doomed", { job_number: "C-2" });
    await service.control(worldsCopy, { world: "here", to: "there" });
    const asked = { world: "here", with: { world: "there" } };
    const same = await service.control(worldsCompare, asked);
    expect(same).toMatchObject({ same: true });
    expect(same.tables.map(({ table }) => table)).toEqual([...comparedTables]);

    const update = { job_number: "C-1", claim_number: "after", if_: { exists: "update" } };
    await insert("there", "both", update);
    const added = await insert("there", "new", { job_number: "C-3" });
    await service.ok(jobsDelete, { identity: { external: "doomed" } }, repairer, as("there"));
    await service.control(policiesSet, { world: "there", policies: { confirm_when_confirmed: "reject" } });
    await service.control(clockAdvance, { world: "there", seconds: 90 });
    const found = await service.control(worldsCompare, asked);
    expect(found.same).toBe(false);
    const jobs = tableOf(found, "jobs");
    expect(jobs).toMatchObject({ only_here: 1, only_there: 1, changed: 1, here: jobs.there });
    expect(jobs.rows).toEqual([
      expect.objectContaining({ is: "only_here", label: "C-2", fields: [] }),
      { is: "only_there", id: added.id, label: "C-3", job_id: added.id, procurement_id: null, fields: [] },
      expect.objectContaining({
        is: "changed",
        label: "C-1",
        fields: [{ path: "claim_number", here: "before", there: "after" }],
      }),
    ]);
    expect(tableOf(found, "policies").rows).toEqual([
      expect.objectContaining({ fields: [{ path: "confirm_when_confirmed", here: "ok", there: "reject" }] }),
    ]);
    expect(tableOf(found, "clock").rows).toEqual([
      expect.objectContaining({ fields: [{ path: "ahead_seconds", here: 0, there: 90 }] }),
    ]);
    expect(tableOf(found, "parts")).toMatchObject({ only_here: 0, only_there: 0, changed: 0 });
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).toContain("there");
  });

  test("treats a picture as equal under any address of the service", async () => {
    const insertPictured = (world: string, ...images: string[]) => insert(world, "pictured", { images });
    const picture = "/__media/7c9e6679-7425-40de-944b-e07fc1f90ae7/front.png";
    await insertPictured("one-address", `http://127.0.0.1:4026${picture}`, "https://pictures.example/a.png");
    await service.control(worldsCopy, { world: "one-address", to: "other-address" });
    const update = {
      if_: { exists: "update" },
      images: [`${service.baseUrl}${picture}`, "https://pictures.example/b.png"],
    };
    await insert("other-address", "pictured", update);
    const found = await service.control(worldsCompare, { world: "one-address", with: { world: "other-address" } });
    expect(tableOf(found, "jobs").rows.map(({ fields }) => fields)).toEqual([
      [{ path: "images/1", here: "https://pictures.example/a.png", there: "https://pictures.example/b.png" }],
    ]);
  });

  test("shows a confirmed order by its state and the values from the confirmation", async () => {
    const world = "ordered";
    const listed = await service.control(procurementsList, {
      world,
      status: "order_requested",
      limit: 500,
    });
    const items = listed.items.filter(({ supplier }) => supplier.has_credential);
    await service.control(snapshotsSave, { world, name: "before" });
    const confirmed: string[] = [];
    for (const { id } of items) {
      const answer = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, as(world));
      if (answer.status === 200) confirmed.push(id);
    }
    expect(confirmed.length).toBeGreaterThan(0);
    const found = await service.control(worldsCompare, { world, with: { snapshot: "before" } });
    const orders = tableOf(found, "procurements");
    expect(orders).toMatchObject({ only_here: 0, only_there: 0, changed: confirmed.length });
    expect(orders.rows.map(({ procurement_id }) => procurement_id).toSorted()).toEqual(confirmed.toSorted());
    for (const { fields } of orders.rows)
      expect(fields[0]).toEqual({ path: "status", here: "order_confirmed", there: "order_requested" });
    const [paths] = orders.rows
      .map(({ fields }) => fields.map((field) => field.path))
      .toSorted((a, b) => b.length - a.length);
    expect(paths).toContain("deliver_before");
    expect(paths?.some((at) => at.startsWith("offered_items/0/"))).toBe(true);
  });

  test("includes a checkpoint from before a reset, which stays unchanged", async () => {
    const world = "reset";
    await insert(world, "lost", { job_number: "R-1" });
    const { checkpoint } = await service.control(worldsReset, { world });
    const asked = { world, with: { snapshot: checkpoint ?? "" } };
    const found = await service.control(worldsCompare, asked);
    // Seeded IDs are the same after each reset.
    expect(tableOf(found, "jobs")).toMatchObject({ only_here: 0, only_there: 1, changed: 0 });
    expect(await service.control(worldsCompare, asked)).toEqual(found);
  });

  test("counts all differences, lists the first, and contains no secrets", async () => {
    const world = "many";
    await insert(world, "x");
    const { document } = await service.control(snapshotsExport, { world });
    // Importing a document without secrets creates new keys.
    await service.control(snapshotsImport, { world: "elsewhere", name: "x", document });
    await insert("elsewhere", "x");
    await service.control(snapshotsRestore, { world: "elsewhere", name: "x" });
    await Promise.all(Array.from({ length: MAX_DIFFERENT_ROWS + 3 }, (_, number) => insert(world, `more-${number}`)));
    const job = await insert(world, "with parts");
    await service.ok(
      partsInsert,
      { job_identity: { id: job.id }, parts: [{ description: "Bonnet", quantity: 1 }] },
      repairer,
      as(world),
    );
    const found = await service.control(worldsCompare, { world, with: { world: "elsewhere" } });
    const jobs = tableOf(found, "jobs");
    expect(jobs.only_here).toBe(MAX_DIFFERENT_ROWS + 4);
    expect(jobs.rows).toHaveLength(MAX_DIFFERENT_ROWS);
    expect(tableOf(found, "parts").rows).toEqual([
      expect.objectContaining({ is: "only_here", label: "Bonnet", job_id: job.id }),
    ]);
    for (const name of [world, "elsewhere"]) {
      const { items } = await service.control(credentialsList, { world: name, reveal: true });
      for (const { api_key, webhook_secret } of items)
        for (const secret of [api_key, webhook_secret]) expect(JSON.stringify(found)).not.toContain(secret);
    }
  });

  test("includes settings, which an exported document also contains", async () => {
    const world = "switched";
    await service.control(policiesSet, { world, policies: { confirm_when_cancelled: "not_found" } });
    const { document } = await service.control(snapshotsExport, { world });
    const meta = document.tables.find(({ name }) => name === "meta");
    expect(JSON.stringify(meta)).toContain("confirm_when_cancelled");
    await service.control(snapshotsImport, { world: "carried", name: "x", document });
    await service.control(snapshotsRestore, { world: "carried", name: "x" });
    const found = await service.control(worldsCompare, { world, with: { world: "carried" } });
    expect(tableOf(found, "policies")).toMatchObject({ changed: 0, rows: [] });
    await service.control(policiesSet, { world, policies: { confirm_when_cancelled: "reject" } });
    const again = await service.control(worldsCompare, { world, with: { world: "carried" } });
    expect(tableOf(again, "policies").rows[0]?.fields).toEqual([
      { path: "confirm_when_cancelled", here: "reject", there: "not_found" },
    ]);
  });

  test("with a missing or damaged world or snapshot is refused with a sentence", async () => {
    const world = "alone";
    await service.control(snapshotsSave, { world, name: "kept" });
    const compare = (other: unknown) =>
      service.call(worldsCompare, { world, with: other as never }, undefined, token());
    expect(await compare({ world: "nowhere" })).toMatchObject({
      status: 404,
      body: { message: "/with/world nowhere doesn’t exist." },
    });
    expect((await service.control(worldsList, {})).items.map(({ name }) => name)).not.toContain("nowhere");
    expect((await compare({ snapshot: "none" })).status).toBe(404);
    for (const other of [{}, { world: "../x" }, { world: 1 }, { world: "a", snapshot: "b" }, null, "here"])
      expect((await compare(other)).status, JSON.stringify(other)).toBe(400);
    // D7: reads ignore unknown members.
    expect((await compare({ snapshot: "kept", unknown: 1 })).status).toBe(200);
    const snapshots = path.join(service.folder, "snapshots");
    const folder = fs.readdirSync(snapshots, { recursive: true, encoding: "utf8" });
    const kept = folder.find((one) => one.startsWith("alone") && one.endsWith("world.sqlite")) ?? "";
    fs.writeFileSync(path.join(snapshots, kept), "no database at all ".repeat(500));
    expect(await compare({ snapshot: "kept" })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("snapshot kept is damaged") },
    });
    await service.control(snapshotsDelete, { world, name: "kept" });
  });
});
