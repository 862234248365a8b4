import type { ServiceFailure } from "../../../lib/service-failure.ts";

export type FieldName =
  | "identity"
  | "site"
  | "number"
  | "claim"
  | "provider"
  | "plate"
  | "plateState"
  | "chassis"
  | "images";

const fieldAt: ReadonlyArray<readonly [pointer: string, field: FieldName]> = [
  ["/identity", "identity"],
  ["/repairer_site_id", "site"],
  ["/job_number", "number"],
  ["/claim_number", "claim"],
  ["/work_provider", "provider"],
  ["/vehicle/plate_number", "plate"],
  ["/vehicle/plate_state", "plateState"],
  ["/vehicle", "chassis"],
  ["/images", "images"],
];

export interface Refused {
  /** The field the message names by its path; null when it names none. */
  readonly field: FieldName | null;
  readonly sentence: string;
  /** Another job the message names, which is in the way. */
  readonly otherJob: string | null;
}

/** Where a refusal belongs: a 422 names its field by JSON pointer at the beginning of its message (D3). */
export const refusedAt = (failure: ServiceFailure): Refused => {
  const pointer = /^(\/\S*)/.exec(failure.message)?.[1];
  const named = fieldAt.find(([start]) => pointer?.startsWith(start))?.[1] ?? null;
  const field = failure.code === "work_provider_not_found" ? "provider" : named;
  const otherJob = /\bjob ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i.exec(failure.message)?.[1] ?? null;
  return { field, sentence: failure.message, otherJob };
};
