import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable, OneOf, Page, Timestamp } from "../schema.ts";
import { paged, read } from "./declaring.ts";

/** So many entries of each kind are kept, the newest. */
export const MOST_AUDITED = 10_000;

/** What an entry is of: a change, or anything else, which is there once an hour. */
export const auditKinds = ["change", "other"] as const;
export type AuditKind = (typeof auditKinds)[number];
const Kind = OneOf(
  auditKinds,
  "`change`: a change, one a world token was refused aside; `other`: everything else, once an hour for the same caller, operation, world and outcome",
);

export const AuditEntry = Type.Object({
  id: Type.String(),
  kind: Kind,
  at: Timestamp("Real time"),
  by: Type.String({
    description:
      "The token’s name; with the control token `operator`, `scenario` or `assistant`; `anyone`: no token was needed",
  }),
  operation: Type.String(),
  world: Nullable(Type.String({ description: "null: the service itself, or no world" })),
  detail: Type.String({ description: "What the call named, such as `id=…`, without secrets" }),
  outcome: Type.String({ description: "`ok`, the error code of a refusal, or `failed`" }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const auditList = read(
  "audit.list",
  `Control operations, newest first, across restarts. Each change has an entry. Reads, refusals of world tokens and claim links, sign-ins, laptops’ answers and live feeds have one an hour, with the details of the first. The newest ${MOST_AUDITED.toLocaleString("en")} changes are kept, and as many of the rest. Calls without a valid token are not recorded.`,
  {
    ...paged,
    everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds and of the service" })),
    kind: Type.Optional(Kind),
  },
  Page(AuditEntry),
);

export const auditOperations = [auditList] as const;
