import type { TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import { type Cause, causes } from "../contract/causes.ts";
import { FaultFiring, FaultMark } from "../contract/control/fault-rows.ts";
import { DrillExchange, DrillRow, ReceiverBehaviour, receiptOutcomes } from "../contract/control/receiver-rows.ts";
import {
  DeliveryRow,
  deliveryStatuses,
  EventRow,
  HeaderList,
  provenOrigins,
  RequestRow,
  StateChange,
  Subscription,
  sides,
  unroutedKinds,
  Verdict,
} from "../contract/control/rows.ts";
import { drillNames } from "../contract/drill-names.ts";
import { eventTypes } from "../contract/event-types.ts";
import { announcedStatuses, changeActions, payloadOf } from "../contract/events.ts";
import type { LiveKind } from "../contract/live.ts";
import { businessTypes } from "../contract/resources/business.ts";
import { PartCondition } from "../contract/resources/condition.ts";
import { Part } from "../contract/resources/job.ts";
import { Address, ProcurementVehicle, ShippingPrice } from "../contract/resources/procurement.ts";
import { AbsoluteUrl, Nullable, OneOf, Text, U8, U16, Uuid } from "../contract/schema.ts";
import { rejectReasons } from "../contract/signature.ts";
import { procurementStatuses } from "../contract/values.ts";
import { supplierKinds } from "../rules/records.ts";

/**
 * What a table's rows hold beyond what SQLite checks of them: its columns are typed and bounded, its references lead to
 * rows. A column that is not named here may hold whatever its type allows.
 */
interface RowShape {
  /** Columns that hold JSON, which is looked at as what it says. */
  readonly json: readonly string[];
  /** A column that says which shape a row has; null: all have the one. */
  readonly by: string | null;
  /** By what that column holds. */
  readonly shapes: Readonly<Record<string, TSchema>>;
}

const row = (columns: TProperties, json: TProperties = {}): RowShape => ({
  json: Object.keys(json),
  by: null,
  shapes: { "": Type.Object({ ...columns, ...json }) },
});
const rowsBy = <K extends string>(
  by: string,
  kinds: readonly K[],
  json: (kind: K) => TProperties,
  columns: (kind: K) => TProperties = () => ({}),
): RowShape => ({
  by,
  json: [...new Set(kinds.flatMap((kind) => Object.keys(json(kind))))],
  shapes: Object.fromEntries(kinds.map((kind) => [kind, Type.Object({ ...columns(kind), ...json(kind) })])),
});

const Id = Uuid();
/** Money that can be multiplied and added up, whatever the quantities. */
const Price = Type.String({ pattern: "^[0-9]{1,9}(\\.[0-9]{1,3})?$" });
const Stock = { sellable_id: Id, warehouse_id: Nullable(Id) };

const offeredItem = <T extends TSchema>(known: (schema: TSchema) => T) =>
  Type.Object({
    id: Id,
    fulfills_source_ids: Type.Array(Id),
    description: Text(),
    quantity: U16(),
    condition: known(PartCondition),
    inventory: known(Type.Object(Stock)),
    trade_price: known(Price),
    offer: Type.Object({ ...Stock, trade_price: Price }),
  });
const sourceItem = Type.Object({
  id: Id,
  description: Text(),
  job_part_id: Nullable(Id),
  part_identity: Nullable(Type.Object({ gapc_brand_id: Text(), mpn: Text() })),
  quantity: U16(),
});
const procurementDocument = (offered: TSchema) =>
  Type.Object({
    currency_code: Nullable(Type.String({ maxLength: 3 })),
    buyer_shipping_address: Address,
    supplier_business_name: Text(),
    total_shipping_price: Nullable(ShippingPrice),
    vehicle: ProcurementVehicle,
    source_items: Type.Array(sourceItem),
    offered_items: Type.Array(offered),
  });
/** Nothing of a confirmed order is open. */
const procurementDocuments = {
  order_requested: procurementDocument(offeredItem(Nullable)),
  order_confirmed: procurementDocument(offeredItem((schema) => schema)),
  cancelled: procurementDocument(offeredItem(Nullable)),
};

/** What a procurement takes over of the site that orders. */
const site = { currency_code: Type.String({ pattern: "^[A-Z]{3}$" }), reference_prefix: Text() };
const { answer, status, first } = ReceiverBehaviour.properties;
const { paused_by } = Subscription.properties;
const Known = Nullable(Text());

/** What an entry of each kind in the log carries. */
const entries: Record<LiveKind, TSchema> = {
  // What is said of it is said by its exchange.
  request: Nullable(RequestRow),
  state: StateChange,
  event: EventRow,
  delivery: DeliveryRow,
  drill: DrillRow,
  fault: FaultFiring,
  world: Type.Object({ what: Type.String() }),
};

/** By table. */
export const rowShapes: Readonly<Record<string, RowShape>> = {
  organizations: row({ id: Id, name: Text(), scope: Nullable(OneOf(sides)) }),
  businesses: rowsBy(
    "type",
    businessTypes,
    () => ({ address: Nullable(Address) }),
    (type) => ({
      id: Id,
      name: Text(),
      ...(type === "repairer_site" ? site : {}),
      supplier_kind: Nullable(OneOf(supplierKinds)),
    }),
  ),
  clients: row({ client_id: Text(), name: Text() }),
  credentials: row({ integration_id: Id }),
  jobs: row(
    {
      ...{ id: Id, external_id: Known, job_number: Known, claim_number: Known, chassis_number: Known },
      ...{ plate_number: Known, plate_state: Known, vehicle_variant: Known, work_provider_id: Nullable(Id) },
    },
    { images: Type.Array(Type.String({ pattern: "^(https?://[^\\s/?#]|/__media/)\\S*$", maxLength: 2048 })) },
  ),
  job_parts: row({
    ...{ id: Id, description: Text(), external_id: Known, ghca_id: Known, note: Known },
    ...{ quantity: Nullable(U8()), status: Part.properties.status },
  }),
  procurements: rowsBy(
    "status",
    procurementStatuses,
    (stage) => ({ document: procurementDocuments[stage] }),
    (stage) => ({
      id: Id,
      reference: Known,
      ...(stage === "order_confirmed" ? { deliver_before: Type.Integer() } : {}),
    }),
  ),
  vehicle_identifiers: row({}, { document: Type.Record(Type.String(), Nullable(Type.String())) }),
  uploads: row({ id: Id, file_name: Text(), type: Text() }),
  subscriptions: row({ id: Id, url: AbsoluteUrl(), paused_by }),
  events: rowsBy(
    "event_type",
    eventTypes,
    (type) => ({ payload: payloadOf(type) }),
    () => ({ id: Id, trace_id: Id, announces: OneOf([...announcedStatuses, ...changeActions]) }),
  ),
  deliveries: row({ id: Id, status: OneOf(deliveryStatuses) }),
  attempts: row(
    {},
    { request_headers: HeaderList, response_headers: HeaderList, faults: Nullable(Type.Array(FaultMark)) },
  ),
  drills: row({ id: Id, drill: OneOf(drillNames) }, { summary: DrillRow, exchanges: Type.Array(DrillExchange) }),
  receivers: row({ id: Id, url: AbsoluteUrl(), answer, status, first }),
  receipts: row(
    { outcome: OneOf(receiptOutcomes), reason: Nullable(OneOf(rejectReasons)) },
    { headers: HeaderList, verification: Type.Array(Verdict) },
  ),
  requests: row(
    {
      id: Id,
      side: Nullable(OneOf(sides)),
      unrouted: Nullable(OneOf(unroutedKinds)),
      origin: Nullable(OneOf(provenOrigins)),
    },
    {
      request_headers: HeaderList,
      response_headers: HeaderList,
      faults: Nullable(Type.Array(FaultMark)),
      refused_for: Nullable(
        Type.Object({ cause: OneOf(Object.keys(causes) as Cause[]), pointers: Type.Array(Type.String()) }),
      ),
    },
  ),
  log: rowsBy("kind", Object.keys(entries) as LiveKind[], (kind) => ({ data: entries[kind] })),
};
