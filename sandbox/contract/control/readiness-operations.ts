import type { Static } from "typebox";
import * as Type from "typebox";
import { drillNames } from "../drill-names.ts";
import { errorCodes } from "../errors.ts";
import { eventTypes } from "../event-types.ts";
import { controlOperation } from "../operation.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";
import { DrillVerdict } from "./receiver-rows.ts";
import { deliveryCounts, sides } from "./rows.ts";

const Count = Type.Integer({ minimum: 0 });
/** When it was first and last on record; null: never. */
const seen = { first_at: Nullable(Timestamp()), last_at: Nullable(Timestamp()) };
const met = { met: Count, of: Count };
const Met = Type.Object(met);

/** What an integration never did, by what it is a part of. */
export const missingKinds = ["subscription", "operation", "error_code", "event", "retry", "drill"] as const;

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
    calls: Type.Integer({
      minimum: 0,
      description: "Calls that were counted; those of the explorer, of scenarios, of assistants and of replays are not",
    }),
    calls_is_minimum: Type.Boolean({ description: "Older calls are on record and were not looked at" }),
    deliveries: Type.Integer({ minimum: 0, description: "Deliveries that were counted; test events are not" }),
    deliveries_is_minimum: Type.Boolean({ description: "Older deliveries are on record and were not looked at" }),
    max_age_hours: Type.Number({ description: "How long the world keeps its record" }),
    max_megabytes: Type.Number({ description: "How much of it" }),
  }),
  operations: Type.Array(
    Type.Object({
      operation: Type.String(),
      origin: OneOf(["contract", "extension"]),
      summary: Type.String(),
      path: Type.String(),
      calls: Count,
      done: Type.Integer({ minimum: 0, description: "Answered 200" }),
      refused: Type.Integer({ minimum: 0, description: "Answered 400 or higher" }),
      ...seen,
      error_codes: Type.Array(Type.Object({ code: Type.String(), calls: Count, ...seen })),
    }),
    { description: "Each one that its side may call with its key; 0 calls: never called" },
  ),
  error_codes: Type.Array(
    Type.Object({ code: Type.String(), calls: Count, operations: Type.Array(Type.String()), ...seen }),
    {
      description:
        "Each one that those operations may answer, and any other that it met; 0 calls: never met. `unauthorized` is none of them: a call with a wrong key is nobody's",
    },
  ),
  events: Type.Array(
    Type.Object({
      event_type: OneOf(eventTypes),
      ...deliveryCounts,
      acknowledged: Type.Integer({
        minimum: 0,
        description: "Of those delivered the ones that went to a receiver of the partner, not to one of the sandbox",
      }),
      ...seen,
    }),
    {
      description: "Each type its side is notified of, by the deliveries of its present subscriptions",
    },
  ),
  receiver: Type.Object({
    subscriptions: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String({ description: "Without a query: a partner may have a secret in it" }),
        created_at: Timestamp(),
        paused: Type.Boolean(),
      }),
    ),
    first_attempt: Type.Integer({
      minimum: 0,
      description:
        "Deliveries that were acknowledged at the first attempt; of these and all below, those to receivers of the partner",
    }),
    later_attempt: Type.Integer({ minimum: 0, description: "Acknowledged after an attempt that failed" }),
    given_up: Type.Integer({ minimum: 0, description: "Failed for good" }),
    drills: Type.Array(
      Type.Object({
        drill: OneOf(drillNames),
        title: Type.String(),
        passed: Type.Integer({ minimum: 0, description: "Those that prove something" }),
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
          }),
        ),
      }),
    ),
  }),
  summary: Type.Object({
    operations: Type.Object(met, { description: "Of the contract" }),
    extensions: Met,
    error_codes: Met,
    events: Type.Object(met, { description: "Acknowledged by a receiver of the partner" }),
    drills: Type.Object({
      met: Count,
      of: Count,
      passed: Type.Integer({ minimum: 0, description: "By their latest results, which prove something" }),
    }),
  }),
  next: Type.Array(Type.Object({ kind: OneOf(missingKinds), name: Type.String(), do: Type.String() }), {
    description: "What of the contract it never did, each with what to do",
  }),
  markdown: Type.Optional(Type.String({ description: "The same as a page; only with format: markdown" })),
});
export type Readiness = Static<typeof Readiness>;

/** The codes an integration can be shown to have met. */
export const isErrorCode = (code: string): code is keyof typeof errorCodes => Object.hasOwn(errorCodes, code);

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
