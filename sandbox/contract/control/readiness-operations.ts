import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { eventTypes } from "../event-types.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { readOne } from "./declaring.ts";
import { NO_OPERATION } from "./exchange-kinds.ts";
import { DrillVerdict } from "./receiver-rows.ts";
import { sides } from "./rows.ts";

const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });
const Met = Type.Object({ met: Count(), of: Count() });
const last_at = Nullable(Timestamp("Null: never"));

/** What an integration never did, by what it is a part of. */
const missingKinds = ["subscription", "operation", "error_code", "event", "retry", "drill"] as const;

const LatestDrill = Type.Object({
  verdict: DrillVerdict,
  proves: Type.Boolean({
    description: "false: its receiver refuses what is right too, so that it refuses this proves nothing",
  }),
  at: Timestamp(),
  sentence: Type.String(),
  subscription_id: Type.String(),
  url: Type.String({ description: "The receiver's address, without a query" }),
});

/** What one integration has done so far, as far as it is on record; nothing in it is guessed. */
export const Readiness = Type.Object({
  integration_id: Type.String(),
  organization_name: Type.String(),
  scope: OneOf(sides),
  installed_at: Timestamp(),
  preloaded: Type.Boolean(),
  record: Type.Object({
    since: Nullable(Timestamp("The oldest call that was counted; null: none was")),
    calls: Count(
      "Of its newest 5,000 calls those of its own programs: not of the explorer, of scenarios, of assistants or of replays",
    ),
    deliveries: Count(
      "To receivers of the partner, not of the sandbox: of each and each status the newest 5,000; test events are not counted",
    ),
  }),
  operations: Type.Array(
    Type.Object({
      operation: Type.String({ description: `"${NO_OPERATION}": calls that reached none` }),
      origin: OneOf(["contract", "extension", "other"], "other: it is not one that its side calls with its key"),
      calls: Count(),
      done: Count("Answered 200"),
      refused: Count("Answered 400 or higher"),
      last_at,
    }),
    { description: "Each one that its side may call with its key, 0 calls: never called; then what else it called" },
  ),
  error_codes: Type.Array(
    Type.Object({ code: Type.String(), calls: Count(), operations: Type.Array(Type.String()), last_at }),
    {
      description:
        "Each one that those operations may answer, and any other that it met; 0 calls: never met. `unauthorized` is none of them: a call with a wrong key is nobody's",
    },
  ),
  events: Type.Array(
    Type.Object({ event_type: OneOf(eventTypes), acknowledged: Count(), failed: Count("For good"), last_at }),
  ),
  receiver: Type.Object({
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String({ description: "Without a query: a partner may have a secret in it" }),
        paused: Type.Boolean(),
      }),
    ),
    first_attempt: Count("Deliveries that were acknowledged at the first attempt"),
    later_attempt: Count("Acknowledged after an attempt that failed"),
    drills: Type.Array(Type.Object({ drill: OneOf(drillNames), latest: Nullable(LatestDrill) })),
  }),
  summary: Type.Object({
    operations: Met,
    error_codes: Met,
    events: Met,
    drills: Type.Object({ met: Count(), of: Count(), passed: Count("Of those that prove something") }),
  }),
  next: Type.Array(Type.Object({ kind: OneOf(missingKinds), name: Type.String(), do: Type.String() }), {
    description: "What of the contract it never did, each with what to do",
  }),
  markdown: Type.Optional(Type.String({ description: "The same as a page; only with format: markdown" })),
});
export type Readiness = Static<typeof Readiness>;

export const integrationsReadiness = readOne(
  "integrations.readiness",
  "What an integration has met of the interface, by its calls, deliveries and drills on record, and what is left.",
  {
    integration_id: Uuid("The integration"),
    format: Type.Optional(OneOf(["json", "markdown"], "Default: json")),
  },
  Readiness,
);
