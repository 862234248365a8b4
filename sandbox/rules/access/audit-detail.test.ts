import { expect, it } from "vitest";
import { auditDetail, parseStoredDetail } from "./audit-detail.ts";

it.each([
  [{ world: "acme", name: "before", checkpoint: true }, { name: "before" }],
  [
    { id: "7", pinned: false, seconds: 60 },
    { id: "7", seconds: 60, pinned: false },
  ],
  [
    { id: "7", name: "x id=8 scope=manage" },
    { id: "7", name: "x id=8 scope=manage" },
  ],
  [{ name: "a".repeat(200) }, { name: `${"a".repeat(80)}…` }],
  [
    { from: { world: "other" }, claim: "sbc_secret", body: "secret", headers: [["authorization", "secret"]] },
    { "from.world": "other" },
  ],
  [
    { policies: { webhook_retries: "fast" }, plan: { name: "Jobs", requires: [] } },
    { "policies.webhook_retries": "fast", "plan.name": "Jobs" },
  ],
  [null, {}],
  ["text", {}],
  [[], {}],
  [{ name: "", id: { inner: 1 } }, {}],
  [
    { world: "acme", reveal: true, everywhere: false },
    { reveal: true, everywhere: false },
  ],
])("%j is recorded as %j", (body, detail) => {
  expect(auditDetail(body)).toEqual(detail);
  expect(parseStoredDetail(JSON.stringify(auditDetail(body)))).toEqual(detail);
});

it.each([
  [{ world: "acme", id: "7" }, { id: "7" }],
  [
    { world: "other", id: "7" },
    { id: "7", world: "other" },
  ],
  [{ id: "7" }, { id: "7" }],
])("%j from a token of the world acme is recorded as %j", (body, detail) => {
  expect(auditDetail(body, "acme")).toEqual(detail);
});

it("reads a text stored by an earlier version", () => {
  expect([parseStoredDetail("id=7 name=x"), parseStoredDetail("")]).toEqual([{ text: "id=7 name=x" }, {}]);
});
