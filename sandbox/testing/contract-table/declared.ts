import { errorCodes } from "../../contract/errors.ts";
import {
  Envelope,
  eventTypes,
  JobEventPayload,
  ProcurementEventPayload,
  rejectReasons,
  SIGNATURE_HEADER,
} from "../../contract/events.ts";
import { decisionTexts } from "../../contract/openapi/decisions.ts";
import { partnerOperations } from "../../contract/operations/partner.ts";
import { Basket, Offer } from "../../contract/resources/basket.ts";
import { Business, WorkProvider } from "../../contract/resources/business.ts";
import { PartCondition, UsedGrade } from "../../contract/resources/condition.ts";
import { Job, JobIdentity, JobInsert, Part, PartIdentity, PartInsert, Vehicle } from "../../contract/resources/job.ts";
import {
  Address,
  BuyerPart,
  BuyerProcurement,
  ProcurementVehicle,
  procurementStatuses,
  ShippingPrice,
  SourceItem,
  SupplierProcurement,
} from "../../contract/resources/procurement.ts";
import type { Declared } from "./check-table.ts";

/** The resources whose fields have a line each, by the contract's names. */
const resources: Readonly<Record<string, unknown>> = {
  Address,
  Basket,
  Business,
  BuyerPart,
  BuyerProcurement,
  Envelope,
  Job,
  JobEventPayload,
  JobIdentity,
  JobInsert,
  Offer,
  Part,
  PartCondition,
  PartIdentity,
  PartInsert,
  ProcurementEventPayload,
  ProcurementVehicle,
  ShippingPrice,
  SourceItem,
  SupplierProcurement,
  UsedGrade,
  Vehicle,
  WorkProvider,
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The fields of an object, or those of all variants of a union. */
const fieldsOf = (schema: unknown): string[] => {
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.flatMap(fieldsOf))];
  return isRecord(schema.properties) ? Object.keys(schema.properties) : [];
};

/** Everything declared that the document has a line for. */
export const declaredContract = (): Declared => ({
  decisions: decisionTexts(),
  operations: Object.fromEntries(partnerOperations.map(({ id, scope, errors }) => [id, { scope, errors }])),
  errors: Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status])),
  names: [
    ...eventTypes,
    ...rejectReasons,
    ...procurementStatuses,
    SIGNATURE_HEADER,
    ...Object.entries(resources).flatMap(([name, schema]) => fieldsOf(schema).map((field) => `${name}.${field}`)),
  ],
});
