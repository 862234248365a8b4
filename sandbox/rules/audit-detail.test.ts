import { expect, it } from "vitest";
import { auditDetail } from "./audit-detail.ts";

it.each([
  [{ world: "acme", name: "before", checkpoint: true }, "name=before"],
  [{ id: "7", pinned: false, seconds: 60 }, "id=7 seconds=60 pinned=false"],
  [{ name: "a".repeat(200) }, `name=${"a".repeat(80)}…`],
  [
    { from: { world: "other" }, claim: "sbc_secret", body: "secret", headers: [["authorization", "secret"]] },
    "from.world=other",
  ],
  [
    { policies: { webhook_retries: "fast" }, plan: { name: "Jobs", requires: [] } },
    "policies.webhook_retries=fast plan.name=Jobs",
  ],
  [null, ""],
  ["text", ""],
  [[], ""],
])("of %j is put on record: %j", (body, detail) => {
  expect(auditDetail(body)).toBe(detail);
});
