import type { EventType } from "../event-types.ts";
import type { RequestOf } from "../operation.ts";
import type { partnerOperations } from "../operations/partner.ts";
import answers from "./generated/answers.json" with { type: "json" };
import type { Json, Plain } from "./schemas.ts";

type PartnerOperation = (typeof partnerOperations)[number];
type Examples = { readonly [O in PartnerOperation as O["id"]]: RequestOf<O> };

/** Values of the seeded world that examples name; a test holds them to the seed. */
export const exampleClient = {
  client_id: "demo-client",
  client_secret: "cs_demo_4f1c9a7e2b8d4063a5be71c0d93f6e28",
} as const;
export const exampleCredentials = {
  repairer: {
    integration_id: "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
    webhook_secret: "pwh_Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA",
  },
  supplier: {
    integration_id: "8e27b4d6-51ac-4f39-a0c8-93d4e5f60b72",
    webhook_secret: "pwh_Zr5hC8wNqD2yBt7MxGk1VsLf9JpEa4UoR6iXnTgK3cQ",
  },
} as const;
export const exampleMedia = { id: "93014059-0550-527f-b4db-22fe3a43bd62", name: "front.webp" } as const;

const JOB = { external: "estimate:88213" } as const;
const JOB_WITH_OFFERS = { external: "estimate:88128" } as const;
const JOB_WITH_PROCUREMENTS = { external: "estimate:88179" } as const;
const REQUESTED = { id: "c95ff06c-9b3e-5ce1-b298-504cbf3a212f" } as const;
const CONFIRMED = { id: "9806f291-aa39-5d64-8aa5-beec14b247e4" } as const;

/**
 * One request of each operation. They name things of the seeded world, so that what the document shows can be sent as
 * it stands (only an access code is good once); a test sends every one of them.
 */
export const requestExamples: Examples = {
  "integrations.insert": { access_code: "ac_Zk3vN0mQxT5uHc8rWb1yLw", ...exampleClient },
  "businesses.list": {},
  "repairer.work-providers.list": {},
  "repairer.jobs.get": { identity: JOB },
  "repairer.jobs.insert": {
    identity: { external: "estimate:90001" },
    repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99",
    job_number: "J-90001",
    claim_number: "LRM-7731904",
    images: ["https://images.example.com/90001/front-left.jpg"],
    vehicle: { chassis_number: "7A8DK0S1904128461", plate_number: "NKR482", plate_state: null },
    work_provider_contract: "Longreach Mutual",
    if_: { exists: "update" },
  },
  "repairer.jobs.parts.insert": {
    job_identity: { external: "estimate:88216" },
    parts: [
      { description: "Bonnet", quantity: 1, identity: { external_id: "line-1" }, note: "Hinges reusable" },
      { description: "Front bumper cover" },
    ],
  },
  "repairer.jobs.parts.list": { job_identity: JOB_WITH_PROCUREMENTS },
  "repairer.jobs.baskets.latest.get": { job_identity: JOB_WITH_OFFERS },
  "repairer.procurements.get": { identity: REQUESTED },
  "repairer.procurements.list": { job_identity: JOB_WITH_PROCUREMENTS },
  "supplier.procurements.get": { identity: REQUESTED },
  "supplier.procurements.confirm": { identity: REQUESTED },
  "tier1.prepare": {
    identifiers: [
      { region: "AU", state: "VIC", plate: "1XQ7KD" },
      { chassis_number: "7A8DK0S1904128461" },
      { region: "US", plate: "1ABC234" },
    ],
  },
  "uploads.prepare": { file_name: "front-left.jpg", media_type: "image", type: "job_media" },
  "repairer.procurements.place": {
    job_identity: JOB_WITH_OFFERS,
    sellable_ids: ["baa9cccb-63ed-5876-b19d-0d14917aa3b2", "8b3db78e-5b37-582c-be82-07153cefdc7d"],
  },
  "procurements.cancel": { identity: REQUESTED },
  "repairer.jobs.delete": { identity: JOB },
  "repairer.invoices.reconcile": {
    identity: CONFIRMED,
    lines: [
      { sellable_id: "328ddf7d-b705-57f0-b951-3caa5bfe9769", quantity: 1, unit_price: "1548.05" },
      { description: "Windscreen adhesive kit", quantity: 2, unit_price: "76.15" },
      { description: "Camera calibration", quantity: 1, unit_price: "180.00" },
    ],
  },
};

/** A notification as it was posted, and the header it was signed with. */
export interface RecordedNotification {
  readonly signature: string;
  readonly body: Json;
}

/**
 * What the service answered in fresh worlds whose clock stood still. A test records it again and fails when it is not
 * the same; what is new at every call (identifiers, keys, signatures) has been given fixed values.
 */
export interface Recorded {
  /** The answer to the example request, by operation. */
  readonly answers: Readonly<Record<string, Json>>;
  /** What refusals an operation was provoked to, by operation and code. */
  readonly refusals: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Refusals that do not depend on the operation, by code and what provoked them. */
  readonly shared: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly notifications: Readonly<Partial<Record<EventType, RecordedNotification>>>;
}

/** Stands in the recording where the service's own address stood. */
export const BASE_URL_PLACE = "{base_url}";

/** The recording as a service at this address would have answered. */
export const recordedAt = (serverUrl: string): Recorded =>
  JSON.parse(JSON.stringify(answers).replaceAll(BASE_URL_PLACE, serverUrl)) as Recorded;

/** Media type examples, each with its badge. */
export const examplesOf = (values: Readonly<Record<string, Json>>, badge: Plain = {}): Plain =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { ...badge, value }]));
