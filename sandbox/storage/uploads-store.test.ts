import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.ts";
import { UploadsStore } from "./uploads-store.ts";
import { VehiclesStore } from "./vehicles-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  return { db, uploads: new UploadsStore(db), vehicles: new VehiclesStore(db) };
};
const upload = (id: string) => ({
  id,
  organization_id: "o",
  file_name: "front 😀.png",
  type: "job_media",
  prepared_at: EPOCH + 5,
  expires_at: EPOCH + 900_005,
});

describe("the uploads store", () => {
  it("returns a prepared upload and its result", () => {
    const { uploads } = open();
    uploads.prepare(upload("a"));
    expect(uploads.get("a")).toEqual({ ...upload("a"), uploaded_at: null, content_type: null, size: null });
    expect(uploads.finish("a", EPOCH + 60_000, "image/png", 1_234)).toBe(true);
    expect(uploads.get("a")).toEqual({
      ...upload("a"),
      uploaded_at: EPOCH + 60_000,
      content_type: "image/png",
      size: 1_234,
    });
    expect(uploads.get("b")).toBeUndefined();
  });

  it("D64: accepts one upload per address, and keeps the first", () => {
    const { uploads } = open();
    uploads.prepare(upload("a"));
    uploads.prepare(upload("b"));
    uploads.finish("a", EPOCH + 1_000, "image/png", 1);
    expect(uploads.finish("a", EPOCH + 2_000, "image/gif", 2)).toBe(false);
    expect(uploads.finish("unknown", EPOCH, "image/png", 1)).toBe(false);
    expect([uploads.get("a")?.content_type, uploads.get("a")?.uploaded_at, uploads.get("b")?.uploaded_at]).toEqual([
      "image/png",
      EPOCH + 1_000,
      null,
    ]);
    expect(() => uploads.prepare(upload("a"))).toThrow(/UNIQUE/);
  });
});

describe("the queue of vehicle identifiers", () => {
  it("D63: stores each once per organization", () => {
    const { db, vehicles } = open();
    const plate = { kind: "plate", region: "GB", state: null, plate: "AB12 CDE" } as const;
    expect(vehicles.queue("one", plate, EPOCH + 1_000)).toBe(true);
    expect(vehicles.queue("one", { ...plate, plate: "ab12 cde" }, EPOCH + 2_000)).toBe(false);
    expect(vehicles.queue("other", plate, EPOCH)).toBe(true);
    expect(vehicles.queue("one", { kind: "chassis", chassis_number: "JM0ER4A1200123456" }, EPOCH)).toBe(true);
    expect(
      db.get("SELECT count(*) AS n, min(queued_at) AS first FROM vehicle_identifiers WHERE organization_id = 'one'"),
    ).toEqual({ n: 2, first: 0 });
    expect(db.all("SELECT document, queued_at FROM vehicle_identifiers WHERE organization_id = 'other'")).toEqual([
      { document: JSON.stringify(plate), queued_at: 0 },
    ]);
  });
});
