interface JobField {
  /** What the person calls it. */
  readonly words: string;
  /** What the contract calls it. */
  readonly name: string;
  /** Where a refusal says it is, or begins to say so. */
  readonly at: `/${string}`;
}

/** What a partner can write of a job; of what lies within another, the inner stands first. */
export const jobFields = {
  external: { words: "External ID", name: "external_id", at: "/identity" },
  siteId: { words: "Site", name: "repairer_site_id", at: "/repairer_site_id" },
  number: { words: "Job number", name: "job_number", at: "/job_number" },
  claim: { words: "Claim", name: "claim_number", at: "/claim_number" },
  providerId: { words: "Insurer", name: "work_provider_id", at: "/work_provider" },
  plate: { words: "Plate", name: "plate_number", at: "/vehicle/plate_number" },
  plateState: { words: "State", name: "plate_state", at: "/vehicle/plate_state" },
  chassis: { words: "Chassis", name: "chassis_number", at: "/vehicle" },
  images: { words: "Pictures", name: "images", at: "/images" },
} as const satisfies Readonly<Record<string, JobField>>;

export type FieldName = keyof typeof jobFields;

const isFieldName = (name: string): name is FieldName => Object.hasOwn(jobFields, name);
export const fieldNames: readonly FieldName[] = Object.keys(jobFields).filter(isFieldName);
