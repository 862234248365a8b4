import { jobsList, procurementsList, procurementsPreview } from "../contract/control/operations.ts";
import { refuse } from "../contract/errors.ts";
import { supplierView } from "../operations/views.ts";
import { confirmed } from "../rules/confirmation.ts";
import { moveProcurement } from "../rules/procurement-states.ts";
import { jobList } from "../storage/jobs-store.ts";
import { where } from "../storage/lists.ts";
import { procurementList } from "../storage/procurements-store.ts";
import { type BoundControl, control } from "./handler.ts";
import { jobRow, keyedSuppliers, namesOf, procurementRow } from "./listed-rows.ts";
import { pagedControl, pageFrom } from "./paging.ts";

/** Jobs and procurements as lists to find and recognise them; the things themselves come from the contract. */
export const browseControls: readonly BoundControl[] = [
  pagedControl(jobsList, (context, { search, ids, sort = "updated", direction, ...rest }, asked) => {
    const { world } = context;
    const { site_id, work_provider_id, state } = rest;
    const names = namesOf(world);
    const query = {
      search: search?.trim() || undefined,
      ids,
      conditions: [
        ...where("r.repairer_site_id = ?", site_id),
        ...where("r.work_provider_id = ?", work_provider_id),
        ...where("r.state = ?", state),
      ],
      order: { sort, descending: direction !== "asc" },
    };
    return pageFrom(context, jobList, query, asked, (seq) => {
      const job = world.stores.jobs.at(seq);
      return job && jobRow(world, names, job);
    });
  }),
  pagedControl(procurementsList, (context, { search, ids, ...rest }, asked) => {
    const { world } = context;
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
    return pageFrom(context, procurementList, query, asked, (seq) => {
      const record = world.stores.procurements.at(seq);
      return record && procurementRow(world, names, keyed, record);
    });
  }),
  control(procurementsPreview, ({ world }, { id }) => {
    const record = world.stores.procurements.get(id);
    if (!record)
      return refuse("not_found", `/id ${id} names no order in this world. Orders are listed by procurements.list`);
    const { kind } = moveProcurement("confirm", record.status, world.policies);
    const after = kind === "moves" ? supplierView(confirmed(record, world.now())) : null;
    return { before: supplierView(record), after };
  }),
];
