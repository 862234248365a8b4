import { listBusinesses } from "./businesses.list.ts";
import type { BoundHandler } from "./handler.ts";
import { insertIntegration } from "./integrations.insert.ts";
import { cancelProcurement } from "./procurements.cancel.ts";
import { reconcileInvoice } from "./repairer.invoices.reconcile.ts";
import { getLatestBasket } from "./repairer.jobs.baskets.latest.get.ts";
import { deleteJob } from "./repairer.jobs.delete.ts";
import { getJob } from "./repairer.jobs.get.ts";
import { insertJob } from "./repairer.jobs.insert.ts";
import { insertParts } from "./repairer.jobs.parts.insert.ts";
import { listParts } from "./repairer.jobs.parts.list.ts";
import { getBuyerProcurement } from "./repairer.procurements.get.ts";
import { listBuyerProcurements } from "./repairer.procurements.list.ts";
import { placeProcurements } from "./repairer.procurements.place.ts";
import { listWorkProviders } from "./repairer.work-providers.list.ts";
import { confirmProcurement } from "./supplier.procurements.confirm.ts";
import { getSupplierProcurement } from "./supplier.procurements.get.ts";
import { prepareTier1 } from "./tier1.prepare.ts";
import { prepareUpload } from "./uploads.prepare.ts";

/** All partner handlers. A test compares the list with the declared operations. */
export const partnerHandlers: readonly BoundHandler[] = [
  insertIntegration,
  listBusinesses,
  listWorkProviders,
  getJob,
  insertJob,
  insertParts,
  listParts,
  getLatestBasket,
  getBuyerProcurement,
  listBuyerProcurements,
  getSupplierProcurement,
  confirmProcurement,
  prepareTier1,
  prepareUpload,
  placeProcurements,
  cancelProcurement,
  deleteJob,
  reconcileInvoice,
];
