import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { eventTypes } from "../event-types.ts";
import { controlOperation } from "../operation.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";
import { NO_OPERATION } from "./exchange-kinds.ts";
import { DrillVerdict } from "./receiver-rows.ts";
import { deliveryCounts, sides } from "./rows.ts";

const Count = Type.Integer({ minimum: 0 });
const CountOf = (description: string) => Type.Integer({ minimum: 0, description });
const Met = Type.Object({ met: Count, of: Count });
const last_at = Nullable(Timestamp("Null: never"));

/** What an integration never did, by what it is a part of. */
const missingKinds = ["subscription", "operation", "error_code", "event", "retry", "drill"] as const;

const OperationCalls = Type.Object({
  operation: Type.String({ description: `"${NO_OPERATION}": calls that reached none` }),
  origin: OneOf(["contract", "extension", "other"], "other: it is not one that its side calls with its key"),
  calls: Count,
  done: CountOf("Answered 200"),
  refused: CountOf("Answered 400 or higher"),
  last_at,
});
const DrillsOfOne = Type.Object({
  drill: OneOf(drillNames),
  title: Type.String(),
  passed: CountOf("Those that prove something"),
  failed: Count,
  latest: Nullable(
    Type.Object({
      verdict: DrillVerdict,
      proves: Type.Boolean({
        description: "false: its receiver refuses what is right too, so that it refuses this proves nothing",
      }),
      at: Timestamp(),
      sentence: Type.String(),
      subscription_id: Type.String(),
      url: Type.String({ description: "The receiver's address, without a query" }),
    }),
  ),
});

/** What one integration has done so far, as far as it is on record; nothing in it is guessed. */
export const Readiness = Type.Object({
  integration_id: Type.String(),
  organization_id: Type.String(),
  organization_name: Type.String(),
  scope: OneOf(sides),
  client_id: Nullable(Type.String()),
  installed_at: Timestamp(),
  preloaded: Type.Boolean(),
  record: Type.Object({
    since: Nullable(Timestamp("The oldest call that was counted; null: none was")),
    calls: CountOf(
      "Calls that were counted; those of the explorer, of scenarios, of assistants and of replays are not",
    ),
    calls_is_minimum: Type.Boolean({ description: "Older calls are on record and were not looked at" }),
    deliveries: CountOf("Deliveries that were counted; test events are not"),
    deliveries_is_minimum: Type.Boolean({ description: "Older deliveries are on record and were not looked at" }),
    max_age_hours: Type.Number({ description: "How long the world keeps its record" }),
    max_megabytes: Type.Number({ description: "How much of it" }),
  }),
  operations: Type.Array(OperationCalls, {
    description: "Each one that its side may call with its key, 0 calls: never called; then what else it called",
  }),
  error_codes: Type.Array(
    Type.Object({ code: Type.String(), calls: Count, operations: Type.Array(Type.String()), last_at }),
    {
      description:
        "Each one that those operations may answer, and any other that it met; 0 calls: never met. `unauthorized` is none of them: a call with a wrong key is nobody's",
    },
  ),
  events: Type.Array(
    Type.Object({
      event_type: OneOf(eventTypes),
      ...deliveryCounts,
      acknowledged: CountOf("Of those delivered the ones that went to a receiver of the partner, not of the sandbox"),
      last_at,
    }),
    { description: "Each type its side is notified of, by the deliveries of its present subscriptions" },
  ),
  receiver: Type.Object({
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String({ description: "Without a query: a partner may have a secret in it" }),
        paused: Type.Boolean(),
      }),
    ),
    first_attempt: CountOf("Acknowledged at the first attempt; of these and all below, by receivers of the partner"),
    later_attempt: CountOf("Acknowledged after an attempt that failed"),
    given_up: CountOf("Failed for good"),
    drills: Type.Array(DrillsOfOne),
  }),
  summary: Type.Object({
    operations: Met,
    extensions: Met,
    error_codes: Met,
    events: Met,
    drills: Type.Object({ met: Count, of: Count, passed: CountOf("By their latest results, which prove something") }),
  }),
  next: Type.Array(Type.Object({ kind: OneOf(missingKinds), name: Type.String(), do: Type.String() }), {
    description: "What of the contract it never did, each with what to do",
  }),
  markdown: Type.Optional(Type.String({ description: "The same as a page; only with format: markdown" })),
});
export type Readiness = Static<typeof Readiness>;

export const integrationsReadiness = controlOperation({
  ...byId,
  id: "integrations.readiness",
  effect: "read",
  summary:
    "What an integration has met of the interface, by its calls, deliveries and drills on record, and what is left.",
  request: inWorld({
    integration_id: Uuid("The integration"),
    format: Type.Optional(OneOf(["json", "markdown"], "Default: json")),
  }),
  response: Readiness,
});
