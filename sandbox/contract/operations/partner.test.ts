import { describe, expect, it } from "vitest";
import { controlOperations } from "../control/all-operations.ts";
import { type Operation, operationPath } from "../operation.ts";
import { partnerOperations } from "./partner.ts";

/** The contract's table "Endpoints": scope and error codes of each operation. */
const endpoints: Record<string, readonly [scope: string, errors: string]> = {
  "integrations.insert": [
    "none",
    "unauthorized, forbidden, integration_not_found, o_auth_not_supported_by_integration, invalid_client_secret, invalid_access_code",
  ],
  "businesses.list": ["either", "unauthorized, forbidden"],
  "repairer.work-providers.list": ["repairer", "unauthorized, forbidden"],
  "repairer.jobs.get": ["repairer", "unauthorized, forbidden, not_found"],
  "repairer.jobs.insert": ["repairer", "unauthorized, forbidden, unprocessable, work_provider_not_found"],
  "repairer.jobs.parts.insert": ["repairer", "unauthorized, forbidden, not_found, unprocessable"],
  "repairer.jobs.parts.list": ["repairer", "unauthorized, forbidden, not_found"],
  "repairer.jobs.baskets.latest.get": ["repairer", "unauthorized, forbidden, not_found, bad_request"],
  "repairer.procurements.get": ["repairer", "unauthorized, forbidden, not_found"],
  "repairer.procurements.list": ["repairer", "unauthorized, forbidden, not_found"],
  "supplier.procurements.get": ["supplier", "unauthorized, forbidden, not_found"],
  "supplier.procurements.confirm": ["supplier", "unauthorized, forbidden, not_found"],
  "tier1.prepare": ["either", "unauthorized"],
  "uploads.prepare": ["either", "unauthorized, forbidden, unprocessable"],
};

const partner: readonly Operation[] = partnerOperations;
const everything: readonly Operation[] = [...partnerOperations, ...controlOperations];
const contract = partner.filter((operation) => operation.surface === "contract");

describe("the declared operations", () => {
  it("of the contract have its scopes (D24) and its error codes in its order", () => {
    expect(contract.map(({ id }) => id)).toEqual(Object.keys(endpoints));
    for (const { id, scope, errors } of contract) expect([scope, errors.join(", ")], id).toEqual(endpoints[id]);
  });

  it("are posted to their ID, below the address of their surface", () => {
    for (const operation of contract) expect(operationPath(operation)).toBe(`/api/2026-01/${operation.id}`);
    for (const operation of partner) {
      if (operation.surface !== "contract")
        expect(operationPath(operation)).toBe(`/__extensions/2026-01/${operation.id}`);
    }
    for (const operation of controlOperations) expect(operationPath(operation)).toBe(`/__sandbox/${operation.id}`);
  });

  it("each have a unique ID that can be part of an address", () => {
    const paths = everything.map(operationPath);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { id } of everything) expect(id).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  });

  it("D3: use their own code for a malformed body where the contract defines one", () => {
    const own = contract.filter((operation) => operation.shapeError === "unprocessable").map(({ id }) => id);
    expect(own).toEqual(["repairer.jobs.insert", "repairer.jobs.parts.insert", "uploads.prepare"]);
  });

  it("return bare strings only where the contract does", () => {
    expect(everything.filter(({ errorForm }) => errorForm === "bare").map(({ id }) => id)).toEqual([
      "repairer.jobs.parts.insert",
    ]);
  });

  it("never change anything if they are called get or list", () => {
    const named = everything.filter(({ id }) => /\.(get|list|info)$/.test(id));
    expect(named.length).toBeGreaterThan(20);
    for (const { id, effect } of named) expect(effect, id).toBe("read");
  });

  it("refer to decisions by ID, and have a one-sentence summary", () => {
    for (const { id, summary, decisions } of everything) {
      expect(summary, id).toMatch(/^[A-Z].+\.$/);
      for (const decision of decisions) expect(decision).toMatch(/^D\d{1,2}$/);
      expect(new Set(decisions).size).toBe(decisions.length);
    }
  });
});
