import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../sandbox/contract/openapi/document.ts";
import { listOperations, type OpenApiDocument } from "../../domain/exchange/declarations.ts";
import { NumberText } from "../../lib/parsed-json.ts";
import { type Field, type Fields, fieldLabel, initialValues, parseNumber, schemaFields } from "./fields.ts";

const all = listOperations(openApiDocument("http://127.0.0.1:4810") as unknown as OpenApiDocument);
const fieldsFor = (id: string): Fields => {
  const declared = all.find((one) => one.id === id);
  return schemaFields(declared?.request ?? {}, declared?.definitions ?? {});
};
const insert = fieldsFor("repairer.jobs.insert");
const of = (name: string, fields = insert): Field => fields.get(name) ?? expect.unreachable(name);

describe("the fields of a body", () => {
  it("are the declared ones, in their order", () => {
    expect([...insert.keys()].slice(0, 3)).toEqual(["identity", "repairer_site_id", "claim_number"]);
    expect(of("repairer_site_id")).toMatchObject({ kind: "text", required: true, nullable: false, takes: "UUID" });
    expect(of("claim_number")).toMatchObject({ kind: "text", required: false, nullable: true, takes: "text or null" });
    expect(of("images")).toMatchObject({
      kind: "list",
      takes: "list of addresses, at most 100 or null",
      decisions: ["D37"],
    });
    expect(of("vehicle")).toMatchObject({ kind: "object", nullable: true });
  });
  it("are alternatives where exactly one is required", () => {
    const identity = of("identity");
    if (identity.kind !== "variants") return expect.unreachable("identity");
    expect(identity.variants.map((one) => [...one.keys()])).toEqual([["id"], ["external"]]);
  });
  it("offer the values of a choice", () => {
    const when = of("if_");
    if (when.kind !== "object") return expect.unreachable("if_");
    expect(of("exists", when.fields)).toMatchObject({ kind: "choice", choices: ["update", "replace"] });
  });
  it("exist for every operation, and initially contain the required ones", () => {
    for (const { id, request, definitions } of all) {
      if (request === null) continue;
      const start = initialValues(schemaFields(request, definitions));
      const required = [...schemaFields(request, definitions)].filter(([, field]) => field.required);
      expect(Object.keys(start), id).toEqual(required.map(([name]) => name));
    }
    expect(initialValues(insert)).toEqual({ identity: { external: "" }, repairer_site_id: "" });
  });
});

describe("the label of a field", () => {
  it("is its glossary word, else its name in words", () => {
    expect(fieldLabel("repairer_site_id")).toBe("Site");
    expect(fieldLabel("identity", "repairer.jobs.get")).toBe("Which job");
    expect(fieldLabel("identity", "procurements.cancel")).toBe("Which order");
    expect(fieldLabel("identity")).toBe("Identity");
    expect(fieldLabel("claim_number")).toBe("Claim number");
    expect(fieldLabel("subscription_id")).toBe("Subscription");
  });
});

describe("a typed number", () => {
  it("is sent as a number if it is one, else as text", () => {
    for (const number of ["7", "-0.5", "1e3", "0.0", "0.05", "12345678901234567890", "1e400"])
      expect(parseNumber(number)).toEqual(new NumberText(number));
    expect(["", "7.", "07", "seven", "0x10"].map(parseNumber)).toEqual(["", "7.", "07", "seven", "0x10"]);
  });
});
