import type { Static } from "typebox";
import * as Type from "typebox";
import { Count, Items, Nullable, OneOf, Text, Timestamp, Uuid } from "../schema.ts";
import { read, worldScoped } from "./declaring.ts";
import { HeaderList, requestOrigins, sides } from "./rows.ts";
import { failureKinds } from "./words.ts";

/** Failures are deleted after this many days. */
export const ACTIVITY_DAYS = 7;
/** Limits on the callers that one group, and all groups together, list by name. */
export const MAX_CALLERS_PER_GROUP = 20;
export const MAX_CALLERS = 100;

const LastFailure = Type.Object({
  kind: OneOf(failureKinds),
  world: Type.String(),
  id: Type.String({ description: "The call; for a delivery attempt its delivery" }),
  at: Timestamp("Real time"),
  operation: Nullable(
    Type.String({ description: "The operation; for a delivery its event type; null: the call reached none" }),
  ),
});
export type LastFailure = Static<typeof LastFailure>;

const caller = {
  world: Type.String(),
  integration_id: Nullable(Type.String({ description: "null: no valid credentials" })),
  organization_name: Nullable(Type.String()),
  side: Nullable(OneOf(sides)),
  user_agent: Nullable(
    Type.String({
      description:
        "The start of its User-Agent header; null: none, a delivery, or one of more than 20 of its world in that minute",
    }),
  ),
  origin: OneOf(requestOrigins, "Who sent the call, as in requests.list; `partner` for a delivery"),
  count: Count("Refused calls and failed attempts"),
};
const GroupCaller = Type.Object({ ...caller, last_call: LastFailure });
export type GroupCaller = Static<typeof GroupCaller>;

export const ActivityCaller = Type.Object({
  ...caller,
  expected: Count("How many of them were expected"),
  last_call: LastFailure,
});
export type ActivityCaller = Static<typeof ActivityCaller>;

export const ActivityGroup = Type.Object({
  kind: OneOf(failureKinds, "`call`: refused calls; `delivery`: failed attempts of deliveries"),
  cause: Nullable(
    Type.String({
      description:
        "The cause’s name, as requests.list filters by it; `fault`: an armed fault; `receiver_…`: of a delivery; null: none on record",
    }),
  ),
  status: Type.Integer({ description: "0: no response" }),
  sentence: Type.String(),
  whose_side: OneOf(["partner", "receiver", "sandbox", "fault"], "Where the cause is"),
  what_to_do: Type.String(),
  expected: Type.Boolean({ description: "A fault, or a built-in receiver that was set to fail" }),
  count: Count(),
  last_call: LastFailure,
  timeline: Type.Array(Count(), { description: "How many in each slot, from `from` on" }),
  callers: Type.Array(GroupCaller, { description: `By count, at most ${MAX_CALLERS_PER_GROUP}` }),
  more_callers: Count("How many more callers there are than are listed"),
});
export type ActivityGroup = Static<typeof ActivityGroup>;

export const activityList = worldScoped.read(
  "activity.list",
  `What went wrong, grouped by cause, most frequent first: refused calls and failed delivery attempts of all worlds, in real time. Kept for ${ACTIVITY_DAYS} days, by the minute. A world token gets its own world. Calls of a world that was deleted, reset or restored are no longer counted. After a crash the last second may be missing; requests.list of the world has every call.`,
  {
    since: Type.Optional(
      Text(
        "How far back, such as `30m`, `1h` or `7d`, or a time as RFC 3339 (default: `1h`), rounded down to a minute",
      ),
    ),
    world: Type.Optional(Type.String({ description: "Only this world (default: all)" })),
    integration_id: Type.Optional(Uuid("Only this integration")),
    user_agent: Type.Optional(Text("Only calls whose User-Agent header starts with this text")),
  },
  Type.Object({
    from: Timestamp("What is counted starts here: later than asked for where nothing older is kept"),
    to: Timestamp(),
    slot_seconds: Type.Integer({ minimum: 60, description: "The length of a slot of `timeline`" }),
    calls: Count("Refused calls"),
    deliveries: Count("Failed delivery attempts"),
    expected: Count("How many of both were expected"),
    ...Items(ActivityGroup).properties,
    callers: Type.Array(ActivityCaller, { description: `By count, at most ${MAX_CALLERS}` }),
    more_callers: Count("How many more callers there are than are listed"),
    last_call: Nullable(
      Type.Object(LastFailure.properties, {
        description: "The newest that is kept, from before the time asked for too",
      }),
    ),
  }),
  { access: { needs: "view", worlds: [] } },
);
export type Activity = Static<typeof activityList.response>;

/** Limits on the stored calls to worlds that don't exist (D85), and on the stored bytes of each body. */
export const MAX_STRAY_CALLS = 1_000;
export const STRAY_BODY_BYTES = 4_096;

/** A refused call to a world that doesn't exist, so that no world records it. */
export const StrayCall = Type.Object({
  id: Type.String({ description: "The call’s ID (its x-request-id)" }),
  at: Timestamp("Real time"),
  world: Type.String({ description: "The world it named" }),
  operation: Nullable(Type.String({ description: "null: it reached none" })),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  error_code: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: "Why it was refused, as a new world would refuse it" })),
  cause: Type.Optional(Nullable(Type.String({ description: "The cause’s name, as in requests.explain" }))),
  remedy: Type.Optional(Type.String({ description: "What to do, if the call shows more than its cause" })),
  request_headers: HeaderList,
  request_body: Type.String({ description: `As text; the first ${STRAY_BODY_BYTES.toLocaleString("en")} bytes` }),
  response_body: Type.String(),
});
export type StrayCall = Static<typeof StrayCall>;

export const activityStrays = read(
  "activity.strays",
  `Refused calls to worlds that don’t exist, newest first, with secrets masked. The newest ${MAX_STRAY_CALLS.toLocaleString("en")} are kept, across restarts. A call appears about a second after its response at the latest.`,
  {
    search: Type.Optional(
      Text("Only calls that contain this text in ID, world, path, headers, bodies or reason; ignores case"),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_STRAY_CALLS, default: 100 })),
  },
  Items(
    Type.Object({
      ...StrayCall.properties,
      exists: Type.Boolean({ description: "Whether the world exists by now" }),
      nearest: Type.Array(Type.String(), { description: "Worlds with a similar name" }),
    }),
  ),
);
