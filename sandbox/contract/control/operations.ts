import Type, { type TProperties } from "typebox";
import { controlOperation } from "../operation.ts";
import { procurementStatuses } from "../resources/procurement.ts";
import { Items, Nullable, OneOf, Page, Text, Timestamp, Uuid } from "../schema.ts";
import { policyChoices } from "./policies.ts";
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
  RequestDetail,
  RequestRow,
  StateChange,
  Subscription,
  sides,
  World,
} from "./rows.ts";

const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100 });

/** Every control operation takes the world it looks at; left out, it is `default`. */
const inWorld = <P extends TProperties>(properties: P) =>
  Type.Object({
    world: Type.Optional(Type.String({ description: "World name (D81); default: default" })),
    ...properties,
  });

const paged = { cursor: Type.Optional(Type.String()), limit: Type.Optional(Limit) };
const reveal = { reveal: Type.Optional(Type.Boolean({ description: "Include secrets" })) };
const Clock = Type.Object({ now: Timestamp(), offset_seconds: Type.Number() });
const Policies = Type.Object({
  policies: Type.Object({
    jobs_insert_conflict: OneOf(policyChoices.jobs_insert_conflict),
    jobs_insert_unknown_id: OneOf(policyChoices.jobs_insert_unknown_id),
    part_ordered_on: OneOf(policyChoices.part_ordered_on),
    confirm_when_confirmed: OneOf(policyChoices.confirm_when_confirmed),
    confirm_when_cancelled: OneOf(policyChoices.confirm_when_cancelled),
    webhook_retries: OneOf(policyChoices.webhook_retries),
  }),
});

const base = { scope: "none", errors: ["unauthorized", "bad_request"] } as const;
const byId = { ...base, errors: ["unauthorized", "bad_request", "not_found"] } as const;

export const serviceInfo = controlOperation({
  ...base,
  id: "service.info",
  effect: "read",
  summary: "Version, address, data folder and mode of this service.",
  request: inWorld({}),
  response: Type.Object({
    version: Type.String(),
    base_url: Type.String(),
    mode: OneOf(["local", "deployed"]),
    data_folder: Nullable(Type.String()),
    deliveries: Type.Boolean(),
    started_at: Timestamp(),
    now: Timestamp(),
  }),
});
export const worldsList = controlOperation({
  ...base,
  id: "worlds.list",
  effect: "read",
  summary: "Lists the worlds of this service.",
  request: inWorld({}),
  response: Items(World),
});
export const worldsReset = controlOperation({
  ...base,
  id: "worlds.reset",
  effect: "write",
  summary: "Puts a world back to the seeded state; its subscriptions and pending deliveries end (D82).",
  request: inWorld({}),
  response: World,
});
export const policiesGet = controlOperation({
  ...base,
  id: "policies.get",
  effect: "read",
  summary: "The switches of a world.",
  request: inWorld({}),
  response: Policies,
});
export const policiesSet = controlOperation({
  ...base,
  id: "policies.set",
  effect: "write",
  summary: "Sets switches of a world; an unknown name or value changes nothing.",
  request: inWorld({ policies: Type.Record(Type.String(), Type.Unknown()) }),
  response: Policies,
});
export const clockGet = controlOperation({
  ...base,
  id: "clock.get",
  effect: "read",
  summary: "The world's clock (D84).",
  request: inWorld({}),
  response: Clock,
});
export const clockAdvance = controlOperation({
  ...base,
  id: "clock.advance",
  effect: "write",
  summary: "Moves the world's clock ahead by seconds.",
  request: inWorld({ seconds: Type.Number({ minimum: 0, maximum: 3_155_760_000 }) }),
  response: Clock,
});
export const clockReset = controlOperation({
  ...base,
  id: "clock.reset",
  effect: "write",
  summary: "Puts the world's clock back to real time.",
  request: inWorld({}),
  response: Clock,
});
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

export const controlOperations = [
  serviceInfo,
  worldsList,
  worldsReset,
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
