import type { Static } from "typebox";
import * as Type from "typebox";
import { Absent, AbsoluteUrl, Nullable, OneOf, OptionalNullable, Text, U8, Uuid } from "../schema.ts";
import { testValueExamples } from "../test-values.ts";

/** Contract, "Job identity (JobIdentityV1)": exactly one of the two variants (D7). */
export const JobIdentity = Type.Union([
  Type.Object({ id: Uuid("Identifier assigned by the service"), external: Absent() }),
  Type.Object({ external: Text("Identifier assigned by the integration"), id: Absent() }),
]);
export type JobIdentity = Static<typeof JobIdentity>;

/** Contract, "Vehicle (VehicleV1)". */
export const Vehicle = Type.Object({
  chassis_number: Nullable(Text()),
  plate_number: Nullable(Text()),
  plate_state: Nullable(Text()),
});
export type Vehicle = Static<typeof Vehicle>;

/** Contract, "Job (JobV1)". Every key is present; unknown values are null. */
export const Job = Type.Object({
  id: Uuid("Job identifier assigned by the service"),
  images: Type.Array(Type.Object({ public_url: AbsoluteUrl() }), { description: "Images of the job" }),
  repairer_site_id: Uuid("Repairer site the job belongs to"),
  claim_number: Nullable(Text("Insurer claim number")),
  external_id: Nullable(Text("Identifier assigned by the integration")),
  job_number: Nullable(Text("Unique per repairer site")),
  vehicle: Nullable(Vehicle),
  work_provider_id: Nullable(Uuid("Insurer organization; when null, no insurer has access to the job")),
});
export type Job = Static<typeof Job>;

/** Contract, "repairer.jobs.insert": the body. */
export const JobInsert = Type.Object({
  identity: JobIdentity,
  repairer_site_id: Uuid("A repairer_site of the caller’s organization (D34)"),
  claim_number: OptionalNullable(
    Text("Insurer claim number; one of `x-test-values` brings about an outcome here", {
      "x-test-values": testValueExamples,
    }),
  ),
  images: OptionalNullable(Type.Array(AbsoluteUrl(), { maxItems: 100, description: "Images of the job (D37)" })),
  job_number: OptionalNullable(Text("Unique per repairer site")),
  vehicle: OptionalNullable(Vehicle),
  work_provider_contract: OptionalNullable(Text("Work provider contract name, for example the insurer name (D36)")),
  work_provider_id: OptionalNullable(Uuid("Insurer identifier")),
  if_: Type.Optional(
    Type.Object({ exists: OneOf(["update", "replace"], "What to do when the job already exists (D32, D33)") }),
  ),
});
export type JobInsert = Static<typeof JobInsert>;

export const partStatuses = ["estimated", "ordered"] as const;
export type PartStatus = (typeof partStatuses)[number];

/** Contract, "Job part (PartV1)". */
export const Part = Type.Object({
  id: Uuid("Job part identifier"),
  description: Text("Description in the locale of the user who added it"),
  status: OneOf(partStatuses, "Whether an order covers it (D42)"),
  external_id: Nullable(Text("External identifier")),
  ghca_id: Nullable(Text("Global part identifier, GHCA followed by digits (D41)")),
  note: Nullable(Text("Note")),
});
export type Part = Static<typeof Part>;

/** Contract, "PartIdentityV1": exactly one of the two variants (D7). */
export const PartIdentity = Type.Union([
  Type.Object({ id: Uuid(), external_id: Absent() }),
  Type.Object({ external_id: Text(), id: Absent() }),
]);

/** Contract, "Part to insert (PartInsertV1)": all fields optional. */
export const PartInsert = Type.Object({
  description: OptionalNullable(Text("Description (D40)")),
  identity: OptionalNullable(PartIdentity),
  note: OptionalNullable(Text("Note")),
  quantity: OptionalNullable(U8("Quantity")),
});
export type PartInsert = Static<typeof PartInsert>;

/**
 * Contract, "Vehicle identifier": exactly one of the two variants (D7). Describes the valid form; an invalid identifier
 * doesn't fail the call but is returned with a reason (D60, D61).
 */
export const VehicleIdentifier = Type.Union([
  Type.Object({
    chassis_number: Text("VIN, or frame number for Japanese domestic vehicles (D60)"),
    region: Absent(),
    state: Absent(),
    plate: Absent(),
  }),
  Type.Object({
    region: Text("ISO 3166-1 alpha-2 country code; GB, AU and NZ are supported (D61)"),
    state: OptionalNullable(Text("State or province code; required for AU (D61)")),
    plate: Text("Registration mark, 1 to 10 characters"),
    chassis_number: Absent(),
  }),
]);
