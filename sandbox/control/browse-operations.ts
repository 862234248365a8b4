import { jobsList, procurementsList } from "../contract/control/operations.ts";
import { searchableJobs } from "../storage/jobs-store.ts";
import { where } from "../storage/lists.ts";
import { searchableProcurements } from "../storage/procurements-store.ts";
import type { BoundControl } from "./handler.ts";
import { jobRow, keyedSuppliers, namesOf, procurementRow } from "./listed-rows.ts";
import { pagedControl, pageFrom } from "./paging.ts";

/** Jobs and procurements as lists to find and recognise them; the things themselves come from the contract. */
export const browseControls: readonly BoundControl[] = [
  pagedControl(jobsList, ({ world }, { search, ids, sort = "updated", direction, ...rest }, asked) => {
    const { site_id, work_provider_id, state } = rest;
    const names = namesOf(world);
    const query = {
      search: search?.trim() || undefined,
      ids,
      conditions: [
        ...where("r.repairer_site_id = ?", site_id),
        ...where("r.work_provider_id = ?", work_provider_id),
        // A new job has no parts: an index of those too would cost every insert, and the latest jobs show them anyway.
        ...where(state === "no_parts" ? "r.state = ?" : "r.state <> 'no_parts' AND r.state = ?", state),
      ],
      order: { sort, descending: direction !== "asc" },
    };
    return pageFrom(world, searchableJobs, query, asked, (seq) => {
      const job = world.stores.jobs.at(seq);
      return job && jobRow(world, names, job);
    });
  }),
  pagedControl(procurementsList, ({ world }, { search, ids, ...rest }, asked) => {
    const { job_id, site_id, supplier_business_id, status } = rest;
    const names = namesOf(world);
    const keyed = keyedSuppliers(world);
    const query = {
      search: search?.trim() || undefined,
      ids,
      conditions: [
        ...where("r.job_id = ?", job_id),
        ...where("r.buyer_business_id = ?", site_id),
        ...where("r.supplier_business_id = ?", supplier_business_id),
        ...where("r.status = ?", status),
      ],
      order: { sort: "created", descending: true },
    };
    return pageFrom(world, searchableProcurements, query, asked, (seq) => {
      const record = world.stores.procurements.at(seq);
      return record && procurementRow(world, names, keyed, record);
    });
  }),
];
