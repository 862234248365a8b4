import type { Static } from "typebox";
import * as Type from "typebox";
import { Business } from "../resources/business.ts";
import { SupplierProcurement } from "../resources/procurement.ts";
import { Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { jobStates, procurementStatuses } from "../values.ts";
import { operationsCheck } from "./check-operations.ts";
import { compareOperations } from "./compare-operations.ts";
import { inScenario, listed, orUnprocessable, paged, read, readOne, reveal, writeOne } from "./declaring.ts";
import { requestsExplain } from "./explain-operations.ts";
import { faultOperations } from "./fault-operations.ts";
import { FaultFiring } from "./fault-rows.ts";
import { operationsProvoke } from "./provoke-operations.ts";
import { integrationsReadiness } from "./readiness-operations.ts";
import { receiverOperations } from "./receiver-operations.ts";
import { DrillRow } from "./receiver-rows.ts";
import { requestOperations } from "./request-operations.ts";
import { retentionOperations } from "./retention-operations.ts";
import {
  Client,
  Credential,
  Delivery,
  DeliveryRow,
  deliveryCounts,
  deliveryStatuses,
  EventRow,
  JobRow,
  Organization,
  ProcurementRow,
  QueuedIdentifier,
  RequestDetail,
  RequestRow,
  requestOrigins,
  StateChange,
  Subscription,
  sides,
  UploadRow,
} from "./rows.ts";
import { scenarioOperations } from "./scenario-operations.ts";
import { searchEverywhere } from "./search-operations.ts";
import { serviceOperations } from "./service-operations.ts";
import { snapshotOperations } from "./snapshot-operations.ts";
import { subscriptionOperations } from "./subscription-operations.ts";
import { workOperations } from "./work-operations.ts";
import { worldOperations } from "./world-operations.ts";

export const organizationsList = read(
  "organizations.list",
  "The organizations of a world.",
  {},
  Items(Organization),
  inScenario,
);
/** A business as the control plane lists it: the contract's, with the organization it belongs to. */
export const DirectoryBusiness = Type.Object({ ...Business.properties, organization_id: Uuid() });
export type DirectoryBusiness = Static<typeof DirectoryBusiness>;

export const directoryList = read(
  "directory.list",
  "The businesses of every organization of a world: repairers, sites, suppliers, insurers.",
  {},
  Items(DirectoryBusiness),
  inScenario,
);
export const clientsList = read("clients.list", "The pre-registered clients.", reveal, Items(Client));
export const credentialsList = read(
  "credentials.list",
  "Pre-loaded and installed credentials, newest first.",
  reveal,
  Items(Credential),
);
export const accessCodesIssue = writeOne(
  "access-codes.issue",
  "Issues an access code as the consent page does.",
  {
    client_id: Text("Of clients.list"),
    organization_id: Uuid("Of organizations.list"),
    scope: OneOf(sides, "The side of that organization"),
  },
  Type.Object({ access_code: Type.String(), expires_at: Timestamp() }),
  inScenario,
);
const Search = (where: string, id: string) =>
  Type.Optional(
    Text(`Text found anywhere in ${where}, in either case; also what ${id} id begins with, from eight characters on`),
  );

export const jobsList = read(
  "jobs.list",
  "Jobs, last changed first; search covers plate, number, claim, external id, chassis and the job's id.",
  {
    search: Search("plate, job number, claim number, external id or chassis number", "a job's"),
    site_id: Type.Optional(Uuid()),
    work_provider_id: Type.Optional(Uuid("The insurer's organization")),
    state: Type.Optional(
      OneOf(
        jobStates,
        "`estimated`: has parts and no live order; `order_requested`: an order waits for its supplier; `order_confirmed`: every live order is confirmed",
      ),
    ),
    sort: Type.Optional(OneOf(["updated", "created", "job_number"], "Default: updated")),
    direction: Type.Optional(
      OneOf(["asc", "desc"], "Default: desc. Jobs without a number come before all others in asc"),
    ),
    ...listed,
  },
  Page(JobRow),
  inScenario,
);
export const procurementsList = read(
  "procurements.list",
  "Procurements, newest first; search covers reference, plate, job number, supplier and the procurement's id.",
  {
    search: Search("reference, plate, job number or supplier's name", "a procurement's"),
    site_id: Type.Optional(Uuid("The site that buys")),
    status: Type.Optional(OneOf(procurementStatuses)),
    supplier_business_id: Type.Optional(Uuid()),
    job_id: Type.Optional(Uuid()),
    ...listed,
  },
  Page(ProcurementRow),
  inScenario,
);
export const procurementsPreview = readOne(
  "procurements.preview",
  "What confirming a procurement now would make of it, as its supplier would read it.",
  { id: Uuid() },
  Type.Object({
    before: SupplierProcurement,
    after: Type.Union([SupplierProcurement, Type.Null()], { description: "null: it would stay as it is" }),
  }),
);
export const subscriptionsList = read(
  "subscriptions.list",
  "Webhook subscriptions with how many deliveries each has and how its address fares.",
  {},
  Items(Subscription),
  inScenario,
);
export const subscriptionsDelete = writeOne(
  "subscriptions.delete",
  "Ends a subscription; what was pending after an attempt is failed then, the rest goes with it.",
  { id: Uuid() },
  Type.Object({ ok: Type.Boolean() }),
  inScenario,
);
export const eventsList = read("events.list", "Events, newest first.", listed, Page(EventRow), inScenario);
export const deliveriesList = read(
  "deliveries.list",
  "Deliveries, newest first.",
  {
    status: Type.Optional(OneOf(deliveryStatuses, "Only deliveries in this status")),
    integration_id: Type.Optional(Uuid("Only notifications to this integration")),
    subscription_id: Type.Optional(Uuid()),
    message_id: Type.Optional(Uuid("Of the notification, which its repeats share")),
    job_id: Type.Optional(Uuid("Of the job they tell of")),
    ...listed,
  },
  Page(DeliveryRow),
  inScenario,
);
export const deliveriesGet = readOne(
  "deliveries.get",
  "A delivery with every attempt, byte for byte.",
  { id: Uuid("The delivery") },
  Delivery,
  inScenario,
);
export const deliveriesRedeliver = writeOne(
  "deliveries.redeliver",
  "Sends a notification again, with the same message_id and a fresh stamp.",
  { id: Uuid() },
  DeliveryRow,
  inScenario,
);
const only = (what: string) => Type.Optional(Type.Boolean({ description: `true: only ${what}` }));

export const requestsList = read(
  "requests.list",
  "Exchanges that reached the service, newest first.",
  {
    search: Type.Optional(
      Text(
        "Text found anywhere in path, outcome, label or error code, in either case, or in what its job is known by (plate, numbers, external id, chassis), where at most 50 jobs have it; of the newest 1,000 exchanges also in headers and the first 16 KiB of bodies. Also what an exchange's id begins with, from eight characters on",
      ),
    ),
    job_id: Type.Optional(Uuid("Only calls about this job")),
    procurement_id: Type.Optional(Uuid("Only calls about this order")),
    writes: only("calls of operations that do more than read, refused ones too"),
    changes: only("calls answered 200 of operations that do more than read"),
    refused: only("calls that were refused or failed, answered 400 or higher"),
    operation: Type.Optional(Text("Only calls of this operation")),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599, description: "Only calls answered so" })),
    status_class: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: "Only calls whose status begins so: 4 for 400 to 499" }),
    ),
    error_code: Type.Optional(Text("Only calls refused with this code")),
    integration_id: Type.Optional(Uuid("Only calls with this integration's credential")),
    side: Type.Optional(OneOf(sides, "Only calls with a credential of this side")),
    anonymous: only("calls without a credential that the world knows: none, or a wrong one"),
    faulted: only("calls that met a fault"),
    unrouted: only("calls that reached no operation"),
    pinned: only("pinned calls"),
    origin: Type.Optional(
      OneOf(
        requestOrigins,
        "Who sent it: `explorer`, `scenario` and `assistant` proved it with the control token, `replay` was sent again by the service; `partner` is everybody else",
      ),
    ),
    from: Type.Optional(Timestamp("Only calls that began then or later")),
    to: Type.Optional(Timestamp("Only calls that began before")),
    direction: Type.Optional(OneOf(["asc", "desc"], "Default: desc, the newest first")),
    ...listed,
  },
  Page(RequestRow),
  inScenario,
);
export const requestsGet = readOne(
  "requests.get",
  "One exchange with headers and bodies, credentials masked.",
  { id: Uuid("The call, by its x-request-id") },
  RequestDetail,
  inScenario,
);
export const requestsReplay = writeOne(
  "requests.replay",
  "Sends the kept bytes of an exchange again, with the integration's own key or otherwise as it is told, and says where the answer differs first. What is left out is as it was kept.",
  {
    id: Uuid("The call to send again"),
    to: Type.Optional(Type.String({ description: "The world to send it to; left out: the one it was kept in" })),
    integration_id: Type.Optional(
      Nullable(Uuid("The integration of that world whose key it is sent with; null: it is sent without a credential")),
    ),
    method: Type.Optional(Type.String({ pattern: "^[A-Z]{1,16}$" })),
    path: Type.Optional(
      Type.String({ pattern: "^/[!-~]*$", maxLength: 8192, description: "With what is asked behind `?`" }),
    ),
    headers: Type.Optional(
      Type.Array(Type.Tuple([Type.String(), Type.String()]), {
        maxItems: 100,
        description:
          "Instead of all that are kept; those of the connection, of the world and of the credential are set by the service",
      }),
    ),
    body: Type.Optional(Type.String({ maxLength: 1_048_576, description: "As text, sent as it is" })),
  },
  Type.Object({
    id: Type.String({ description: "The new exchange" }),
    world: Type.String(),
    status: Type.Integer({ description: "0: the connection was closed without an answer" }),
    error_code: Nullable(Type.String()),
    differs_at: Nullable(
      Type.String({
        description:
          "Where the answer differs first from what was kept: `status`, or a JSON Pointer into the body; null: nowhere",
      }),
    ),
  }),
  orUnprocessable,
);
export const tracesGet = readOne(
  "traces.get",
  "One call's chain, found by any of its links: request, faults it met, state changes, events, deliveries, drills.",
  { id: Uuid("Of the request, an event, a notification (message_id), a delivery, also a repeated one, or a drill") },
  Type.Object({
    id: Type.String(),
    request: Nullable(RequestRow),
    changes: Type.Array(StateChange),
    events: Type.Array(EventRow),
    deliveries: Type.Array(DeliveryRow, { description: "As they are now, repeated ones too" }),
    drills: Type.Array(DrillRow),
    faults: Type.Array(FaultFiring, { description: "The faults the request met, in that order" }),
  }),
  inScenario,
);
export const tracesList = read(
  "traces.list",
  "How far the deliveries of the newest traces with events have come, repeated ones left out.",
  {
    events: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "The traces of so many events" }),
    ),
  },
  Items(
    Type.Object({
      id: Type.String(),
      ...deliveryCounts,
      failed_attempts: Type.Integer({ minimum: 0, description: "Of those that are pending" }),
      to_nobody: Type.Integer({ minimum: 0, description: "Its events for which nobody was subscribed" }),
    }),
  ),
);
export const tier1List = read(
  "tier1.list",
  "Vehicle identifiers that were queued, newest first.",
  paged,
  Page(QueuedIdentifier),
  inScenario,
);
export const uploadsList = read(
  "uploads.list",
  "Prepared uploads and what became of them, newest first.",
  listed,
  Page(UploadRow),
  inScenario,
);

export const controlOperations = [
  ...serviceOperations,
  ...worldOperations,
  tier1List,
  uploadsList,
  organizationsList,
  directoryList,
  clientsList,
  credentialsList,
  accessCodesIssue,
  jobsList,
  procurementsList,
  procurementsPreview,
  subscriptionsList,
  subscriptionsDelete,
  eventsList,
  deliveriesList,
  deliveriesGet,
  deliveriesRedeliver,
  requestsList,
  requestsGet,
  requestsExplain,
  operationsProvoke,
  requestsReplay,
  ...requestOperations,
  tracesGet,
  tracesList,
  ...subscriptionOperations,
  ...receiverOperations,
  ...retentionOperations,
  ...faultOperations,
  ...snapshotOperations,
  ...workOperations,
  ...compareOperations,
  searchEverywhere,
  integrationsReadiness,
  operationsCheck,
  ...scenarioOperations,
] as const;
