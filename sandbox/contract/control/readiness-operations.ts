import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { eventTypes } from "../event-types.ts";
import { Count, Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { manage, paged, read, worldScoped, write, writeOne } from "./declaring.ts";
import { NO_OPERATION } from "./exchange-kinds.ts";
import { DrillVerdict } from "./receiver-operations.ts";
import { sides } from "./rows.ts";

const Progress = Type.Object({ met: Count(), of: Count() });
const last_at = Nullable(Timestamp("Null: never"));

/** Kinds of things that an integration has not tried. */
const missingKinds = ["subscription", "operation", "error_code", "event", "retry", "drill"] as const;

const LatestDrill = Type.Object({
  verdict: DrillVerdict,
  proves: Type.Boolean({
    description: "false: inconclusive, the receiver rejects valid notifications too",
  }),
  at: Timestamp(),
  sentence: Type.String(),
  subscription_id: Type.String(),
  url: Type.String({ description: "The receiver’s address, without a query" }),
});

/** Everything on record about one integration's progress. */
export const Readiness = Type.Object({
  integration_id: Type.String(),
  organization_name: Type.String(),
  scope: OneOf(sides),
  installed_at: Timestamp(),
  preloaded: Type.Boolean(),
  record: Type.Object({
    since: Nullable(Timestamp("The oldest call counted; null: none")),
    until: Nullable(Timestamp("The newest call counted; null: none")),
    calls: Count(
      "Calls by the integration’s own programs among its newest 5,000. Excludes the explorer, scenarios, assistants and replays",
    ),
    deliveries: Count(
      "Deliveries to the partner’s receivers: the newest 5,000 per receiver and status, without test events",
    ),
  }),
  operations: Type.Array(
    Type.Object({
      operation: Type.String({ description: `"${NO_OPERATION}": calls that reached none` }),
      origin: OneOf(["contract", "extension", "other"], "other: an operation its side doesn’t call with its key"),
      calls: Count(),
      done: Count("Returned 200: it is met with one"),
      refused: Count("Status 400 or higher"),
      last_at,
    }),
    { description: "Every operation its side can call (0 calls: never called), then any other it called" },
  ),
  error_codes: Type.Array(
    Type.Object({ code: Type.String(), calls: Count(), operations: Type.Array(Type.String()), last_at }),
    {
      description:
        "Every error those operations can return (0 calls: never met) and any other it met. Without `unauthorized`: calls with a wrong key belong to no integration",
    },
  ),
  events: Type.Array(
    Type.Object({
      event_type: OneOf(eventTypes),
      acknowledged: Count(),
      failed: Count("Deliveries that failed for good"),
      last_at,
    }),
  ),
  receiver: Type.Object({
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String({ description: "Without its query, which may hold a secret" }),
        paused: Type.Boolean(),
        sandbox: Type.Boolean({ description: "The sandbox itself receives there, so nothing of it is counted" }),
      }),
    ),
    first_attempt: Count("Deliveries acknowledged at the first attempt"),
    later_attempt: Count("Deliveries acknowledged after a failed attempt"),
    drills: Type.Array(Type.Object({ drill: OneOf(drillNames), latest: Nullable(LatestDrill) })),
  }),
  summary: Type.Object({
    operations: Progress,
    error_codes: Progress,
    events: Progress,
    drills: Type.Object({ met: Count(), of: Count(), passed: Count("Among conclusive drills") }),
  }),
  next: Type.Array(Type.Object({ kind: OneOf(missingKinds), name: Type.String(), do: Type.String() }), {
    description: "What it never did, each with the next step",
  }),
  markdown: Type.Optional(Type.String({ description: "The report as Markdown; only with format: markdown" })),
});
export type Readiness = Static<typeof Readiness>;

/** One thing that a plan requires of an integration. */
export const RequiredCheck = Type.Object({
  kind: OneOf(missingKinds),
  name: Type.String({ minLength: 1, maxLength: 100, description: "As in `next` of the readiness report" }),
});
export type RequiredCheck = Static<typeof RequiredCheck>;

/** A plan's requirements, and whether the integration meets them. */
export const Judged = {
  plan: Nullable(Type.String({ description: "The plan’s name; null: everything but error codes is required" })),
  required: Count(),
  met: Count(),
  unmet: Type.Array(Type.Object({ ...RequiredCheck.properties, do: Type.String({ description: "The next step" }) })),
  ready: Type.Boolean({ description: "It has made calls, something is required of it, and nothing is unmet" }),
};
export type Judged = { readonly [K in keyof typeof Judged]: Static<(typeof Judged)[K]> };

export const JudgedReadiness = Type.Object({
  ...Readiness.properties,
  judged: Type.Object(Judged, { description: "By the plan of its client" }),
});
export type JudgedReadiness = Static<typeof JudgedReadiness>;

export const integrationsReadiness = worldScoped.readOne(
  "integrations.readiness",
  "Readiness report of an integration: which parts of the API it has met in its recorded calls, deliveries and drills, and what is left.",
  {
    integration_id: Uuid("The integration"),
    format: Type.Optional(OneOf(["json", "markdown"], "Default: json")),
  },
  JudgedReadiness,
);

export const BoardRow = Type.Object({
  world: Type.String(),
  integration_id: Type.String(),
  organization_name: Type.String(),
  scope: OneOf(sides),
  client_id: Nullable(Type.String()),
  preloaded: Type.Boolean(),
  calls: Count(),
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

/** Requirements for the integrations of one client. */
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

/** The signed part of evidence: a readiness report with its plan. */
export const Evidence = Type.Object({
  id: Uuid("By which `evidence.list` of the service finds it"),
  issued_at: Timestamp("Real time"),
  statement: Type.String({ description: "What it proves, in words" }),
  contract: Type.Object({
    version: Type.String(),
    digest: Type.String({ description: "SHA-256 of the OpenAPI document that was called, without its address" }),
  }),
  required_checks: Type.Array(RequiredCheck, { description: "What had to be met" }),
  service: Type.Object({ url: Type.String(), version: Type.String() }),
  world: Type.String(),
  client_id: Nullable(Type.String()),
  ...Judged,
  readiness: Readiness,
});
export type Evidence = Static<typeof Evidence>;

export const integrationsEvidence = worldScoped.readOne(
  "integrations.evidence",
  "A dated, signed file of what an integration has met. `sandbox verify-evidence FILE` checks it. The service records that it issued the file.",
  { integration_id: Uuid("The integration") },
  Type.Object({
    evidence: Text("JSON, as it is signed"),
    signature: Type.String({ description: "Ed25519 over the bytes of `evidence`, in Base64" }),
    public_key: Type.String({ description: "DER (SPKI), in Base64" }),
    fingerprint: Type.String({ description: "SHA-256 of the public key: compare it with the one of the sandbox" }),
  }),
);

export const IssuedEvidence = Type.Object({
  id: Uuid(),
  issued_at: Timestamp("Real time"),
  world: Type.String(),
  integration_id: Type.String(),
  organization_name: Type.String(),
  client_id: Nullable(Type.String()),
  plan: Nullable(Type.String()),
  required: Count(),
  met: Count(),
  ready: Type.Boolean(),
  digest: Type.String({ description: "SHA-256 of the signed content, in hex; identifies the issued file" }),
  revoked_at: Nullable(Timestamp("Real time; null: it holds")),
  revoked_for: Nullable(Type.String()),
});
export type IssuedEvidence = Static<typeof IssuedEvidence>;

export const evidenceList = worldScoped.read(
  "evidence.list",
  "Evidence that the service has issued, newest first, with what was revoked. Each world keeps its newest 1,000 files and all revoked ones.",
  {
    id: Type.Optional(Uuid("The `id` in a file")),
    integration_id: Type.Optional(Uuid()),
    everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds" })),
    ...paged,
  },
  Type.Object({ items: Type.Array(IssuedEvidence), next_cursor: Nullable(Type.String()) }),
  { access: { needs: "view", fields: { everywhere: "operator" } } },
);

export const evidenceRevoke = writeOne(
  "evidence.revoke",
  "Revokes an issued file. Its signature stays valid, so check `evidence.list` for revoked files.",
  {
    id: Uuid("The `id` in the file"),
    reason: Type.Optional(Type.String({ format: "text", minLength: 1, maxLength: 200 })),
  },
  IssuedEvidence,
  manage,
);
