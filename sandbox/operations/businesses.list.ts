import { businessesList } from "../contract/operations/partner.ts";
import { handler } from "./handler.ts";

/** Contract, "businesses.list": the caller's organization only. */
export const listBusinesses = handler(businessesList, ({ stores, caller }) => ({
  items: stores.directory.listBusinesses(caller.organization_id).map(({ type, id, name }) => ({ type, id, name })),
}));
