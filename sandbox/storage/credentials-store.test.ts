import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type AccessCodeRow, type CredentialRow, CredentialsStore } from "./credentials-store.ts";
import { Database } from "./database.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const EPOCH = 1_768_000_000_000;
const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = EPOCH;
  return { db, credentials: new CredentialsStore(db) };
};
const credential = (integration_id: string, more: Partial<CredentialRow> = {}): CredentialRow => ({
  integration_id,
  api_key: `isk_${integration_id}`,
  webhook_secret: `pwh_${integration_id}`,
  organization_id: "buyer",
  scope: "repairer",
  client_id: "demo",
  preloaded: false,
  created_at: EPOCH + 5_000,
  ...more,
});
const code = (more: Partial<AccessCodeRow> = {}): AccessCodeRow => ({
  code: "ac_1",
  client_id: "demo",
  organization_id: "buyer",
  scope: "supplier",
  issued_at: EPOCH + 1,
  expires_at: EPOCH + 900_001,
  consumed_at: null,
  ...more,
});

describe("the credentials store", () => {
  it("returns a credential by its integration, exactly as written", () => {
    const { credentials } = open();
    credentials.insert(credential("one"));
    credentials.insert(credential("two", { client_id: null, preloaded: true, scope: "supplier" }));
    expect(credentials.findByIntegration("one")).toEqual(credential("one"));
    expect(credentials.findByIntegration("two")).toEqual(
      credential("two", { client_id: null, preloaded: true, scope: "supplier" }),
    );
    for (const unknown of ["ONE", "isk_one", "", "one "])
      expect(credentials.findByIntegration(unknown), unknown).toBeUndefined();
  });

  it("stores one credential per integration, and lists the newest first", () => {
    const { credentials } = open();
    for (const id of ["b", "a", "c"]) credentials.insert(credential(id));
    expect(() => credentials.insert(credential("a"))).toThrow(/UNIQUE/);
    expect(credentials.list().map((one) => one.integration_id)).toEqual(["c", "a", "b"]);
  });

  it("D22: returns a code with its times, on the world's clock", () => {
    const { credentials } = open();
    credentials.issueCode(code());
    expect(credentials.code("ac_1")).toEqual(code());
    expect(credentials.code("AC_1")).toBeUndefined();
  });

  it("records when a code was used, and leaves others unused", () => {
    const { credentials } = open();
    credentials.issueCode(code());
    credentials.issueCode(code({ code: "ac_2" }));
    credentials.consumeCode("ac_1", EPOCH + 7_000);
    expect([credentials.code("ac_1")?.consumed_at, credentials.code("ac_2")?.consumed_at]).toEqual([
      EPOCH + 7_000,
      null,
    ]);
    expect(() => credentials.issueCode(code())).toThrow(/UNIQUE/);
  });

  it("returns the pre-registered clients", () => {
    const { db, credentials } = open();
    for (const [id, enabled] of [
      ["demo", 1],
      ["other", 0],
    ] as const) {
      db.run(
        "INSERT INTO clients (client_id, name, client_secret, oauth_enabled) VALUES (?, ?, ?, ?)",
        id,
        `Client ${id}`,
        `cs_${id}`,
        enabled,
      );
    }
    const demo = { client_id: "demo", name: "Client demo", client_secret: "cs_demo", oauth_enabled: true };
    const other = { client_id: "other", name: "Client other", client_secret: "cs_other", oauth_enabled: false };
    expect(credentials.clients()).toEqual([demo, other]);
    expect([credentials.client("demo"), credentials.client("other"), credentials.client("Demo")]).toEqual([
      demo,
      other,
      undefined,
    ]);
  });
});
