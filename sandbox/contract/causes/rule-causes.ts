import {
  CANCELLED,
  CONFIRMED,
  following,
  forJobInsert,
  forOperation,
  JOB,
  NUMBER,
  newJob,
  OTHER_SITE,
} from "../cause-examples.ts";
import { UNUSED_ID } from "../values.ts";
import { type Row, rule } from "./row.ts";
import type { Section } from "./sections.ts";

const JOB_INSERT = "Endpoints: repairer.jobs.insert";
/** The contract names extension operations, but shows none. */
const EXTENSIONS: Section | null = null;
const TRANSITIONS = "States and transitions";

/** Refusals by a rule of an operation, such as a state or a known value. */
export const ruleCauses = {
  job_exists: rule("unprocessable", JOB_INSERT, ["D30"], {
    sentence: "{Job} already exists, and the call has no `if_`.",
    remedy: "Add `if_` with `exists: update`. An update keeps the fields that the call leaves out.",
    fix: () => ["/if_", { exists: "update" }],
    example: forJobInsert({ identity: JOB }),
  }),
  site_unknown: rule("unprocessable", JOB_INSERT, ["D34"], {
    sentence: "The site is not one of the caller’s sites.",
    remedy: "Send the ID of a `repairer_site` that `businesses.list` returns.",
    fix: "sites",
    example: forJobInsert({ repairer_site_id: UNUSED_ID }),
  }),
  job_id_not_assigned: rule("unprocessable", JOB_INSERT, ["D31"], {
    sentence: "No job has this `id`, and new IDs are assigned by the service.",
    remedy: "Insert the job with your own identifier, as `external`.",
    fix: (_, value) => ["/identity", { external: value }],
    example: forJobInsert({ identity: { id: UNUSED_ID } }),
  }),
  work_provider_unknown: rule("work_provider_not_found", JOB_INSERT, ["D1", "D36"], {
    sentence: "No insurer has this name or ID.",
    remedy: "Send an insurer that `repairer.work-providers.list` returns.",
    fix: "insurers",
    example: forJobInsert({ work_provider_contract: "Nobody Mutual" }),
  }),
  work_providers_differ: rule("unprocessable", JOB_INSERT, ["D36"], {
    sentence: "`work_provider_id` and `work_provider_contract` name two different insurers.",
    remedy: "Send only the field that names the right insurer.",
    example: forJobInsert({
      work_provider_id: "78727963-088d-501d-b7ed-b973cd82f3ad",
      work_provider_contract: "Longreach Mutual",
    }),
  }),
  job_number_taken: rule("unprocessable", JOB_INSERT, ["D35"], {
    sentence: "Another job of the site has this number.",
    remedy: "Use a job number that no other job of this site has, or leave it out.",
    example: forJobInsert({ job_number: NUMBER }),
  }),
  own_number_taken: rule("unprocessable", JOB_INSERT, ["D35"], {
    sentence: "The job’s own number is already used at the new site.",
    remedy: "Send a `job_number` that is free at the new site, or `null`.",
    example: following(
      "repairer.jobs.insert",
      [
        {
          operation: "repairer.jobs.insert",
          body: { ...newJob("moved"), repairer_site_id: OTHER_SITE, job_number: NUMBER },
        },
      ],
      { body: newJob("moved") },
    ),
  }),
  part_of_other_job: rule("unprocessable", "Endpoints: repairer.jobs.parts.insert", ["D38"], {
    sentence: "The part belongs to another job.",
    remedy: "Leave out the part’s `identity` to insert a new part.",
    fix: (pointer) => [pointer, undefined],
    example: forOperation("repairer.jobs.parts.insert", {
      job_identity: JOB,
      parts: [{ identity: { id: "df8aa0eb-ece5-5ec9-bb6e-8f30c15883dc" } }],
    }),
  }),
  offer_unknown: rule("unprocessable", EXTENSIONS, ["D43"], {
    sentence: "The latest basket of the job doesn’t have this offer.",
    remedy: "Call `repairer.jobs.baskets.latest.get` and use its `sellable_id` values.",
    fix: "offers",
    example: forOperation("repairer.procurements.place", { job_identity: JOB, sellable_ids: [UNUSED_ID] }),
  }),
  offer_repeated: rule("unprocessable", EXTENSIONS, [], {
    sentence: "The call orders the same offer twice.",
    remedy: "Name each offer once.",
    fix: (pointer) => [pointer, undefined],
    example: ({ id }, { job_identity, sellable_ids }) => {
      if (id !== "repairer.procurements.place") return null;
      const [offer] = sellable_ids as string[];
      return { body: { job_identity, sellable_ids: [offer, offer?.toUpperCase()] } };
    },
  }),
  confirmed_already: rule("unprocessable", TRANSITIONS, ["D50"], {
    sentence: "{Order} is already confirmed.",
    remedy: "Treat the order as confirmed. Nothing is left to do.",
    example: forOperation("supplier.procurements.confirm", CONFIRMED),
  }),
  confirm_of_cancelled: rule("unprocessable", TRANSITIONS, ["D51"], {
    sentence: "{Order} is cancelled and can’t be confirmed.",
    remedy: "Read the order before you confirm it. The buyer can place the offers again.",
    example: forOperation("supplier.procurements.confirm", CANCELLED),
  }),
  cancel_of_confirmed: rule("unprocessable", TRANSITIONS, [], {
    sentence: "{Order} is confirmed and can’t be cancelled.",
    remedy: "Read the order first. Only a requested order can be cancelled.",
    example: forOperation("procurements.cancel", CONFIRMED),
  }),
  cancelled_already: rule("unprocessable", TRANSITIONS, [], {
    sentence: "{Order} is already cancelled.",
    remedy: "Treat the order as cancelled. Nothing is left to do.",
    example: forOperation("procurements.cancel", CANCELLED),
  }),
  procurement_not_confirmed: rule("unprocessable", EXTENSIONS, [], {
    sentence: "{Order} is not confirmed. Invoices are compared with confirmed orders.",
    remedy: "Have the supplier confirm the order first.",
    example: forOperation("repairer.invoices.reconcile", {
      ...CANCELLED,
      lines: [{ quantity: 1, unit_price: "1.00" }],
    }),
  }),
  not_an_amount: rule("unprocessable", EXTENSIONS, ["D55"], {
    sentence: "The price of a line is not an amount in the order’s currency.",
    remedy: 'Send a decimal string with the currency\'s digits, for example "1548.05", at most a million.',
    example: forOperation("repairer.invoices.reconcile", {
      ...CONFIRMED,
      lines: [{ quantity: 1, unit_price: "$1,548.05" }],
    }),
  }),
  job_has_live_procurement: rule("unprocessable", EXTENSIONS, ["D75"], {
    sentence: "{Job} has an order that is not cancelled.",
    remedy: "Cancel the order first, while it is requested. A confirmed order keeps its job.",
    example: forOperation("repairer.jobs.delete", { identity: JOB }),
  }),
} as const satisfies Readonly<Record<string, Row>>;
