import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Database } from "./database.ts";
import { DirectoryStore } from "./directory-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const address = {
  city: "Hamilton",
  country_code: "NZ",
  name: null,
  postcode: "3204",
  state: null,
  street_name: "Kent Street",
  street_number: "12a",
  suburb: null,
  unit: null,
};

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  for (const [id, scope] of [
    ["z-buyer", "repairer"],
    ["a-seller", "supplier"],
    ["insurer", null],
  ] as const) {
    db.run("INSERT INTO organizations (id, name, scope) VALUES (?, ?, ?)", id, `Organization ${id}`, scope);
  }
  const business = (
    id: string,
    organization: string,
    type: string,
    more: { site?: boolean; kind?: string } = {},
  ): void => {
    db.run(
      "INSERT INTO businesses (id, organization_id, type, name, address, currency_code, reference_prefix, supplier_kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      organization,
      type,
      `Business ${id}`,
      more.site ? JSON.stringify(address) : null,
      more.site ? "NZD" : null,
      more.site ? "TRC" : null,
      more.kind ?? null,
    );
  };
  business("repairer", "z-buyer", "repairer");
  business("site", "z-buyer", "repairer_site", { site: true });
  business("bare site", "z-buyer", "repairer_site");
  business("seller", "a-seller", "supplier", { kind: "genuine" });
  business("silent seller", "a-seller", "supplier");
  business("insurer business", "insurer", "insurer");
  return new DirectoryStore(db);
};

describe("the directory", () => {
  it("lists organizations in the seed's order, and finds one by its ID", () => {
    const directory = open();
    expect(directory.organizations().map((one) => [one.id, one.scope])).toEqual([
      ["z-buyer", "repairer"],
      ["a-seller", "supplier"],
      ["insurer", null],
    ]);
    expect(directory.organization("insurer")).toEqual({ id: "insurer", name: "Organization insurer", scope: null });
    expect(directory.organization("nobody")).toBeUndefined();
  });

  it("lists the businesses of one organization, and the insurers of all", () => {
    const directory = open();
    expect(directory.listBusinesses("z-buyer").map((one) => one.id)).toEqual(["repairer", "site", "bare site"]);
    expect(directory.listBusinesses("a-seller")[0]).toEqual({
      id: "seller",
      organization_id: "a-seller",
      type: "supplier",
      name: "Business seller",
    });
    expect(directory.listBusinesses("nobody")).toEqual([]);
    expect(directory.insurers().map((one) => one.organization_id)).toEqual(["insurer"]);
  });

  it("D34: returns a site only to its own organization, and no other business as a site", () => {
    const directory = open();
    expect(directory.site("site", "z-buyer")).toEqual({
      id: "site",
      organization_id: "z-buyer",
      type: "repairer_site",
      name: "Business site",
      address,
      currency_code: "NZD",
      reference_prefix: "TRC",
    });
    for (const [id, organization] of [
      ["site", "a-seller"],
      ["repairer", "z-buyer"],
      ["seller", "a-seller"],
      ["nowhere", "z-buyer"],
    ] as const)
      expect(directory.site(id, organization)).toBeUndefined();
  });

  it("returns all nine address keys of a site with little data", () => {
    const site = open().site("bare site", "z-buyer");
    expect(Object.keys(site?.address ?? {}).toSorted()).toEqual(Object.keys(address).toSorted());
    expect(Object.values(site?.address ?? { city: "" }).every((value) => value === null)).toBe(true);
    expect([site?.currency_code, site?.reference_prefix]).toEqual([
      expect.stringMatching(/^[A-Z]{3}$/),
      expect.stringMatching(/./),
    ]);
  });

  it("D43: lists the suppliers that make offers", () => {
    expect(open().suppliers()).toEqual([
      { business_id: "seller", organization_id: "a-seller", name: "Business seller", kind: "genuine" },
    ]);
  });

  it("reads a site and the insurers once, and shows a site only to its own organization", () => {
    const directory = open();
    const reads = [vi.spyOn(Database.prototype, "get"), vi.spyOn(Database.prototype, "all")];
    const found = directory.site("site", "z-buyer");
    expect(found?.id).toBe("site");
    expect(directory.site("site", "z-buyer")).toEqual(found);
    expect(directory.site("site", "a-seller")).toBeUndefined();
    expect(directory.insurers()).toEqual(directory.insurers());
    expect(reads.map((read) => read.mock.calls.length)).toEqual([1, 1]);
  });
});
