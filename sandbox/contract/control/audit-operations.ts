import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable, Page, Timestamp } from "../schema.ts";
import { paged, read } from "./declaring.ts";

/** So many entries are kept, the newest. */
export const MOST_AUDITED = 10_000;

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp("Real time"),
  by: Type.String({
    description: "The token’s name; with the control token `operator`, `scenario` or `assistant`",
  }),
  operation: Type.String(),
  world: Nullable(Type.String({ description: "null: the service itself" })),
  detail: Type.String({ description: "What the call named, such as `id=…`, without secrets" }),
  outcome: Type.String({ description: "`ok`, the error code of a refusal, or `failed`" }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const auditList = read(
  "audit.list",
  `Control operations that changed something, or were refused with a valid token, newest first, across restarts. The newest ${MOST_AUDITED.toLocaleString("en")} are kept.`,
  { ...paged, everywhere: Type.Optional(Type.Boolean({ description: "Of all worlds and of the service" })) },
  Page(AuditEntry),
);

export const auditOperations = [auditList] as const;
