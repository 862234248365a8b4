import * as Type from "typebox";
import { OneOf, Text, Uuid } from "../schema.ts";

export const businessTypes = ["supplier", "repairer", "repairer_site", "insurer"] as const;
export type BusinessType = (typeof businessTypes)[number];

/** Contract, "Business (BusinessV1)". */
export const Business = Type.Object({
  type: OneOf(businessTypes),
  id: Uuid("Business identifier"),
  name: Text("Business name"),
});

/** Contract, "Work provider (WorkProviderV1)". */
export const WorkProvider = Type.Object({ business_name: Text(), organization_id: Text() });
