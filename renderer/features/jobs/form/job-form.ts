import type { Job, JobInsert, Vehicle } from "../../../../sandbox/contract/resources/job.ts";
import type { ServiceFailure } from "../../../lib/service-failure.ts";

/** What the form holds: every field as text, empty for null. */
export interface JobDraft {
  readonly external: string;
  readonly siteId: string;
  readonly number: string;
  readonly claim: string;
  readonly providerId: string | null;
  readonly plate: string;
  readonly plateState: string;
  readonly chassis: string;
}

/** `none` leaves `if_` out: what then happens is the world's policy (D30). */
export type IfExists = "update" | "replace" | "none";

export const emptyDraft: JobDraft = {
  external: "",
  siteId: "",
  number: "",
  claim: "",
  providerId: null,
  plate: "",
  plateState: "",
  chassis: "",
};

export const draftOf = (job: Job): JobDraft => ({
  external: job.external_id ?? "",
  siteId: job.repairer_site_id,
  number: job.job_number ?? "",
  claim: job.claim_number ?? "",
  providerId: job.work_provider_id,
  plate: job.vehicle?.plate_number ?? "",
  plateState: job.vehicle?.plate_state ?? "",
  chassis: job.vehicle?.chassis_number ?? "",
});

const textOrNull = (text: string): string | null => (text === "" ? null : text);

const vehicleOf = ({ plate, plateState, chassis }: JobDraft): Vehicle | null =>
  plate === "" && plateState === "" && chassis === ""
    ? null
    : {
        chassis_number: textOrNull(chassis),
        plate_number: textOrNull(plate),
        plate_state: textOrNull(plateState),
      };

/** The fields a caller can write, as the draft has them. */
const fieldsOf = (draft: JobDraft) => ({
  job_number: textOrNull(draft.number),
  claim_number: textOrNull(draft.claim),
  work_provider_id: draft.providerId,
  vehicle: vehicleOf(draft),
});

/** Only the keys that say something. */
const stated = <T extends object>(fields: T): Partial<T> => {
  const kept: Partial<T> = {};
  for (const key of Object.keys(fields) as Array<keyof T>) if (fields[key] !== null) kept[key] = fields[key];
  return kept;
};

/** The body that inserts a new job: empty fields are left out. */
export const insertBody = (draft: JobDraft): JobInsert => ({
  identity: { external: draft.external },
  repairer_site_id: draft.siteId,
  ...stated(fieldsOf(draft)),
});

const sameVehicle = (a: Vehicle | null, b: Vehicle | null): boolean =>
  a?.chassis_number === b?.chassis_number && a?.plate_number === b?.plate_number && a?.plate_state === b?.plate_state;

/** The keys whose values differ from the job's, an emptied one as an explicit null (D32). */
const changedFields = (job: Job, draft: JobDraft) => {
  const { job_number, claim_number, work_provider_id, vehicle } = fieldsOf(draft);
  return {
    ...(job_number === job.job_number ? {} : { job_number }),
    ...(claim_number === job.claim_number ? {} : { claim_number }),
    ...(work_provider_id === job.work_provider_id ? {} : { work_provider_id }),
    ...(sameVehicle(vehicle, job.vehicle) ? {} : { vehicle }),
  };
};

/**
 * The body that changes a job. An update names only what differs; a replace names everything that is to stay, since
 * what it leaves out becomes empty (D33): the images too, unless `withImages`.
 */
export const changeBody = (job: Job, draft: JobDraft, ifExists: IfExists, withImages: boolean): JobInsert => {
  const identity = { id: job.id };
  const site = { repairer_site_id: draft.siteId };
  if (ifExists !== "replace") {
    return {
      identity,
      ...site,
      ...changedFields(job, draft),
      ...(ifExists === "update" ? { if_: { exists: ifExists } } : {}),
    };
  }
  const images = withImages && job.images.length > 0 ? { images: job.images.map(({ public_url }) => public_url) } : {};
  return { identity, ...site, ...stated(fieldsOf(draft)), ...images, if_: { exists: "replace" } };
};

/** What the job will be after the body was taken, if it is taken: the decisions D32 and D33 applied here. */
export const predictedJob = (job: Job, body: JobInsert): Job => {
  const replaces = body.if_?.exists === "replace";
  const pick = <V>(sent: V | null | undefined, present: V | null): V | null =>
    sent === undefined ? (replaces ? null : present) : sent;
  const images = body.images?.map((public_url) => ({ public_url }));
  return {
    ...job,
    repairer_site_id: body.repairer_site_id,
    job_number: pick(body.job_number, job.job_number),
    claim_number: pick(body.claim_number, job.claim_number),
    work_provider_id: pick(body.work_provider_id, job.work_provider_id),
    vehicle: pick(body.vehicle, job.vehicle),
    images: images ?? (replaces || body.images === null ? [] : job.images),
  };
};

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
