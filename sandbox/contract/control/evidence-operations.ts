import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { base, paged, read, readOne, view, write } from "./declaring.ts";
import { Judged, Readiness, RequiredCheck } from "./readiness-operations.ts";
import { sides } from "./rows.ts";

export const BoardRow = Type.Object({
  world: Type.String(),
  integration_id: Type.String(),
  organization_name: Type.String(),
  scope: OneOf(sides),
  client_id: Nullable(Type.String()),
  preloaded: Type.Boolean(),
  calls: Type.Integer({ minimum: 0 }),
  last_called_at: Nullable(Timestamp("null: never")),
  ...Judged,
});
export type BoardRow = Static<typeof BoardRow>;

export const integrationsBoard = read(
  "integrations.board",
  "How ready each integration is, world by world: what its plan requires, what it has met and what is left. Pre-loaded integrations that made no call are left out.",
  { everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds" })), ...paged },
  Type.Object({ items: Type.Array(BoardRow), next_cursor: Nullable(Type.String()) }),
  { access: { needs: "view", fields: { everywhere: "operator" } } },
);

/** What the integrations of one client have to have done. */
export const Plan = Type.Object({
  client_id: Type.String({ format: "text", minLength: 1, maxLength: 200 }),
  name: Type.String({ format: "text", minLength: 1, maxLength: 100 }),
  requires: Type.Array(RequiredCheck, { minItems: 1, maxItems: 200 }),
});
export type Plan = Static<typeof Plan>;

export const plansList = read("plans.list", "The plans of required checks, by client.", {}, Items(Plan));
export const plansSet = write(
  "plans.set",
  "Sets what the integrations of one client must have done to be ready, or removes that.",
  {
    client_id: Plan.properties.client_id,
    plan: Nullable(Type.Object({ name: Plan.properties.name, requires: Plan.properties.requires })),
  },
  Items(Plan),
);

/** What is signed: a readiness report with what it was judged by. */
export const Evidence = Type.Object({
  issued_at: Timestamp("Real time"),
  service: Type.Object({ url: Type.String(), version: Type.String() }),
  world: Type.String(),
  client_id: Nullable(Type.String()),
  ...Judged,
  readiness: Readiness,
});
export type Evidence = Static<typeof Evidence>;

export const integrationsEvidence = readOne(
  "integrations.evidence",
  "A dated, signed file of what an integration has met. `sandbox verify-evidence FILE` checks it.",
  { integration_id: Uuid("The integration") },
  Type.Object({
    evidence: Text("JSON, as it is signed"),
    signature: Type.String({ description: "Ed25519 over the bytes of `evidence`, in Base64" }),
    public_key: Type.String({ description: "DER (SPKI), in Base64" }),
    fingerprint: Type.String({ description: "SHA-256 of the public key: compare it with the one of the sandbox" }),
  }),
  { ...view, errors: [...base.errors, "not_found"] },
);

export const evidenceOperations = [integrationsBoard, plansList, plansSet, integrationsEvidence] as const;
