import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { jobsList } from "../contract/control/operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { worldsDelete, worldsList, worldsReset } from "../contract/control/world-operations.ts";
import { businessesList } from "../contract/operations/partner.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { DEFAULT_WORLD, worldFileName } from "../rules/worlds/world-name.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
afterEach(() => service.end());

const sql = (file: string, text: string): void => {
  const db = new Sqlite(file);
  db.exec(text);
  db.close();
};
const damage: Readonly<Record<string, readonly [(file: string) => void, RegExp]>> = {
  damaged: [(file) => fs.writeFileSync(file, "no database at all ".repeat(500)), /not a database.*Reset it, restore/],
  "set to nonsense": [
    (file) => sql(file, "INSERT INTO meta VALUES ('faults', '5')"),
    /setting faults is invalid.*Reset it, restore/,
  ],
};
const ruin: typeof damage = {
  ...damage,
  newer: [(file) => sql(file, "PRAGMA user_version = 999"), /newer version .*Update/],
  "of an earlier build": [
    (file) => sql(file, "PRAGMA application_id = 0; PRAGMA user_version = 9"),
    /earlier build .*Move its file away/,
  ],
};
/** A service whose world was damaged while it was stopped, with an earlier snapshot. */
const startSpoilt = async (name: string, spoil: (file: string) => void): Promise<string> => {
  service = await startTestService();
  await service.ok(businessesList, {}, repairer, { "x-sandbox-tenant": name });
  await service.control(snapshotsSave, { world: name, name: "before" });
  const file = path.join(service.folder, "worlds", worldFileName(name));
  await service.stop();
  spoil(file);
  service = await startTestService(service.folder);
  return file;
};
const call = (world: string) => service.call(businessesList, {}, repairer, { "x-sandbox-tenant": world });
const listed = async (): Promise<Record<string, string | null>> =>
  Object.fromEntries((await service.control(worldsList, {})).items.map(({ name, unavailable }) => [name, unavailable]));

test.each(Object.entries(ruin))(
  "D87: a world whose file is %s is refused with a remedy, unchanged, and others continue",
  async (_, [spoil, words]) => {
    const file = await startSpoilt("spoilt", spoil);
    const before = fs.readFileSync(file);
    expect(await listed()).toEqual({ default: null, spoilt: expect.stringMatching(words) });
    const refused = { status: 503, body: { type: "world_unavailable", message: expect.stringMatching(words) } };
    expect(await call("spoilt")).toMatchObject(refused);
    expect(await service.raw("/__sandbox/jobs.list", { ...controlled(), body: '{"world":"spoilt"}' })).toMatchObject(
      refused,
    );
    expect((await call("default")).status).toBe(200);
    const unknown = await service.raw("/__webhooks/sink", {
      headers: { [SIGNATURE_HEADER]: "AAAA", "content-type": "application/json" },
      body: '{"integration_id":"00000000-0000-4000-8000-000000000000"}',
    });
    expect(unknown.status).toBe(401);
    expect(JSON.stringify(await call("spoilt"))).not.toContain(service.folder);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  },
);

const controlled = () => ({ headers: { authorization: `Bearer ${service.ready.control_token}` } });

test.each(Object.entries(damage))(
  "D87: a service whose default world is %s starts, and the world can be reset",
  async (_, [spoil]) => {
    await startSpoilt(DEFAULT_WORLD, spoil);
    expect((await service.raw("/__health", { method: "GET" })).status).toBe(200);
    expect((await call("other")).status).toBe(200);
    expect((await call(DEFAULT_WORLD)).status).toBe(503);
    expect(await service.control(worldsReset, {})).toMatchObject({ unavailable: null, checkpoint: null });
    expect((await call(DEFAULT_WORLD)).status).toBe(200);
    expect(await listed()).toEqual({ default: null, other: null });
  },
);

test.each(Object.entries(damage))("D87: a world that is %s can be restored, or deleted", async (_, [spoil]) => {
  await startSpoilt("spoilt", spoil);
  expect(await service.control(snapshotsRestore, { world: "spoilt", name: "before" })).toMatchObject({
    unavailable: null,
  });
  expect((await service.control(jobsList, { world: "spoilt" })).items.length).toBeGreaterThan(0);
  const { folder } = service;
  await service.stop();
  spoil(path.join(folder, "worlds", worldFileName("spoilt")));
  service = await startTestService(folder);
  await service.control(worldsDelete, { world: "spoilt" });
  expect(await listed()).toEqual({ default: null });
  expect(fs.readdirSync(path.join(folder, "worlds")).filter((name) => name.includes("spoilt"))).toEqual([]);
});
