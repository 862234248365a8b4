import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Business } from "../resources/business.ts";
import { SupplierProcurement } from "../resources/procurement.ts";
import { Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { jobStates, procurementStatuses } from "../values.ts";
import { operationsCheck } from "./check-operations.ts";
import { compareOperations } from "./compare-operations.ts";
import { base, byId, inWorld, listed, paged, reveal } from "./declaring.ts";
import { requestsExplain } from "./explain-operations.ts";
import { faultOperations } from "./fault-operations.ts";
import { FaultFiring } from "./fault-rows.ts";
import { policiesExamples } from "./policy-examples.ts";
import { operationsProvoke } from "./provoke-operations.ts";
import { integrationsReadiness } from "./readiness-operations.ts";
import { receiverOperations } from "./receiver-operations.ts";
import { DrillRow } from "./receiver-rows.ts";
import { recordingOperations } from "./recording-operations.ts";
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

export const organizationsList = controlOperation({
  ...base,
  id: "organizations.list",
  inScenario: true,
  effect: "read",
  summary: "The organizations of a world.",
  request: inWorld({}),
  response: Items(Organization),
});
/** A business as the control plane lists it: the contract's, with the organization it belongs to. */
export const DirectoryBusiness = Type.Object({ ...Business.properties, organization_id: Uuid() });
export type DirectoryBusiness = Static<typeof DirectoryBusiness>;

export const directoryList = controlOperation({
  ...base,
  id: "directory.list",
  inScenario: true,
  effect: "read",
  summary: "The businesses of every organization of a world: repairers, sites, suppliers, insurers.",
  request: inWorld({}),
  response: Items(DirectoryBusiness),
});
export const clientsList = controlOperation({
  ...base,
  id: "clients.list",
  effect: "read",
  summary: "The pre-registered clients.",
  request: inWorld(reveal),
  response: Items(Client),
});
export const credentialsList = controlOperation({
  ...base,
  id: "credentials.list",
  effect: "read",
  summary: "Pre-loaded and installed credentials, newest first.",
  request: inWorld(reveal),
  response: Items(Credential),
});
export const accessCodesIssue = controlOperation({
  ...byId,
  id: "access-codes.issue",
  inScenario: true,
  effect: "write",
  summary: "Issues an access code as the consent page does.",
  request: inWorld({
    client_id: Text("Of clients.list"),
    organization_id: Uuid("Of organizations.list"),
    scope: OneOf(sides, "The side of that organization"),
  }),
  response: Type.Object({ access_code: Type.String(), expires_at: Timestamp() }),
});
const Search = (where: string, id: string) =>
  Type.Optional(
    Text(
      `Text found anywhere in ${where}, in either case, spaces around it left out; also what ${id} id begins with, from eight characters on`,
    ),
  );

export const jobsList = controlOperation({
  ...base,
  id: "jobs.list",
  inScenario: true,
  effect: "read",
  summary: "Jobs, last changed first; search covers plate, number, claim, external id, chassis and the job's id.",
  request: inWorld({
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
  }),
  response: Page(JobRow),
});
export const procurementsList = controlOperation({
  ...base,
  id: "procurements.list",
  inScenario: true,
  effect: "read",
  summary: "Procurements, newest first; search covers reference, plate, job number, supplier and the procurement's id.",
  request: inWorld({
    search: Search("reference, plate, job number or supplier's name", "a procurement's"),
    site_id: Type.Optional(Uuid("The site that buys")),
    status: Type.Optional(OneOf(procurementStatuses)),
    supplier_business_id: Type.Optional(Uuid()),
    supplier_has_credential: Type.Optional(
      Type.Boolean({ description: "true: only those of suppliers of which this sandbox holds a key" }),
    ),
    job_id: Type.Optional(Uuid()),
    ...listed,
  }),
  response: Page(ProcurementRow),
});
export const procurementsPreview = controlOperation({
  ...byId,
  id: "procurements.preview",
  effect: "read",
  summary: "What confirming a procurement now would make of it, as its supplier would read it.",
  request: inWorld({ id: Uuid() }),
  response: Type.Object({
    before: SupplierProcurement,
    after: Type.Union([SupplierProcurement, Type.Null()], { description: "null: it would stay as it is" }),
  }),
});
export const subscriptionsList = controlOperation({
  ...base,
  id: "subscriptions.list",
  inScenario: true,
  effect: "read",
  summary: "Webhook subscriptions with how many deliveries each has and how its address fares.",
  request: inWorld({}),
  response: Items(Subscription),
});
export const subscriptionsDelete = controlOperation({
  ...byId,
  id: "subscriptions.delete",
  inScenario: true,
  effect: "write",
  summary: "Ends a subscription; what was pending after an attempt is failed then, the rest goes with it.",
  request: inWorld({ id: Uuid() }),
  response: Type.Object({ ok: Type.Boolean() }),
});
export const eventsList = controlOperation({
  ...base,
  id: "events.list",
  inScenario: true,
  effect: "read",
  summary: "Events, newest first.",
  request: inWorld(listed),
  response: Page(EventRow),
});
export const deliveriesList = controlOperation({
  ...base,
  id: "deliveries.list",
  inScenario: true,
  effect: "read",
  summary: "Deliveries, newest first.",
  request: inWorld({
    status: Type.Optional(OneOf(deliveryStatuses, "Only deliveries in this status")),
    integration_id: Type.Optional(Uuid("Only notifications to this integration")),
    subscription_id: Type.Optional(Uuid()),
    message_id: Type.Optional(Uuid("Of the notification, which its repeats share")),
    job_id: Type.Optional(Uuid("Of the job they tell of")),
    ...listed,
  }),
  response: Page(DeliveryRow),
});
export const deliveriesGet = controlOperation({
  ...byId,
  id: "deliveries.get",
  inScenario: true,
  effect: "read",
  summary: "A delivery with every attempt, byte for byte.",
  request: inWorld({ id: Uuid("The delivery") }),
  response: Delivery,
});
export const deliveriesRedeliver = controlOperation({
  ...byId,
  id: "deliveries.redeliver",
  inScenario: true,
  effect: "write",
  summary: "Sends a notification again, with the same message_id and a fresh stamp.",
  request: inWorld({ id: Uuid() }),
  response: DeliveryRow,
});
export const requestsList = controlOperation({
  ...base,
  id: "requests.list",
  inScenario: true,
  effect: "read",
  summary: "Exchanges that reached the service, newest first.",
  request: inWorld({
    search: Type.Optional(
      Text(
        "Text found anywhere in path, outcome, label or error code, in either case, or in what its job is known by (plate, numbers, external id, chassis), where at most 50 jobs have it; of the newest 1,000 exchanges also in headers and the first 16 KiB of bodies. Also what an exchange's id begins with, from eight characters on",
      ),
    ),
    job_id: Type.Optional(Uuid("Only calls about this job")),
    procurement_id: Type.Optional(Uuid("Only calls about this order")),
    writes: Type.Optional(
      Type.Boolean({ description: "true: only calls of operations that do more than read, refused ones too" }),
    ),
    changes: Type.Optional(
      Type.Boolean({ description: "true: only calls answered 200 of operations that do more than read" }),
    ),
    refused: Type.Optional(
      Type.Boolean({ description: "true: only calls that were refused or failed, answered 400 or higher" }),
    ),
    operation: Type.Optional(Text("Only calls of this operation")),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599, description: "Only calls answered so" })),
    status_class: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: "Only calls whose status begins so: 4 for 400 to 499" }),
    ),
    error_code: Type.Optional(Text("Only calls refused with this code")),
    integration_id: Type.Optional(Uuid("Only calls with this integration's credential")),
    side: Type.Optional(OneOf(sides, "Only calls with a credential of this side")),
    anonymous: Type.Optional(
      Type.Boolean({ description: "true: only calls without a credential that the world knows: none, or a wrong one" }),
    ),
    faulted: Type.Optional(Type.Boolean({ description: "true: only calls that met a fault" })),
    unrouted: Type.Optional(Type.Boolean({ description: "true: only calls that reached no operation" })),
    pinned: Type.Optional(Type.Boolean({ description: "true: only pinned calls" })),
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
  }),
  response: Page(RequestRow),
});
export const requestsGet = controlOperation({
  ...byId,
  id: "requests.get",
  inScenario: true,
  effect: "read",
  summary: "One exchange with headers and bodies, credentials masked.",
  request: inWorld({ id: Uuid("The call, by its x-request-id") }),
  response: RequestDetail,
});
export const requestsReplay = controlOperation({
  ...byId,
  id: "requests.replay",
  effect: "write",
  summary:
    "Sends the kept bytes of an exchange again, with the integration's own key or otherwise as it is told, and says where the answer differs first. What is left out is as it was kept.",
  errors: ["unauthorized", "bad_request", "not_found", "unprocessable"],
  request: inWorld({
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
  }),
  response: Type.Object({
    id: Type.String({ description: "The new exchange" }),
    trace_id: Type.String(),
    world: Type.String(),
    status: Type.Integer({ description: "0: the connection was closed without an answer" }),
    error_code: Nullable(Type.String()),
    duration_ms: Type.Number(),
    body: Type.String({ description: "As it is kept: credentials masked" }),
    same: Type.Boolean({ description: "Whether status and body are those that were kept" }),
    difference: Nullable(
      Type.Object({
        path: Type.String({ description: "status, or the path in the body as a JSON Pointer" }),
        kept: Type.Optional(Type.Unknown({ description: "Absent: nothing was there" })),
        now: Type.Optional(Type.Unknown({ description: "Absent: nothing is there" })),
      }),
    ),
  }),
});
export const tracesGet = controlOperation({
  ...byId,
  id: "traces.get",
  inScenario: true,
  effect: "read",
  summary:
    "One call's chain, found by any of its links: request, faults it met, state changes, events, deliveries, drills.",
  request: inWorld({
    id: Uuid("Of the request, an event, a notification (message_id), a delivery, also a repeated one, or a drill"),
  }),
  response: Type.Object({
    id: Type.String(),
    request: Nullable(RequestRow),
    changes: Type.Array(StateChange),
    events: Type.Array(EventRow),
    deliveries: Type.Array(DeliveryRow, { description: "As they are now, repeated ones too" }),
    drills: Type.Array(DrillRow),
    faults: Type.Array(FaultFiring, { description: "The faults the request met, in that order" }),
  }),
});

export const tracesList = controlOperation({
  ...base,
  id: "traces.list",
  effect: "read",
  summary: "How far the deliveries of the newest traces with events have come, repeated ones left out.",
  request: inWorld({
    events: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "The traces of so many events" }),
    ),
  }),
  response: Items(
    Type.Object({
      id: Type.String(),
      ...deliveryCounts,
      failed_attempts: Type.Integer({ minimum: 0, description: "Of those that are pending" }),
      to_nobody: Type.Integer({ minimum: 0, description: "Its events for which nobody was subscribed" }),
    }),
  ),
});
export const tier1List = controlOperation({
  ...base,
  id: "tier1.list",
  inScenario: true,
  effect: "read",
  summary: "Vehicle identifiers that were queued, newest first.",
  request: inWorld(paged),
  response: Page(QueuedIdentifier),
});
export const uploadsList = controlOperation({
  ...base,
  id: "uploads.list",
  inScenario: true,
  effect: "read",
  summary: "Prepared uploads and what became of them, newest first.",
  request: inWorld(listed),
  response: Page(UploadRow),
});

export const controlOperations = [
  ...serviceOperations,
  ...worldOperations,
  policiesExamples,
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
  ...recordingOperations,
  searchEverywhere,
  integrationsReadiness,
  operationsCheck,
  ...scenarioOperations,
] as const;
