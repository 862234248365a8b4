import {
  following,
  forOperation,
  inOther,
  NUMBER,
  naming,
  newJob,
  OTHER_WORLD,
  OTHERS_JOB,
  OTHERS_ORDER,
  PLACE,
  RESET,
} from "../cause-examples.ts";
import { type Row, rule } from "./row.ts";

/** Refusals of an ID that names no record of the caller. */
export const identityCauses = {
  job_unknown: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "Job not found for this integration.",
    remedy: "Check the ID and the API key. Jobs of other organizations also return 404.",
    fix: "jobs",
    example: naming("job"),
  }),
  procurement_unknown: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "Order not found for this integration.",
    remedy: "Check the ID and the API key. Orders of other organizations also return 404.",
    fix: "procurements",
    example: naming("procurement"),
  }),
  job_of_another: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The job belongs to another organization.",
    remedy: "Send the key of the organization that owns the job. Jobs of other organizations return 404.",
    fix: "jobs",
    example: forOperation("repairer.jobs.parts.list", { job_identity: { id: OTHERS_JOB } }),
  }),
  procurement_of_another: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The order belongs to other organizations.",
    remedy: "Send the key of the order’s buyer or supplier. Orders of other organizations return 404.",
    fix: "procurements",
    example: forOperation("supplier.procurements.get", { identity: { id: OTHERS_ORDER } }),
  }),
  job_in_other_world: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The job is in another world.",
    remedy: "Name the job’s world in `x-sandbox-tenant`.",
    example: following("repairer.jobs.get", [inOther("repairer.jobs.insert", newJob("elsewhere"))], {
      body: { identity: newJob("elsewhere").identity },
    }),
  }),
  procurement_in_other_world: rule("not_found", "Errors", ["D1", "D25"], {
    sentence: "The order is in another world.",
    remedy: "Name the order’s world in `x-sandbox-tenant`.",
    example: following("repairer.procurements.get", [inOther("repairer.procurements.place", PLACE, "placed")], {
      body: { identity: { id: "{{placed.items.0.id}}" } },
    }),
  }),
  id_of_other_kind: rule("not_found", "Errors", ["D1"], {
    sentence: "The ID belongs to another kind of resource.",
    remedy: "Send an ID of the kind that the operation takes.",
    example: forOperation("repairer.procurements.get", { identity: { id: OTHERS_JOB } }),
  }),
  id_as_external: rule("not_found", "Errors", ["D1"], {
    sentence: "`external` holds another identifier of the job.",
    remedy: "Send the job’s own ID as `id`, and the identifier your program gave it as `external`.",
    example: forOperation("repairer.jobs.parts.list", { job_identity: { external: NUMBER } }),
  }),
  job_from_before: rule("not_found", "Errors", ["D1", "D82"], {
    sentence: "The ID is from before this world was created, reset or restored.",
    remedy: "Insert the job again. A reset, a restore or a deletion takes what a world held, and a job gets a new ID.",
    example: following("repairer.jobs.get", [inOther("repairer.jobs.insert", newJob("before"), "job"), RESET], {
      ...{ tenant: OTHER_WORLD, body: { identity: { id: "{{job.id}}" } } },
    }),
  }),
  procurement_from_before: rule("not_found", "Errors", ["D1", "D82"], {
    sentence: "The ID is from before this world was created, reset or restored.",
    remedy:
      "Place the order again. A reset, a restore or a deletion takes what a world held, and an order gets a new ID.",
    example: following("repairer.procurements.get", [inOther("repairer.procurements.place", PLACE, "placed"), RESET], {
      tenant: OTHER_WORLD,
      body: { identity: { id: "{{placed.items.0.id}}" } },
    }),
  }),
  job_deleted: rule("not_found", "Errors", ["D1"], {
    sentence: "The job was deleted.",
    remedy: "Insert the job again if it is still needed. It gets a new ID.",
    example: following(
      "repairer.jobs.get",
      [
        { operation: "repairer.jobs.insert", body: newJob("deleted") },
        { operation: "repairer.jobs.delete", body: { identity: newJob("deleted").identity } },
      ],
      { body: { identity: newJob("deleted").identity } },
    ),
  }),
} as const satisfies Readonly<Record<string, Row>>;
