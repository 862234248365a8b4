import Type from "typebox";
import { controlOperation } from "../operation.ts";
import { procurementStatuses } from "../resources/procurement.ts";
import { Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { base, byId, inWorld, paged, reveal } from "./declaring.ts";
import {
  Client,
  Credential,
  Delivery,
  DeliveryRow,
  deliveryStatuses,
  EventRow,
  JobRow,
  Organization,
  ProcurementRow,
  QueuedIdentifier,
  RequestDetail,
  RequestRow,
  StateChange,
  Subscription,
  sides,
  UploadRow,
} from "./rows.ts";
import {
  clockAdvance,
  clockGet,
  clockReset,
  policiesGet,
  policiesSet,
  serviceInfo,
  worldsCopy,
  worldsDelete,
  worldsList,
  worldsPin,
  worldsReset,
} from "./world-operations.ts";

export const organizationsList = controlOperation({
  ...base,
  id: "organizations.list",
  effect: "read",
  summary: "The organizations of a world.",
  request: inWorld({}),
  response: Items(Organization),
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
  effect: "write",
  summary: "Issues an access code as the consent page does (D21, D22).",
  request: inWorld({ client_id: Text(), organization_id: Uuid(), scope: OneOf(sides) }),
  response: Type.Object({ access_code: Type.String(), expires_at: Timestamp() }),
});
export const jobsList = controlOperation({
  ...base,
  id: "jobs.list",
  effect: "read",
  summary: "Jobs, last changed first; search covers plate, number, claim, external id and chassis.",
  request: inWorld({ search: Type.Optional(Text()), site_id: Type.Optional(Uuid()), ...paged }),
  response: Page(JobRow),
});
export const procurementsList = controlOperation({
  ...base,
  id: "procurements.list",
  effect: "read",
  summary: "Procurements, newest first.",
  request: inWorld({
    search: Type.Optional(Text()),
    site_id: Type.Optional(Uuid()),
    status: Type.Optional(OneOf(procurementStatuses)),
    ...paged,
  }),
  response: Page(ProcurementRow),
});
export const subscriptionsList = controlOperation({
  ...base,
  id: "subscriptions.list",
  effect: "read",
  summary: "Webhook subscriptions with their counts.",
  request: inWorld({}),
  response: Items(Subscription),
});
export const subscriptionsDelete = controlOperation({
  ...byId,
  id: "subscriptions.delete",
  effect: "write",
  summary: "Ends a subscription and its pending deliveries.",
  request: inWorld({ id: Uuid() }),
  response: Type.Object({ ok: Type.Boolean() }),
});
export const eventsList = controlOperation({
  ...base,
  id: "events.list",
  effect: "read",
  summary: "Events, newest first.",
  request: inWorld(paged),
  response: Page(EventRow),
});
export const deliveriesList = controlOperation({
  ...base,
  id: "deliveries.list",
  effect: "read",
  summary: "Deliveries, newest first.",
  request: inWorld({ status: Type.Optional(OneOf(deliveryStatuses)), integration_id: Type.Optional(Uuid()), ...paged }),
  response: Page(DeliveryRow),
});
export const deliveriesGet = controlOperation({
  ...byId,
  id: "deliveries.get",
  effect: "read",
  summary: "A delivery with every attempt, byte for byte.",
  request: inWorld({ id: Uuid() }),
  response: Delivery,
});
export const deliveriesRedeliver = controlOperation({
  ...byId,
  id: "deliveries.redeliver",
  effect: "write",
  summary: "Sends a notification again, with the same message_id and a fresh stamp.",
  request: inWorld({ id: Uuid() }),
  response: DeliveryRow,
});
export const requestsList = controlOperation({
  ...base,
  id: "requests.list",
  effect: "read",
  summary: "Exchanges that reached the service, newest first.",
  request: inWorld({
    search: Type.Optional(Text()),
    job_id: Type.Optional(Uuid()),
    procurement_id: Type.Optional(Uuid()),
    ...paged,
  }),
  response: Page(RequestRow),
});
export const requestsGet = controlOperation({
  ...byId,
  id: "requests.get",
  effect: "read",
  summary: "One exchange with headers and bodies, credentials masked.",
  request: inWorld({ id: Uuid() }),
  response: RequestDetail,
});
export const tracesGet = controlOperation({
  ...byId,
  id: "traces.get",
  effect: "read",
  summary: "One mutation's chain: request, state changes, events, deliveries.",
  request: inWorld({ id: Uuid() }),
  response: Type.Object({
    id: Type.String(),
    request: Nullable(RequestRow),
    changes: Type.Array(StateChange),
    events: Type.Array(EventRow),
    deliveries: Type.Array(DeliveryRow),
  }),
});

export const tier1List = controlOperation({
  ...base,
  id: "tier1.list",
  effect: "read",
  summary: "Vehicle identifiers that were queued, newest first.",
  request: inWorld(paged),
  response: Page(QueuedIdentifier),
});
export const uploadsList = controlOperation({
  ...base,
  id: "uploads.list",
  effect: "read",
  summary: "Prepared uploads and what became of them, newest first.",
  request: inWorld(paged),
  response: Page(UploadRow),
});

export const controlOperations = [
  serviceInfo,
  worldsList,
  worldsReset,
  worldsPin,
  worldsCopy,
  worldsDelete,
  tier1List,
  uploadsList,
  policiesGet,
  policiesSet,
  clockGet,
  clockAdvance,
  clockReset,
  organizationsList,
  clientsList,
  credentialsList,
  accessCodesIssue,
  jobsList,
  procurementsList,
  subscriptionsList,
  subscriptionsDelete,
  eventsList,
  deliveriesList,
  deliveriesGet,
  deliveriesRedeliver,
  requestsList,
  requestsGet,
  tracesGet,
] as const;
