import type { TSchema } from "typebox";
import * as Type from "typebox";
import { causes } from "../contract/causes.ts";
import { FaultFiring, FaultMark } from "../contract/control/fault-operations.ts";
import {
  DrillExchange,
  DrillRow,
  ReceiverBehaviour,
  receiptOutcomes,
} from "../contract/control/receiver-operations.ts";
import {
  deliveryStatuses,
  HeaderList,
  RecordedRequest,
  StateChange,
  Subscription,
  sides,
  Verdict,
} from "../contract/control/rows.ts";
import { drillNames } from "../contract/drill-names.ts";
import { eventTypes } from "../contract/event-types.ts";
import { announcedStatuses, changeActions, eventPayload } from "../contract/events.ts";
import { businessTypes } from "../contract/resources/business.ts";
import { PartCondition } from "../contract/resources/condition.ts";
import { Part } from "../contract/resources/job.ts";
import { Address, BuyerPart, ProcurementVehicle, ShippingPrice } from "../contract/resources/procurement.ts";
import { AbsoluteUrl, Nullable, OneOf, Text, U8, U16, Uuid } from "../contract/schema.ts";
import { rejectReasons } from "../contract/signature.ts";
import { supplierKinds } from "../rules/records.ts";
import type { LogKind } from "../storage/log-store.ts";

/** Columns that contain JSON, in any table; checked as parsed values. */
export const jsonColumns: readonly string[] = [
  ...["address", "images", "document", "payload", "request_headers", "response_headers", "faults", "refused_for"],
  "test_values",
  ...["summary", "exchanges", "headers", "verification", "data"],
];

const Id = Uuid();
/** A price small enough to multiply and add without overflow. */
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
const procurementDocument = (offered: TSchema) =>
  Type.Object({
    currency_code: Nullable(Type.String({ maxLength: 3 })),
    buyer_shipping_address: Address,
    supplier_business_name: Text(),
    total_shipping_price: Nullable(ShippingPrice),
    vehicle: ProcurementVehicle,
    source_items: Type.Array(Type.Object({ id: Id, ...BuyerPart.properties })),
    offered_items: Type.Array(offered),
  });
/** A confirmed order has no open items. */
const confirmedOrder = Type.Object({
  deliver_before: Type.Integer(),
  document: procurementDocument(offeredItem((schema) => schema)),
});
const openOrder = Type.Object({ document: procurementDocument(offeredItem(Nullable)) });

const site = Type.Object({
  address: Nullable(Address),
  currency_code: Type.String({ pattern: "^[A-Z]{3}$" }),
  reference_prefix: Text(),
});
const business = Type.Object({ address: Nullable(Address), supplier_kind: Nullable(OneOf(supplierKinds)) });

const { answer, status, first } = ReceiverBehaviour.properties;
const Headers = { request_headers: HeaderList, response_headers: HeaderList, faults: Nullable(Type.Array(FaultMark)) };

/** Payloads of log entries by kind. */
const entries: Record<LogKind, TSchema> = {
  // `was` may hold only a difference, and the current state may be in the call's response.
  state: Type.Object({
    ...Type.Omit(StateChange, ["before", "after"]).properties,
    was: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  drill: DrillRow,
  fault: FaultFiring,
  world: Type.Object({ what: Type.String() }),
};

type RowShape = TSchema | ((row: Readonly<Record<string, unknown>>) => TSchema);

/** Selects a row's shape by the value of a column. */
const by = (column: string, shapes: Readonly<Record<string, TSchema>>): RowShape => {
  const none = Type.Object({ [column]: OneOf(Object.keys(shapes)) });
  const known = new Map<unknown, TSchema>(Object.entries(shapes));
  return (row) => known.get(row[column]) ?? none;
};

/** Stored columns of calls: absent fields are null, times and flags are numbers. */
const requestColumns = (): Record<string, TSchema> => {
  const all: readonly [string, TSchema & { readonly type?: string }][] = Object.entries(RecordedRequest.properties);
  const required: ReadonlySet<string> = new Set(RecordedRequest.required);
  const stored = all.filter(([name, { type }]) => name !== "at" && type !== "boolean");
  return Object.fromEntries(stored.map(([name, schema]) => [name, required.has(name) ? schema : Nullable(schema)]));
};

const announced = { announces: OneOf([...announcedStatuses, ...changeActions]) };

/**
 * Conditions on rows beyond SQLite's own checks of types, bounds and references. Columns not listed here may hold any
 * value of their type.
 */
export const rowShapes: Readonly<Record<string, RowShape>> = {
  organizations: Type.Object({ scope: Nullable(OneOf(sides)) }),
  businesses: by("type", {
    ...Object.fromEntries(businessTypes.map((type) => [type, business])),
    repairer_site: site,
  }),
  credentials: Type.Object({ integration_id: Id }),
  jobs: Type.Object({
    images: Type.Array(Type.String({ pattern: "^(https?://[^\\s/?#]|/__media/)\\S*$", maxLength: 2048 })),
  }),
  job_parts: Type.Object({ quantity: Nullable(U8()), status: Part.properties.status }),
  procurements: by("status", {
    order_requested: openOrder,
    order_confirmed: confirmedOrder,
    cancelled: openOrder,
  }),
  vehicle_identifiers: Type.Object({ document: Type.Record(Type.String(), Nullable(Type.String())) }),
  uploads: Type.Object({ type: Text() }),
  subscriptions: Type.Object({ url: AbsoluteUrl(), paused_by: Subscription.properties.paused_by }),
  events: by(
    "event_type",
    Object.fromEntries(eventTypes.map((type) => [type, Type.Object({ payload: eventPayload(type), ...announced })])),
  ),
  deliveries: Type.Object({ status: OneOf(deliveryStatuses) }),
  attempts: Type.Object(Headers),
  drills: Type.Object({ drill: OneOf(drillNames), summary: DrillRow, exchanges: Type.Array(DrillExchange) }),
  receivers: Type.Object({ url: AbsoluteUrl(), answer, status, first }),
  receipts: Type.Object({
    outcome: OneOf(receiptOutcomes),
    reason: Nullable(OneOf(rejectReasons)),
    headers: HeaderList,
    verification: Type.Array(Verdict),
  }),
  requests: Type.Object({
    ...requestColumns(),
    refused_for: Nullable(
      Type.Object({
        cause: OneOf(Object.keys(causes)),
        pointers: Type.Array(Type.String()),
        fact: Type.Optional(Type.String()),
        place: Type.Optional(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
        earlier: Type.Optional(Uuid()),
        next: Type.Optional(
          Type.Object({
            ...{ cause: OneOf(Object.keys(causes)), pointers: Type.Array(Type.String()) },
            ...{ fact: Type.String(), remedy: Type.String() },
          }),
        ),
      }),
    ),
  }),
  acts: Type.Object({ trace_id: Nullable(Id), procurement_id: Nullable(Id), job_id: Nullable(Id) }),
  log: by("kind", Object.fromEntries(Object.entries(entries).map(([kind, data]) => [kind, Type.Object({ data })]))),
};
