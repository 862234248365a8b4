import {
  basketsLatestGet,
  businessesList,
  jobsInsert,
  partsInsert,
  procurementsPlace,
} from "../contract/operations/partner.ts";
import { repairer, supplier, type TestService } from "./harness.ts";

/** Returns the first site of the pre-loaded buyer. */
export const ownSite = async (service: TestService, headers: Record<string, string> = {}): Promise<string> => {
  const { items } = await service.ok(businessesList, {}, repairer, headers);
  return items.find((one) => one.type === "repairer_site")?.id ?? "";
};

/** Creates a job with two parts, and orders all offers of the pre-loaded supplier. */
export const placeOrder = async (
  service: TestService,
  external: string,
  headers: Record<string, string> = {},
  claim_number: string | null = null,
): Promise<{ readonly id: string; readonly job_id: string }> => {
  const identity = { external };
  const job = { identity, repairer_site_id: await ownSite(service, headers), claim_number };
  const { id: job_id } = await service.ok(jobsInsert, job, repairer, headers);
  const parts = [{ description: "Bonnet" }, { description: "Front bumper cover" }];
  await service.ok(partsInsert, { job_identity: identity, parts }, repairer, headers);
  const { offers } = await service.ok(basketsLatestGet, { job_identity: identity }, repairer, headers);
  const [meridian] = (await service.ok(businessesList, {}, supplier, headers)).items;
  const sellable_ids = offers.filter((one) => one.supplier_business_id === meridian?.id).map((one) => one.sellable_id);
  const placed = await service.ok(procurementsPlace, { job_identity: identity, sellable_ids }, repairer, headers);
  return { id: placed.items[0]?.id ?? "", job_id };
};
