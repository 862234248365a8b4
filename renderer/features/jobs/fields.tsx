import type { ReactNode } from "react";
import type { JobRow } from "../../../sandbox/contract/control/rows.ts";
import type { WrittenFields, WrittenKey } from "../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert, Vehicle } from "../../../sandbox/contract/resources/job.ts";
import { Origin } from "../../domain/decision/origin.tsx";
import type { Names } from "../../domain/directory/directory.ts";
import { Plate } from "../../domain/job/plate.tsx";
import { plural } from "../../lib/formatting.ts";
import { jobName } from "./job-name.ts";

const none = <span data-variant="dim">–</span>;
const mono = (text: string | null) =>
  text === null ? (
    none
  ) : (
    <span data-variant="mono" title={text}>
      {text}
    </span>
  );

const byContract = <Origin of="contract" />;

const states = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"];

interface JobField {
  /** Label. */
  readonly words: string;
  /** The contract's name, in a job or its vehicle. */
  readonly name: keyof Job | keyof Vehicle;
  readonly within?: "vehicle";
  /** Pointer of a refusal, or its prefix. */
  readonly at: `/${string}`;
  /** Shown in a row of the list and in the heading. */
  readonly shown?: (row: JobRow) => ReactNode;
  /** Column width in pixels; without it, there is no column. */
  readonly width?: number;
  /** The service's sort order for the column. */
  readonly sort?: string;
  /** True if the heading shows it with its label. */
  readonly fact?: boolean;
  /** Text input in a form, where it isn't a choice. Empty text is null. */
  readonly typed?: {
    /** One value per line. */
    readonly lines?: boolean;
    readonly placeholder: string;
    readonly hint?: (text: string) => ReactNode;
  };
}

/**
 * Writable fields of a job. Table, heading, form, comparison and body use them in this order; nested fields come before
 * their parent.
 */
export const jobFields = {
  number: {
    words: "Job number",
    name: "job_number",
    at: "/job_number",
    shown: (row) => jobName(row) ?? <span data-variant="dim">no number</span>,
    width: 136,
    sort: "job_number",
    typed: { placeholder: "none", hint: () => <>Unique per site {byContract}</> },
  },
  plate: {
    words: "Plate",
    name: "plate_number",
    within: "vehicle",
    at: "/vehicle/plate_number",
    shown: (row) => (row.plate_number === null ? none : <Plate plate={row.plate_number} state={row.plate_state} />),
    width: 116,
    typed: { placeholder: "none" },
  },
  plateState: {
    words: "State",
    name: "plate_state",
    within: "vehicle",
    at: "/vehicle/plate_state",
    typed: {
      placeholder: "none",
      hint: (text) =>
        !["", ...states].includes(text) && "Any text is accepted. Australian states are ACT, NSW and so on.",
    },
  },
  siteId: {
    words: "Site",
    name: "repairer_site_id",
    at: "/repairer_site_id",
    shown: (row) => <span title={row.site.name}>{row.site.name}</span>,
    width: 160,
    fact: true,
  },
  providerId: {
    words: "Insurer",
    name: "work_provider_id",
    at: "/work_provider",
    shown: (row) => row.work_provider?.name ?? none,
    width: 132,
    fact: true,
  },
  claim: {
    words: "Claim",
    name: "claim_number",
    at: "/claim_number",
    shown: (row) => mono(row.claim_number),
    width: 130,
    fact: true,
    typed: { placeholder: "none" },
  },
  external: {
    words: "External ID",
    name: "external_id",
    at: "/identity",
    shown: (row) => mono(row.external_id),
    fact: true,
  },
  chassis: {
    words: "Chassis",
    name: "chassis_number",
    within: "vehicle",
    at: "/vehicle",
    shown: (row) => mono(row.chassis_number),
    fact: true,
    typed: { placeholder: "none" },
  },
  images: {
    words: "Pictures",
    name: "images",
    at: "/images",
    typed: {
      lines: true,
      placeholder: "none",
      hint: () => "One URL per line. To upload pictures, drop them on the job’s overview.",
    },
  },
} as const satisfies Readonly<Record<string, JobField>>;

export type FieldName = keyof typeof jobFields;

const isFieldName = (name: string): name is FieldName => Object.hasOwn(jobFields, name);
export const fieldNames: readonly FieldName[] = Object.keys(jobFields).filter(isFieldName);
export const jobField = (name: FieldName): JobField => jobFields[name];

/** A form's content: every field as text, empty for null; picture URLs one per line. */
export type JobDraft = Readonly<Record<FieldName, string>>;

const drafted = (textOf: (field: JobField) => string | null | undefined): JobDraft =>
  Object.fromEntries(fieldNames.map((name) => [name, textOf(jobFields[name]) ?? ""])) as JobDraft;

export const emptyDraft: JobDraft = drafted(() => null);

export const toJobDraft = (job: Job): JobDraft =>
  drafted(({ name, within }) => {
    if (name === "images") return job.images.map(({ public_url }) => public_url).join("\n");
    return within ? job.vehicle?.[name as keyof Vehicle] : (job[name as keyof Job] as string | null);
  });

/** Keys that a body may omit; the site is required. */
export type OptionalKey = Exclude<WrittenKey, "repairer_site_id">;
type Values = Required<Pick<JobInsert, OptionalKey>>;

/** Values of a form's writable keys: empty text is null, and so is a vehicle without values. */
export const draftValues = ({ images, ...draft }: JobDraft): Values => {
  const texts = fieldNames.flatMap((name) => {
    const { name: key, within } = jobField(name);
    return name === "images" ? [] : [{ key, within, text: draft[name] || null }];
  });
  const keys = (within: "vehicle" | undefined) =>
    Object.fromEntries(texts.filter((one) => one.within === within).map(({ key, text }) => [key, text]));
  const vehicle = keys("vehicle");
  const { external_id: _external, repairer_site_id: _site, ...top } = keys(undefined);
  return {
    ...top,
    vehicle: Object.values(vehicle).every((text) => text === null) ? null : vehicle,
    images: images.split(/\s+/).filter(Boolean),
  } as unknown as Values;
};

/** A key's value in a few words: names instead of IDs, a vehicle's plate, the number of pictures. */
export const jobValueText = (value: Job[WrittenKey] | WrittenFields[WrittenKey], names: Names): string => {
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "empty text" : (names.get(value) ?? value);
  if ("length" in value) return value.length === 0 ? "none" : plural(value.length, "picture");
  return (
    [value.plate_state, value.plate_number, value.chassis_number].filter((text) => text !== null).join(", ") ||
    "all null"
  );
};
