import type { RequestOf } from "../operation.ts";
import type { partnerOperations } from "../operations/partner.ts";

type PartnerOperation = (typeof partnerOperations)[number];
type Examples = { readonly [O in PartnerOperation as O["id"]]: RequestOf<O> };

const JOB = { external: "estimate:88213" } as const;
const PROCUREMENT = { id: "9d0c6a3e-58f4-4a07-9b60-2f1f4c1f7a55" };

/**
 * One request of each operation. They name things of the seeded world, so that what the document shows can be sent as
 * it stands; a test sends every one of them.
 */
export const requestExamples: Examples = {
  "integrations.insert": {
    access_code: "ac_Zk3vN0mQxT5uHc8rWb1yLw",
    client_id: "demo-client",
    client_secret: "cs_demo_4f1c9a7e2b8d4063a5be71c0d93f6e28",
  },
  "businesses.list": {},
  "repairer.work-providers.list": {},
  "repairer.jobs.get": { identity: JOB },
  "repairer.jobs.insert": {
    identity: { external: "estimate:90001" },
    repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99",
    job_number: "J-90001",
    vehicle: { chassis_number: "7A8DK0S1904128461", plate_number: "NKR482", plate_state: null },
    work_provider_contract: "Longreach Mutual",
    if_: { exists: "update" },
  },
  "repairer.jobs.parts.insert": {
    job_identity: JOB,
    parts: [
      { description: "Bonnet", quantity: 1, identity: { external_id: "line-1" } },
      { description: "Front bumper cover" },
    ],
  },
  "repairer.jobs.parts.list": { job_identity: JOB },
  "repairer.jobs.baskets.latest.get": { job_identity: JOB },
  "repairer.procurements.get": { identity: PROCUREMENT },
  "repairer.procurements.list": { job_identity: JOB },
  "supplier.procurements.get": { identity: PROCUREMENT },
  "supplier.procurements.confirm": { identity: PROCUREMENT },
  "tier1.prepare": {
    identifiers: [
      { region: "AU", state: "VIC", plate: "1XQ7KD" },
      { chassis_number: "7A8DK0S1904128461" },
      { region: "US", plate: "1ABC234" },
    ],
  },
  "uploads.prepare": { file_name: "front-left.jpg", media_type: "image", type: "job_media" },
  "repairer.procurements.place": { job_identity: JOB, sellable_ids: ["6b1f4a55-1c0e-4f9a-8f4b-5d8f3e0f2a10"] },
  "procurements.cancel": { identity: PROCUREMENT },
  "repairer.jobs.delete": { identity: JOB },
  "repairer.invoices.reconcile": {
    identity: PROCUREMENT,
    lines: [{ description: "Bonnet", quantity: 1, unit_price: "884.75" }],
  },
};
