import { Envelope, JobEventPayload, ProcurementEventPayload } from "../events.ts";
import { tier1Prepare } from "../operations/partner.ts";
import { Basket, Offer } from "../resources/basket.ts";
import { Business, WorkProvider } from "../resources/business.ts";
import { PartCondition, UsedGrade } from "../resources/condition.ts";
import { Job, JobIdentity, JobInsert, Part, PartIdentity, PartInsert, Vehicle } from "../resources/job.ts";
import {
  Address,
  BuyerPart,
  BuyerProcurement,
  ProcurementVehicle,
  ShippingPrice,
  SourceItem,
  SupplierProcurement,
} from "../resources/procurement.ts";
import { VehicleIdentifier } from "../resources/vehicle-identifier.ts";

/** The schemas that have a name of their own in the document, by that name. */
export const namedSchemas = {
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
  VehicleIdentifier,
  WorkProvider,
} as const;

/** What stands in the document for a declared schema that takes more than a caller should send. */
export const documentedAs: ReadonlyMap<unknown, keyof typeof namedSchemas> = new Map([
  // Anything is taken, to be handed back with a reason.
  [tier1Prepare.request.properties.identifiers.items, "VehicleIdentifier"],
]);
