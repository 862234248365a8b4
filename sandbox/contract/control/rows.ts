import type { Static } from "typebox";
import * as Type from "typebox";
import { eventTypes } from "../event-types.ts";
import { announcedStatuses, changeActions } from "../events.ts";
import { Job, Vehicle } from "../resources/job.ts";
import { Nullable, OneOf, Timestamp } from "../schema.ts";
import { verificationSteps } from "../signature.ts";
import { procurementStatuses } from "../values.ts";
import { FaultMark } from "./fault-rows.ts";

const Id = Type.String();
const Count = Type.Integer({ minimum: 0 });

export const sides = ["repairer", "supplier"] as const;
/** Which side of a procurement a credential stands on: the repairer buys, the supplier sells. */
export type Side = (typeof sides)[number];
/** What a person calls a side. */
export const sideWords = { repairer: "buyer", supplier: "supplier" } as const satisfies Record<Side, string>;

/** A world as the control plane lists it. `resets_at` is null for `default`, pinned and closed worlds. */
export const World = Type.Object({
  name: Type.String(),
  created_at: Timestamp(),
  last_active_at: Timestamp(
    "When it was last called, or read by way of the control plane: its idle reset counts from here",
  ),
  last_called_at: Nullable(Timestamp("When the newest call that is kept began; null: none is kept")),
  resets_at: Nullable(Timestamp()),
  pinned: Type.Boolean(),
  clock_offset_seconds: Type.Number(),
  counts: Type.Object({ jobs: Count, procurements: Count, credentials: Count, subscriptions: Count }),
  bytes: Type.Integer({ minimum: 0, description: "What its file takes on disk, uploaded pictures aside" }),
  unavailable: Nullable(
    Type.String({ description: "Why its calls are answered with world_unavailable; the counts are unknown then" }),
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

/** `api_key` and `webhook_secret` are there only with `reveal: true`; `key_hint` shows prefix and last four. */
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

const StatusCounts = Type.Object({ order_requested: Count, order_confirmed: Count, cancelled: Count });

const {
  images: _images,
  vehicle: _vehicle,
  repairer_site_id: _site,
  work_provider_id: _provider,
  ...known
} = Job.properties;

/** One row of the jobs list: what the job is known by, without its pictures; the job itself comes from the contract. */
export const JobRow = Type.Object({
  ...known,
  ...Vehicle.properties,
  organization_id: Id,
  site: Type.Object({ id: Id, name: Type.String() }),
  work_provider: Nullable(Type.Object({ id: Id, name: Type.String() })),
  parts: Count,
  procurements: StatusCounts,
  created_at: Timestamp(),
  updated_at: Timestamp("When the job, its parts or one of its orders last changed"),
});
export type JobRow = Static<typeof JobRow>;

/** One row of the procurements list. `total` is the sum of the known trade prices times quantities. */
export const ProcurementRow = Type.Object({
  id: Id,
  job_id: Id,
  job_number: Nullable(Type.String()),
  plate_number: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  status: OneOf(procurementStatuses),
  currency_code: Nullable(Type.String()),
  total: Nullable(Type.String()),
  items: Count,
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

export const Subscription = Type.Object({
  id: Id,
  integration_id: Id,
  /** Null when the integration is none of this world's. */
  scope: Nullable(OneOf(sides)),
  organization_name: Type.String(),
  url: Type.String(),
  created_at: Timestamp(),
  delivered: Count,
  pending: Count,
  failed: Count,
  last_success_at: Nullable(Timestamp("When it last acknowledged")),
  failing_since: Nullable(Timestamp("Its first failure without a success since; null while it acknowledges")),
  last_failure: Nullable(
    Type.Object(
      {
        delivery_id: Id,
        status: Nullable(Type.Integer({ description: "Null when there was no answer" })),
        error: Nullable(Type.String()),
      },
      { description: "The last attempt that failed and what it came to; null while it acknowledges" },
    ),
  ),
  consecutive_failures: Type.Integer({ minimum: 0, description: "Attempts that failed since it last acknowledged" }),
  next_attempt_at: Nullable(Timestamp("When something is sent next; null when nothing waits or nothing may be sent")),
  paused_at: Nullable(Timestamp("Since when nothing is sent to it; what it would be notified of waits")),
  paused_by: Nullable(
    OneOf(
      ["person", "failures", "import"],
      "`failures`: it acknowledged nothing for three days although it was sent to; `import`: it came with a document",
    ),
  ),
});
export type Subscription = Static<typeof Subscription>;

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How many deliveries stand how. */
export const deliveryCounts = { pending: Count, delivered: Count, failed: Count };

/** One verdict of the four-step verification, computed over the stored bytes of an attempt. */
export const Verdict = Type.Object({
  step: OneOf(verificationSteps),
  verdict: OneOf(["passed", "failed", "skipped"]),
  detail: Type.String({ description: "What was compared, in words; never the secret" }),
});
export type Verdict = Static<typeof Verdict>;

/** Header names, lowercase, with their values, in the order they were sent. */
export const HeaderList = Type.Array(Type.Tuple([Type.String(), Type.String()]));

/** What was sent to a receiver, byte for byte, and what came back. */
export const Exchanged = Type.Object({
  duration_ms: Type.Number(),
  request_headers: HeaderList,
  request_body_base64: Type.String(),
  response_status: Nullable(Type.Integer()),
  response_headers: HeaderList,
  response_body_base64: Type.String({ description: "At most the first 64 KiB" }),
  response_truncated: Type.Boolean(),
  error: Nullable(
    Type.String({
      description: "Why there was no answer, or none that counts, in words where the status does not say it",
    }),
  ),
});
export type Exchanged = Static<typeof Exchanged>;

/** One attempt of a delivery. */
export const Attempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  started_at: Timestamp(),
  ...Exchanged.properties,
  verification: Type.Array(Verdict, { description: "Judged at the moment it was sent" }),
});
export type Attempt = Static<typeof Attempt>;

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
  attempts_made: Count,
  last_status: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
  next_attempt_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  ended_at: Nullable(Timestamp("When it was acknowledged or given up")),
  trace_id: Id,
  repeats_id: Nullable(Type.String({ description: "The delivery this one sends again" })),
  job_id: Id,
  procurement_id: Nullable(Id),
  label: Type.String({ description: "The reference or job number a person knows it by" }),
  announces: OneOf([...announcedStatuses, ...changeActions]),
  test: Type.Optional(
    Type.Literal(true, {
      description: "A test event: no call made it, and what it names does not exist; absent: none",
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
  deliveries: Count,
});
export type EventRow = Static<typeof EventRow>;

/**
 * Why a call reached no operation: of an operation's address there is no such name, there is nothing at its address, its
 * address takes another method, it names another host, its world has no valid name, its body is too large, or it is no
 * HTTP that can be read.
 */
export const unroutedKinds = [
  "unknown_operation",
  "unknown_path",
  "method",
  "host",
  "tenant",
  "too_large",
  "unreadable",
] as const;
export type UnroutedKind = (typeof unroutedKinds)[number];

/** Who proves with the control token that a call is theirs. */
export const provenOrigins = ["explorer", "scenario", "assistant"] as const;
export type ProvenOrigin = (typeof provenOrigins)[number];

/** Who sent a call, as far as the service can know it: a partner where nobody proves otherwise. */
export const requestOrigins = ["partner", ...provenOrigins, "replay"] as const;
export type RequestOrigin = (typeof requestOrigins)[number];

/** One exchange with a caller; bodies and headers come with `requests.get`. */
const requestSummary = {
  id: Id,
  trace_id: Id,
  at: Timestamp(),
  method: Type.String({ description: "Empty where no request line could be read" }),
  path: Type.String({ description: "Empty where no request line could be read" }),
  operation: Nullable(Type.String()),
  integration_id: Nullable(Id),
  side: Nullable(OneOf(sides)),
  status: Type.Integer({ description: "0: the connection was closed without an answer" }),
  error_code: Nullable(Type.String()),
  duration_ms: Type.Number(),
  request_bytes: Count,
  response_bytes: Count,
  outcome: Type.String({ description: "What changed, in a few words; of a refusal its message" }),
  reason: Type.Optional(
    Type.String({ description: "Why it was refused, by what it was about; absent: it was not, or `outcome` says it" }),
  ),
  events: Count,
  job_id: Nullable(Id),
  procurement_id: Nullable(Type.String({ description: "Null also where it placed several" })),
  label: Nullable(Type.String({ description: "The reference or job number a person knows what it was about by" })),
  faults: Type.Optional(
    Type.Array(FaultMark, { description: "Which faults made the answer what it is; absent: none" }),
  ),
  replays_id: Type.Optional(Type.String({ description: "The exchange this one sent again; absent: none" })),
  unrouted: Type.Optional(
    OneOf(unroutedKinds, "Why it reached no operation; absent: it did. Its body was not read, except of `unreadable`"),
  ),
  origin: Type.Optional(
    OneOf(provenOrigins, "Who sent it, as it proved with the control token; absent: nobody who did"),
  ),
  pinned: Type.Optional(Type.Literal(true, { description: "It stays whatever retention says; absent: it does not" })),
  note: Type.Optional(Type.String({ description: "What a person has to say of it; absent: nothing" })),
};

export const RequestRow = Type.Object(requestSummary);
export type RequestRow = Static<typeof RequestRow>;

/** Credentials in headers and bodies are masked. */
export const RequestDetail = Type.Object({
  ...requestSummary,
  request_headers: HeaderList,
  request_body: Type.String({ description: "Of an `unreadable` one all bytes that arrived, its head among them" }),
  request_body_base64: Type.String({ description: "The exact bytes, which need not be text" }),
  response_headers: HeaderList,
  response_body: Type.String(),
  response_body_base64: Type.String(),
  body_masked: Type.Boolean({ description: "The request's body is not as it was sent: it held a secret, or may have" }),
});
export type RequestDetail = Static<typeof RequestDetail>;

/** What one mutation did to one thing: the trace's link between a request and its events. */
export const StateChange = Type.Object({
  entity: OneOf(["job", "parts", "procurement", "credential", "subscription"]),
  id: Id,
  label: Type.String(),
  change: OneOf(["inserted", "updated", "deleted"]),
  job_id: Nullable(Id),
  before: Type.Unknown({ description: "Of `parts` only those that changed" }),
  after: Type.Unknown({ description: "Of `parts` only those that changed, and behind them those that are new" }),
});
export type StateChange = Static<typeof StateChange>;

/** A vehicle identifier that waits for later use. */
export const QueuedIdentifier = Type.Object({
  organization_id: Id,
  identifier: Type.Record(Type.String(), Nullable(Type.String())),
  queued_at: Timestamp(),
});
export type QueuedIdentifier = Static<typeof QueuedIdentifier>;

/** A prepared upload; `content_type` and `size` (bytes) are known once it was uploaded. */
export const UploadRow = Type.Object({
  id: Id,
  organization_id: Id,
  file_name: Type.String(),
  type: Type.String(),
  prepared_at: Timestamp(),
  expires_at: Timestamp(),
  uploaded_at: Nullable(Timestamp()),
  content_type: Nullable(Type.String()),
  size: Nullable(Count),
  public_url: Type.String(),
});
export type UploadRow = Static<typeof UploadRow>;
