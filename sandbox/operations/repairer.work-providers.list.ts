import { workProvidersList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";

/** Contract, "repairer.work-providers.list". */
export const listWorkProviders = handler(workProvidersList, ({ stores }) => ({
  items: stores.directory.insurers().map(({ name, organization_id }) => ({ business_name: name, organization_id })),
}));
