import type { Static } from "typebox";
import * as Type from "typebox";
import { Business } from "../resources/business.ts";
import { SupplierProcurement } from "../resources/procurement.ts";
import { Count, Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { jobStates, procurementStatuses } from "../values.ts";
import {
  paged,
  pagedByIdFields,
  read,
  reveal,
  scenarioUsable,
  withUnprocessable,
  worldScoped,
  writeOne,
} from "./declaring.ts";
import { FaultFiring } from "./fault-operations.ts";
import { DrillRow } from "./receiver-operations.ts";
import {
  Client,
  Credential,
  Delivery,
  DeliveryRow,
  deliveryCounts,
  deliveryStatuses,
  EventRow,
  JobRow,
  MAX_TRACE_ATTEMPTS,
  Organization,
  ProcurementRow,
  QueuedIdentifier,
  RequestDetail,
  RequestRow,
  requestOrigins,
  StateChange,
  Subscription,
  sides,
  TraceAttempt,
  UploadRow,
} from "./rows.ts";
import { attemptCauses } from "./words.ts";

export const organizationsList = scenarioUsable.read(
  "organizations.list",
  "The organizations of a world.",
  {},
  Items(Organization),
);
/** The contract's business with the organization it belongs to. */
export const DirectoryBusiness = Type.Object({ ...Business.properties, organization_id: Uuid() });
export type DirectoryBusiness = Static<typeof DirectoryBusiness>;

export const directoryList = scenarioUsable.read(
  "directory.list",
  "The businesses of every organization of a world: repairers, sites, suppliers, insurers.",
  {},
  Items(DirectoryBusiness),
);
export const clientsList = read("clients.list", "The pre-registered clients.", reveal, Items(Client), {
  access: { needs: "view", fields: { reveal: "act" } },
});
export const credentialsList = read(
  "credentials.list",
  "Credentials, pre-loaded and installed, newest first.",
  reveal,
  Items(Credential),
  { access: { needs: "view", fields: { reveal: "act" } } },
);
export const accessCodesIssue = scenarioUsable.writeOne(
  "access-codes.issue",
  "Issues an access code, as the consent page does.",
  {
    client_id: Text("A client from clients.list"),
    organization_id: Uuid("An organization from organizations.list"),
    scope: OneOf(sides, "That organization’s side"),
  },
  Type.Object({ access_code: Type.String(), expires_at: Timestamp() }),
);
const Search = (where: string, id: string) =>
  Type.Optional(Text(`Text anywhere in ${where}, ignoring case; or the first eight or more characters of ${id} ID`));

export const jobsList = scenarioUsable.read(
  "jobs.list",
  "Jobs, last changed first. The search covers plate, number, claim, external ID, chassis number and the job’s ID.",
  {
    search: Search("plate, job number, claim number, external ID or chassis number", "a job’s"),
    organization_id: Type.Optional(Uuid("The repairer’s organization")),
    site_id: Type.Optional(Uuid()),
    work_provider_id: Type.Optional(Uuid("The insurer’s organization")),
    state: Type.Optional(
      OneOf(
        jobStates,
        "`estimated`: has parts and no active order; `order_requested`: an order waits for its supplier; `order_confirmed`: all active orders are confirmed",
      ),
    ),
    from: Type.Optional(Timestamp("Only jobs inserted at or after this time of the world’s clock")),
    to: Type.Optional(Timestamp("Only jobs inserted before this time of the world’s clock")),
    sort: Type.Optional(OneOf(["updated", "created", "job_number"], "Default: updated")),
    direction: Type.Optional(OneOf(["asc", "desc"], "Default: desc. In asc, jobs without a number come first")),
    ...pagedByIdFields,
  },
  Page(JobRow),
);
export const procurementsList = scenarioUsable.read(
  "procurements.list",
  "Orders (procurements), newest first. The search covers reference, plate, job number, supplier and the order’s ID.",
  {
    search: Search("reference, plate, job number or supplier’s name", "an order’s"),
    site_id: Type.Optional(Uuid("The buyer’s site")),
    status: Type.Optional(OneOf(procurementStatuses)),
    supplier_business_id: Type.Optional(Uuid()),
    job_id: Type.Optional(Uuid()),
    ...pagedByIdFields,
  },
  Page(ProcurementRow),
);
export const procurementsPreview = worldScoped.readOne(
  "procurements.preview",
  "Previews a confirmation: the order as its supplier would read it afterwards.",
  { id: Uuid() },
  Type.Object({
    before: SupplierProcurement,
    after: Type.Union([SupplierProcurement, Type.Null()], { description: "null: it would not change" }),
  }),
);
export const subscriptionsList = scenarioUsable.read(
  "subscriptions.list",
  "Webhook subscriptions, each with its delivery counts and its receiver’s health.",
  {},
  Items(Subscription),
);
export const subscriptionsDelete = scenarioUsable.writeOne(
  "subscriptions.delete",
  "Ends a subscription. Pending deliveries that were attempted become failed; the others are deleted.",
  { id: Uuid() },
  Type.Object({ ok: Type.Boolean() }),
);
export const eventsList = scenarioUsable.read("events.list", "Events, newest first.", pagedByIdFields, Page(EventRow));
export const deliveriesList = scenarioUsable.read(
  "deliveries.list",
  "Deliveries, newest first.",
  {
    status: Type.Optional(OneOf(deliveryStatuses, "Only deliveries in this status")),
    integration_id: Type.Optional(Uuid("Only deliveries to this integration")),
    subscription_id: Type.Optional(Uuid()),
    message_id: Type.Optional(Uuid("The notification’s message_id, which repeats share")),
    job_id: Type.Optional(Uuid("Only deliveries about this job")),
    attempt_cause: Type.Optional(
      OneOf(
        attemptCauses,
        "Only deliveries with an attempt that failed so, as activity.list counts them: of the newest 20,000 attempts, at most 1,000 deliveries",
      ),
    ),
    attempt_status: Type.Optional(
      Type.Integer({ description: "With `attempt_cause`: only attempts with this response status" }),
    ),
    attempts_from: Type.Optional(Timestamp("With `attempt_cause`: only attempts from this time on")),
    ...pagedByIdFields,
  },
  Page(DeliveryRow),
);
export const deliveriesGet = scenarioUsable.readOne(
  "deliveries.get",
  "A delivery with every attempt, byte for byte.",
  { id: Uuid("The delivery") },
  Delivery,
);
export const deliveriesRedeliver = scenarioUsable.writeOne(
  "deliveries.redeliver",
  "Sends a notification again, with the same message_id and a new timestamp.",
  { id: Uuid() },
  DeliveryRow,
);
const only = (what: string) => Type.Optional(Type.Boolean({ description: `true: only ${what}` }));

export const requestsList = scenarioUsable.read(
  "requests.list",
  "Calls that reached the service, newest first.",
  {
    search: Type.Optional(
      Text(
        "Text anywhere in path, outcome, label or error code, ignoring case (of calls that only read: the newest 1,000); in the plate, numbers, external ID or chassis number of the call’s job, if at most 50 jobs match; in headers and the first 16 KiB of bodies of the newest 1,000 calls; or the first eight or more characters of the call’s ID",
      ),
    ),
    job_id: Type.Optional(Uuid("Only calls about this job")),
    procurement_id: Type.Optional(Uuid("Only calls about this order")),
    writes: only("calls of operations that change something, refused ones included"),
    changes: only("successful calls of operations that change something"),
    refused: only("calls with status 400 or higher"),
    operation: Type.Optional(Text("Only calls of this operation")),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599, description: "Only calls with this status" })),
    status_class: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: "Only calls of this status class: 4 for 400 to 499" }),
    ),
    error_code: Type.Optional(Text("Only calls refused with this error code")),
    cause: Type.Optional(
      Text("Only calls refused for this cause, by its name in activity.list: `fault` for those a fault caused"),
    ),
    integration_id: Type.Optional(Uuid("Only calls with this integration’s credential")),
    side: Type.Optional(OneOf(sides, "Only calls with a key of this side")),
    anonymous: only("calls without valid credentials"),
    user_agent: Type.Optional(Text("Only calls whose User-Agent header starts with this text")),
    faulted: only("calls that met a fault"),
    unrouted: only("calls that reached no operation"),
    pinned: only("pinned calls"),
    origin: Type.Optional(
      OneOf(
        requestOrigins,
        "Who sent it. `explorer`, `scenario` and `assistant` are proven by the control token, `replay` was replayed by the service, `partner` is everyone else",
      ),
    ),
    from: Type.Optional(Timestamp("Only calls that started at or after this time")),
    to: Type.Optional(Timestamp("Only calls that started before this time")),
    direction: Type.Optional(OneOf(["asc", "desc"], "Default: desc, newest first")),
    ...pagedByIdFields,
  },
  Page(RequestRow),
);
export const requestsGet = scenarioUsable.readOne(
  "requests.get",
  "A call with headers and bodies; credentials are masked.",
  { id: Uuid("The call’s ID (its x-request-id)") },
  RequestDetail,
);
export const requestsReplay = writeOne(
  "requests.replay",
  "Replays a recorded call byte for byte, with the integration’s own key, and reports the first difference in the response. Each field replaces one part of the call; absent fields keep what was recorded.",
  {
    id: Uuid("The call to replay"),
    to: Type.Optional(Type.String({ description: "The world to replay it in (default: the world of the call)" })),
    integration_id: Type.Optional(Nullable(Uuid("The integration whose key is used; null: no credentials"))),
    method: Type.Optional(Type.String({ pattern: "^[A-Z]{1,16}$" })),
    path: Type.Optional(
      Type.String({
        pattern: "^/[!-~]*$",
        maxLength: 8192,
        description: "The path with its query; none of the control plane",
      }),
    ),
    headers: Type.Optional(
      Type.Array(Type.Tuple([Type.String(), Type.String()]), {
        maxItems: 100,
        description:
          "Replaces all recorded headers. The service sets the headers of the connection, the world and the credentials, and leaves out those of a proxy",
      }),
    ),
    body: Type.Optional(Type.String({ maxLength: 1_048_576, description: "The body as text" })),
  },
  Type.Object({
    id: Type.String({ description: "The new call" }),
    world: Type.String(),
    status: Type.Integer({ description: "0: the connection was closed without a response" }),
    error_code: Nullable(Type.String()),
    differs_at: Nullable(
      Type.String({
        description:
          "The first difference from the recorded response: `status` or a JSON Pointer into the body; null: none",
      }),
    ),
  }),
  { ...withUnprocessable, access: { needs: "act", worlds: ["world", "to"] } },
);
export const tracesGet = scenarioUsable.readOne(
  "traces.get",
  "The trace of a call, found by any ID in it: the call, faults, state changes, events, deliveries and drills.",
  { id: Uuid("ID of the call, an event, a notification (message_id), a delivery or a drill") },
  Type.Object({
    id: Type.String(),
    request: Nullable(RequestRow),
    changes: Type.Array(StateChange),
    events: Type.Array(EventRow),
    deliveries: Type.Array(DeliveryRow, { description: "Current state, repeats included" }),
    attempts: Type.Array(TraceAttempt, {
      description: `Of those deliveries, in the order they began; the first ${MAX_TRACE_ATTEMPTS}`,
    }),
    drills: Type.Array(DrillRow),
    faults: Type.Array(FaultFiring, { description: "The faults the call met, in order" }),
  }),
);
export const tracesList = worldScoped.read(
  "traces.list",
  "Delivery progress of the newest traces with events, without repeats.",
  {
    events: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "Number of newest events to include" }),
    ),
  },
  Items(
    Type.Object({
      id: Type.String(),
      ...deliveryCounts,
      failed_attempts: Count("Failed attempts of pending deliveries"),
      to_nobody: Count("Events without a subscription"),
    }),
  ),
);
export const tier1List = scenarioUsable.read(
  "tier1.list",
  "Queued vehicle identifiers, newest first.",
  paged,
  Page(QueuedIdentifier),
);
export const uploadsList = scenarioUsable.read(
  "uploads.list",
  "Prepared uploads and their state, newest first.",
  pagedByIdFields,
  Page(UploadRow),
);
