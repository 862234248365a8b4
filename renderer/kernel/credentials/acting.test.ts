import { describe, expect, it } from "vitest";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { pickCredential } from "./acting.ts";

const credential = (integration_id: string, over: Partial<Credential> = {}): Credential => ({
  integration_id,
  organization_id: "tarn",
  organization_name: "Tarn & Rowe",
  scope: "repairer",
  client_id: null,
  created_at: "2026-03-11T10:00:00.000Z",
  preloaded: false,
  key_hint: "isk_",
  api_key: `isk_${integration_id}`,
  ...over,
});
const preloaded = credential("preloaded", { preloaded: true });
const older = credential("older");
const newer = credential("newer");
const supplier = credential("supplier", { scope: "supplier", organization_id: "meridian" });
// Newest first, as the service lists them.
const all = [newer, older, supplier, preloaded];
const pick = (side: "repairer" | "supplier", organization: string | null, chosen?: string, from: Credential[] = all) =>
  pickCredential(from, side, organization, chosen)?.integration_id ?? null;

describe("the key of a call", () => {
  it("is the pre-loaded one, even after installations", () => {
    expect(pick("repairer", "tarn")).toBe("preloaded");
    expect(pick("repairer", null)).toBe("preloaded");
  });
  it("is the newest installed one without a pre-loaded one", () =>
    expect(pick("repairer", "tarn", undefined, [newer, older, supplier])).toBe("newer"));
  it("is the chosen one if it reaches the object", () => {
    expect(pick("repairer", "tarn", "older")).toBe("older");
    expect(pick("supplier", "meridian", "older")).toBe("supplier");
  });
  it("is null without a key of the owner", () => expect(pick("supplier", "halfmoon")).toBeNull());
  it("is never an unknown one", () => {
    const { api_key: _key, ...hidden } = older;
    expect(pick("repairer", null, undefined, [hidden])).toBeNull();
  });
});
