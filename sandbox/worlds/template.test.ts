import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { GivenCredentials } from "../config.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { Database } from "../storage/database.ts";
import { openStores } from "../storage/stores.ts";
import { buildSeedWorld } from "./seed/seed-world.ts";
import { ensureTemplate } from "./template.ts";
import { findMissingTable } from "./world-files.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
let template: string;
beforeAll(() => {
  template = ensureTemplate(folder, null);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const digest = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex");

/** A world copied from the template, and its content. */
const copy = (epoch: number, from = template) => {
  const file = path.join(fs.mkdtempSync(path.join(folder, "copy-")), "world.sqlite");
  fs.copyFileSync(from, file);
  const db = new Database(file, { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = epoch;
  return { db, stores: openStores(db) };
};

const given: GivenCredentials = {
  credentials: {
    repairer: {
      api_key: "sbx_own_repairer",
      integration_id: "11111111-1111-4111-8111-111111111111",
      webhook_secret: "pwh_own_repairer",
    },
    supplier: {
      api_key: "sbx_own_supplier",
      integration_id: "22222222-2222-4222-8222-222222222222",
      webhook_secret: "pwh_own_supplier",
    },
  },
  clients: {
    demo: { client_id: "own", client_secret: "own-secret", redirect_uris: [] },
    no_oauth: { client_id: "own-other", client_secret: "own-other-secret", redirect_uris: [] },
  },
};

describe("the template of fresh worlds", () => {
  it("is one closed file, built once and reused", () => {
    const before = [digest(template), fs.statSync(template).mtimeMs];
    expect(ensureTemplate(folder, null)).toBe(template);
    expect([digest(template), fs.statSync(template).mtimeMs]).toEqual(before);
    expect(fs.readdirSync(folder).filter((name) => name.startsWith("template-"))).toEqual([path.basename(template)]);
  });

  const sql = (file: string, text: string): void => {
    const handle = new Sqlite(file);
    handle.exec(text);
    handle.close();
  };
  const damage: Readonly<Record<string, (file: string) => void>> = {
    empty: (file) => fs.writeFileSync(file, ""),
    "no database": (file) => fs.writeFileSync(file, "x".repeat(8_192)),
    newer: (file) => sql(file, "PRAGMA user_version = 999"),
  };
  it.each(Object.entries(damage))("is rebuilt when it is %s", (_, spoil) => {
    const elsewhere = fs.mkdtempSync(path.join(folder, "spoilt-"));
    const file = path.join(elsewhere, path.basename(template));
    fs.copyFileSync(template, file);
    spoil(file);
    expect(ensureTemplate(elsewhere, null)).toBe(file);
    expect(fs.readdirSync(elsewhere)).toEqual([path.basename(template)]);
    const db = new Database(file, { durability: "off" });
    onTestFinished(() => db.close());
    expect([
      db.isSound(),
      findMissingTable(db),
      openStores(db).jobs.get(buildSeedWorld().jobs[0]?.id ?? "")?.id,
    ]).toEqual([true, undefined, buildSeedWorld().jobs[0]?.id]);
  });

  it("replaces one of another version and unfinished ones", () => {
    const elsewhere = fs.mkdtempSync(path.join(folder, "folder-"));
    const leftovers = [
      "template-0-old-demo.sqlite",
      "template-0-old-demo.sqlite-wal",
      `${path.basename(template)}.new`,
      `${path.basename(template)}.new-wal`,
    ];
    for (const name of leftovers) fs.writeFileSync(path.join(elsewhere, name), "left over");
    fs.writeFileSync(path.join(elsewhere, "service.sqlite"), "not a template");
    const built = ensureTemplate(elsewhere, null);
    expect(fs.readdirSync(elsewhere).toSorted()).toEqual(["service.sqlite", path.basename(built)].toSorted());
    expect(fs.statSync(built).size).toBe(fs.statSync(template).size);
  });

  it("contains the whole seed unchanged, and is on disk", () => {
    const seed = buildSeedWorld();
    const sync = vi.spyOn(fs, "fsyncSync");
    const { stores } = copy(0, ensureTemplate(fs.mkdtempSync(path.join(folder, "built-")), null));
    expect(sync).toHaveBeenCalledOnce();
    expect(stores.directory.organizations()).toEqual(seed.organizations);
    expect(stores.credentials.clients()).toEqual(seed.clients);
    expect(
      stores.credentials
        .list()
        .map((one) => one.integration_id)
        .toSorted(),
    ).toEqual(seed.credentials.map((one) => one.integration_id).toSorted());
    for (const { parts, ...job } of seed.jobs) {
      expect(stores.jobs.get(job.id)).toEqual(job);
      expect(stores.parts.listByJob(job.id)).toEqual(parts);
    }
    for (const procurement of seed.procurements) expect(stores.procurements.get(procurement.id)).toEqual(procurement);
    for (const site of seed.businesses.filter((one) => one.type === "repairer_site")) {
      const { id, organization_id, type, name, address, currency_code, reference_prefix } = site;
      expect(stores.directory.site(id, organization_id)).toEqual({
        id,
        organization_id,
        type,
        name,
        address,
        currency_code,
        reference_prefix,
      });
    }
    expect(stores.directory.suppliers().map((one) => one.kind)).toEqual(
      seed.businesses.flatMap((one) => one.supplier_kind ?? []),
    );
  });

  it("D42: links every part to the orders that cover it", () => {
    const seed = buildSeedWorld();
    const { stores } = copy(0);
    const covered = seed.procurements.flatMap((one) =>
      one.source_items.flatMap((item) =>
        item.job_part_id === null ? [] : [[one.job_id, item.job_part_id, one.status] as const],
      ),
    );
    expect(covered.length).toBeGreaterThan(0);
    for (const [job, part, status] of covered) expect(stores.parts.isCovered(job, part, [status])).toBe(true);
  });

  it("D83: creates worlds with equal content, dated from their own creation", () => {
    const seed = buildSeedWorld();
    const [one, other] = [copy(1_700_000_000_000), copy(1_800_000_000_000)];
    const tables = one.db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'meta'",
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables)
      expect(other.db.all(`SELECT * FROM ${name}`), name).toEqual(one.db.all(`SELECT * FROM ${name}`));
    for (const job of seed.jobs) {
      expect(one.stores.jobs.get(job.id)?.created_at).toBe(1_700_000_000_000 + job.created_at);
      expect(other.stores.jobs.get(job.id)?.created_at).toBe(1_800_000_000_000 + job.created_at);
    }
  });

  it("contains the documented keys and clients, without any records", () => {
    const { db, stores } = copy(0);
    for (const one of Object.values(fixedCredentials))
      expect(stores.credentials.findByIntegration(one.integration_id)).toMatchObject({
        ...one,
        preloaded: true,
        client_id: null,
        created_at: 0,
      });
    for (const one of Object.values(fixedClients)) expect(stores.credentials.client(one.client_id)).toEqual(one);
    for (const table of ["log", "events", "deliveries", "attempts", "requests", "subscriptions", "access_codes"]) {
      expect(db.get(`SELECT count(*) AS n FROM ${table}`), table).toEqual({ n: 0 });
    }
    expect(stores.log.newest(1)).toEqual([]);
  });

  it("contains the operator's keys and clients instead of the documented ones, if given", () => {
    const own = fs.mkdtempSync(path.join(folder, "own-"));
    const demo = ensureTemplate(own, null);
    const { repairer, supplier } = given.credentials;
    const noted = { ...repairer, note: "a line of the operator's own" };
    const built = ensureTemplate(own, { ...given, credentials: { repairer: noted, supplier } });
    expect(fs.existsSync(demo)).toBe(false);
    const db = new Database(built, { durability: "off" });
    onTestFinished(() => db.close());
    const { credentials } = openStores(db);
    for (const [scope, one] of Object.entries(given.credentials))
      expect(credentials.findByIntegration(one.integration_id)).toMatchObject({ ...one, scope });
    expect(credentials.client("own")).toMatchObject({ client_secret: "own-secret", oauth_enabled: true });
    expect(credentials.client("own-other")).toMatchObject({ client_secret: "own-other-secret", oauth_enabled: false });
    const everything = JSON.stringify([credentials.list(), credentials.clients()]);
    for (const one of Object.values(fixedCredentials)) expect(everything).not.toContain(one.api_key);
    for (const one of Object.values(fixedClients)) expect(everything).not.toContain(one.client_secret);
  });
});
