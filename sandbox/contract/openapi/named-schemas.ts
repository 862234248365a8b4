import { Envelope, JobEventPayload, ProcurementEventPayload } from "../events.ts";
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
  WorkProvider,
} as const;
