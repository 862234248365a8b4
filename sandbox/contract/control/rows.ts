import type { Static } from "typebox";
import * as Type from "typebox";
import type { RefusalReason } from "../errors.ts";
import { eventTypes } from "../event-types.ts";
import { announcedStatuses, changeActions } from "../events.ts";
import { Job, Vehicle } from "../resources/job.ts";
import { Count, Nullable, OneOf, Timestamp, Uuid } from "../schema.ts";
import { verificationSteps } from "../signature.ts";
import { procurementStatuses } from "../values.ts";
import { FaultMark } from "./fault-operations.ts";

const Id = Type.String();

export const sides = ["repairer", "supplier"] as const;
/** Side of an order that a credential acts for. */
export type Side = (typeof sides)[number];
/** Labels of the sides on screens. */
export const sideLabels = { repairer: "buyer", supplier: "supplier" } as const satisfies Record<Side, string>;

/** A world in lists. `resets_at` is null for `default`, pinned and closed worlds. */
export const World = Type.Object({
  name: Type.String(),
  created_at: Timestamp(),
  last_active_at: Timestamp("Last call or control read; the idle reset counts from here"),
  last_called_at: Nullable(Timestamp("Start of the newest kept call; null: none")),
  resets_at: Nullable(Timestamp()),
  pinned: Type.Boolean(),
  clock_offset_seconds: Type.Number(),
  counts: Type.Object({ jobs: Count(), procurements: Count(), credentials: Count(), subscriptions: Count() }),
  bytes: Count("Size on disk without uploaded pictures"),
  unavailable: Nullable(
    Type.String({ description: "Why its calls return world_unavailable; the counts are then unknown" }),
  ),
  node: Type.Optional(
    Nullable(Uuid("On several nodes, in `worlds.list`: the node that holds it; null: none, until it is called")),
  ),
});
export type World = Static<typeof World>;

export const Organization = Type.Object({ id: Id, name: Type.String(), scope: Nullable(OneOf(sides)) });
export type Organization = Static<typeof Organization>;

export const Client = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  oauth_enabled: Type.Boolean(),
  client_secret: Type.Optional(Type.String({ description: "Only with reveal: true" })),
});
export type Client = Static<typeof Client>;

/**
 * `api_key` and `webhook_secret` are present only with `reveal: true`; `key_hint` shows the prefix and the last four
 * characters.
 */
export const Credential = Type.Object({
  integration_id: Id,
  organization_id: Id,
  organization_name: Type.String(),
  scope: OneOf(sides),
  client_id: Nullable(Type.String()),
  created_at: Timestamp(),
  preloaded: Type.Boolean(),
  key_hint: Type.String(),
  api_key: Type.Optional(Type.String()),
  webhook_secret: Type.Optional(Type.String()),
});
export type Credential = Static<typeof Credential>;

const StatusCounts = Type.Object({ order_requested: Count(), order_confirmed: Count(), cancelled: Count() });

/** A row of the jobs list: the contract's job without its pictures and references. */
export const JobRow = Type.Object({
  ...Type.Omit(Job, ["images", "vehicle", "repairer_site_id", "work_provider_id"]).properties,
  ...Vehicle.properties,
  organization_id: Id,
  site: Type.Object({
    id: Id,
    name: Type.String(),
    currency_code: Type.String({ description: "Of its baskets and orders" }),
  }),
  work_provider: Nullable(Type.Object({ id: Id, name: Type.String() })),
  parts: Count(),
  procurements: StatusCounts,
  created_at: Timestamp(),
  updated_at: Timestamp("Last change of the job, its parts or its orders"),
});
export type JobRow = Static<typeof JobRow>;

/** A row of the orders list. `total` is the sum of the known trade prices times quantities. */
export const ProcurementRow = Type.Object({
  id: Id,
  job_id: Id,
  job_number: Nullable(Type.String()),
  plate_number: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  status: OneOf(procurementStatuses),
  currency_code: Nullable(Type.String()),
  total: Nullable(Type.String()),
  items: Count(),
  buyer: Type.Object({ organization_id: Id, business_id: Id, name: Type.String() }),
  supplier: Type.Object({
    organization_id: Id,
    business_id: Id,
    name: Type.String(),
    has_credential: Type.Boolean({ description: "Whether this sandbox holds a key of that supplier" }),
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type ProcurementRow = Static<typeof ProcurementRow>;

/** The response to a failed attempt. */
const Failed = {
  delivery_id: Id,
  status: Nullable(Type.Integer({ description: "null: no response" })),
  error: Nullable(Type.String()),
};

/** Results of the newest ended deliveries to an address. */
export const RecentDeliveries = Type.Object(
  {
    ended: Count("How many deliveries these figures count: the newest 100 at most"),
    at_first_attempt: Count("Acknowledged at the first attempt"),
    given_up: Count("Failed: never acknowledged, their attempts used up"),
    most_attempts: Count("Most attempts of one acknowledged later; 0: none was"),
    least_attempts: Count("Fewest attempts of one acknowledged later; 0: none was"),
    acknowledged_p95_ms: Nullable(
      Type.Number({
        description:
          "95th percentile of the time from the first attempt to the acknowledgement; null: none was acknowledged",
      }),
    ),
    failures: Type.Array(Type.Object({ ...Failed, attempts_made: Count(), delivered: Type.Boolean() }), {
      description: "The newest 3 whose first attempt failed, with the response to it",
    }),
  },
  { description: "Results of its newest ended deliveries" },
);
export type RecentDeliveries = Static<typeof RecentDeliveries>;

export const Subscription = Type.Object({
  id: Id,
  integration_id: Id,
  /** Null when the integration belongs to another world. */
  scope: Nullable(OneOf(sides)),
  organization_name: Type.String(),
  receives: Type.Object({
    events: Type.Array(OneOf(eventTypes), { description: "Empty: nothing will be sent" }),
    sentence: Type.String({ description: "What will be sent, or why nothing is" }),
  }),
  url: Type.String(),
  created_at: Timestamp(),
  delivered: Count(),
  pending: Count(),
  failed: Count(),
  last_success_at: Nullable(Timestamp("Last acknowledged delivery")),
  failing_since: Nullable(Timestamp("First failure since the last acknowledged delivery; null: none")),
  last_failure: Nullable(
    Type.Object(Failed, { description: "The last failed attempt; null while the receiver acknowledges" }),
  ),
  consecutive_failures: Count("Failed attempts since the last acknowledged delivery"),
  recent: RecentDeliveries,
  next_attempt_at: Nullable(Timestamp("Next attempt; null: none is due")),
  paused_at: Nullable(Timestamp("Paused since; its deliveries wait")),
  paused_by: Nullable(
    OneOf(
      ["person", "failures", "import"],
      "`failures`: nothing was acknowledged for three days; `import`: imported with a document",
    ),
  ),
  listener: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        connected: Type.Boolean({ description: "false: its deliveries wait until it connects" }),
        event_types: Nullable(Type.Array(OneOf(eventTypes), { description: "null: every type" })),
      },
      {
        description:
          "The developer machine it is forwarded to by `sandbox listen`; absent: it is an address of the web",
      },
    ),
  ),
});
export type Subscription = Static<typeof Subscription>;

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Number of deliveries in each state. */
export const deliveryCounts = { pending: Count(), delivered: Count(), failed: Count() };

/** Result of one of the four verification steps, computed from an attempt's stored bytes. */
export const Verdict = Type.Object({
  step: OneOf(verificationSteps),
  verdict: OneOf(["passed", "failed", "skipped"]),
  detail: Type.String({ description: "The comparison in words, without the secret" }),
});
export type Verdict = Static<typeof Verdict>;

/** Lowercase header names with their values, in the order sent. */
export const HeaderList = Type.Array(Type.Tuple([Type.String(), Type.String()]));

/** The request to a receiver byte for byte, and the response. */
export const Exchanged = Type.Object({
  duration_ms: Type.Number(),
  request_headers: HeaderList,
  request_body_base64: Type.String(),
  response_status: Nullable(Type.Integer()),
  response_headers: HeaderList,
  response_body_base64: Type.String({ description: "The first 64 KiB at most" }),
  response_truncated: Type.Boolean(),
  error: Nullable(
    Type.String({
      description: "Why the attempt failed, where the status doesn’t say it",
    }),
  ),
  certificate: Type.Optional(
    Type.String({
      description:
        "Why the receiver’s certificate isn’t trusted, which was accepted as the receiver is local; absent: it is trusted, or there was none",
    }),
  ),
});
export type Exchanged = Static<typeof Exchanged>;

const AttemptExplanation = Type.Object(
  {
    sentence: Type.String(),
    whose: Type.String({ description: "On whose side the cause is, as a sentence" }),
    decision: Nullable(Type.String({ description: "The decision it rests on where the contract is silent" })),
    what_to_do: Type.String(),
  },
  { description: "Why the attempt was not acknowledged; null: it was" },
);
export type AttemptExplanation = Static<typeof AttemptExplanation>;

export const Attempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  started_at: Timestamp(),
  ...Exchanged.properties,
  waited_behind: Type.Optional(
    Type.Object(
      { attempts: Count(), unanswered: Count() },
      {
        description:
          "Attempts of other deliveries to this subscription that ended while it waited, of the 500 before it; absent: every one got a response",
      },
    ),
  ),
  verification: Type.Array(Verdict, { description: "At the time of sending" }),
  explanation: Nullable(AttemptExplanation),
});
export type Attempt = Static<typeof Attempt>;

/** Limit on the attempts that a trace lists. */
export const MAX_TRACE_ATTEMPTS = 500;

/** An attempt in a trace: time and result. */
export const TraceAttempt = Type.Object({
  delivery_id: Id,
  ...Type.Pick(Attempt, ["number", "started_at", "duration_ms", "response_status", "error"]).properties,
});
export type TraceAttempt = Static<typeof TraceAttempt>;

const deliverySummary = {
  id: Id,
  message_id: Id,
  event_id: Id,
  event_type: OneOf(eventTypes),
  integration_id: Id,
  side: OneOf(sides),
  subscription_id: Id,
  url: Type.String(),
  status: OneOf(deliveryStatuses),
  attempts_made: Count(),
  last_status: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
  next_attempt_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  ended_at: Nullable(Timestamp("When it was acknowledged or failed for good")),
  trace_id: Id,
  repeats_id: Nullable(Type.String({ description: "The delivery this one repeats" })),
  job_id: Id,
  procurement_id: Nullable(Id),
  label: Type.String({ description: "The order reference or job number" }),
  announces: OneOf([...announcedStatuses, ...changeActions]),
  test: Type.Optional(
    Type.Literal(true, {
      description: "A test event: no call caused it and its job doesn’t exist; absent: a real event",
    }),
  ),
};

export const DeliveryRow = Type.Object(deliverySummary);
export type DeliveryRow = Static<typeof DeliveryRow>;

export const Delivery = Type.Object({ ...deliverySummary, attempts: Type.Array(Attempt) });
export type Delivery = Static<typeof Delivery>;

export const EventRow = Type.Object({
  id: Id,
  event_type: OneOf(eventTypes),
  event_timestamp: Timestamp(),
  organization_id: Id,
  payload: Type.Record(Type.String(), Type.String()),
  trace_id: Id,
  label: Type.String(),
  deliveries: Count(),
});
export type EventRow = Static<typeof EventRow>;

/**
 * Reasons why a call reached no operation: unknown operation name, unknown address, wrong method, another host, invalid
 * world name, body too large, unreadable HTTP, or rate limit.
 */
const unroutedKinds = [
  "unknown_operation",
  "unknown_path",
  "method",
  "host",
  "tenant",
  "too_large",
  "unreadable",
  "rate_limited",
] as const;
export type UnroutedKind = (typeof unroutedKinds)[number];

/** Origins that callers prove with the control token. */
export const provenOrigins = ["explorer", "scenario", "assistant"] as const;
export type ProvenOrigin = (typeof provenOrigins)[number];

/** Origins stored in a call's record: a proven one, or a counterpart whose calls the service sends itself (D92). */
const recordedOrigins = [...provenOrigins, "counterpart"] as const;

/** Origin of a call. A call without proof counts as a partner's. */
export const requestOrigins = ["partner", ...recordedOrigins, "replay"] as const;
export type RequestOrigin = (typeof requestOrigins)[number];

/** A test value of a claim number in a call's record (D93). */
const TestValueNote = Type.Object({
  value: Type.String({ description: "As it was sent, without `test:`" }),
  known: Type.Boolean({ description: "false: it has no effect, and the sentence says why" }),
  sentence: Type.String(),
});

/**
 * Columns of the table `requests` that lists return; null stands for an absent field. Writing, reading, listing, export
 * and checks all use these.
 */
const requestColumns = {
  id: Id,
  at: Timestamp(),
  method: Type.String({ description: "Empty: the request line was unreadable" }),
  path: Type.String({ description: "Empty: the request line was unreadable" }),
  operation: Nullable(Type.String()),
  integration_id: Nullable(Id),
  side: Nullable(OneOf(sides)),
  status: Type.Integer({ description: "0: the connection was closed without a response" }),
  error_code: Nullable(Type.String()),
  duration_ms: Type.Number(),
  outcome: Type.String({ description: "What changed, in a few words; for a refusal its message" }),
  events: Count(),
  job_id: Nullable(Id),
  procurement_id: Nullable(Type.String({ description: "null also if the call placed several orders" })),
  label: Nullable(Type.String({ description: "The order reference or job number it is about" })),
  faults: Type.Optional(Type.Array(FaultMark, { description: "Faults that changed the response; absent: none" })),
  replays_id: Type.Optional(Type.String({ description: "The call this one replays; absent: none" })),
  unrouted: Type.Optional(
    OneOf(unroutedKinds, "Why it reached no operation; absent: it did. Its body was only read for `unreadable`"),
  ),
  origin: Type.Optional(
    OneOf(
      recordedOrigins,
      "Who sent it, proven by the control token, or the service for a counterpart; absent: unproven",
    ),
  ),
  counterpart: Type.Optional(
    Type.String({ description: "The organization that a counterpart acted for; absent: none did" }),
  ),
  pinned: Type.Optional(Type.Literal(true, { description: "Pinned: excluded from retention; absent: not pinned" })),
  note: Type.Optional(Type.String({ description: "A person’s note; absent: none" })),
  test_values: Type.Optional(
    Type.Array(TestValueNote, { description: "Test values of its job that it met, or that it sent; absent: none" }),
  ),
};

/** A call in lists; `requests.get` adds bodies and headers. */
export const RequestRow = Type.Object({
  ...requestColumns,
  trace_id: Id,
  request_bytes: Count(),
  response_bytes: Count(),
  reason: Type.Optional(
    Type.String({ description: "Why it was refused; absent: it wasn’t, or `outcome` has the reason" }),
  ),
});
export type RequestRow = Static<typeof RequestRow>;

/** Columns of a call that lists leave out. Credentials in headers and bodies are masked. */
const wireColumns = {
  request_headers: HeaderList,
  response_headers: HeaderList,
  body_masked: Type.Boolean({
    description: "True: the request body was masked because it held, or may have held, a secret",
  }),
};

/** A row of the table `requests` without its bodies, which are bytes. */
export const RecordedRequest = Type.Object({
  ...requestColumns,
  ...wireColumns,
  refused_for: Type.Optional(
    Type.Unsafe<RefusalReason>(Type.Object({ cause: Type.String(), pointers: Type.Array(Type.String()) })),
  ),
});
export type RecordedRequest = Static<typeof RecordedRequest>;

export const RequestDetail = Type.Object({
  ...RequestRow.properties,
  ...wireColumns,
  request_body: Type.String({ description: "For `unreadable` all received bytes, headers included" }),
  request_body_base64: Type.String({ description: "The exact bytes" }),
  response_body: Type.String(),
  response_body_base64: Type.String(),
});
export type RequestDetail = Static<typeof RequestDetail>;

/** One mutation's effect on one record: links a call to its events in a trace. */
export const StateChange = Type.Object({
  entity: OneOf(["job", "parts", "procurement", "credential", "subscription"]),
  id: Id,
  label: Type.String(),
  change: OneOf(["inserted", "updated", "deleted"]),
  job_id: Nullable(Id),
  before: Type.Unknown({ description: "For `parts` only the changed ones" }),
  after: Type.Unknown({ description: "For `parts` only the changed ones, then the new ones" }),
});
export type StateChange = Static<typeof StateChange>;

/** A vehicle identifier that is queued for later use. */
export const QueuedIdentifier = Type.Object({
  organization_id: Id,
  identifier: Type.Record(Type.String(), Nullable(Type.String())),
  queued_at: Timestamp(),
});

/** A prepared upload; `content_type` and `size` (bytes) are set after the upload. */
export const UploadRow = Type.Object({
  id: Id,
  organization_id: Id,
  file_name: Type.String(),
  type: Type.String(),
  prepared_at: Timestamp(),
  expires_at: Timestamp(),
  uploaded_at: Nullable(Timestamp()),
  content_type: Nullable(Type.String()),
  size: Nullable(Count()),
  public_url: Type.String(),
});
