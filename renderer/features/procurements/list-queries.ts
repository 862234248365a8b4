import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";
import type { LiveListQuery } from "../../app/live/live-list.ts";
import type { Total } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import type { ProcurementFilter } from "./address.ts";
import { procurementKeys } from "./procurement-keys.ts";

export type Counts = Readonly<Record<ProcurementStatus, Total>>;

export const sumOf = (counts: readonly Total[]): Total => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  total_is_minimum: counts.some(({ total_is_minimum }) => total_is_minimum),
});

const asked = ({ search, site, supplier }: ProcurementFilter) => ({
  ...(search.trim() === "" ? {} : { search: search.trim() }),
  ...(site === null ? {} : { site_id: site }),
  ...(supplier === null ? {} : { supplier_business_id: supplier }),
});

/** The procurements of a state, newest first. */
export const procurementList = (
  world: string,
  filter: ProcurementFilter,
  status: ProcurementStatus,
): LiveListQuery<ProcurementRow> => ({
  queryKey: procurementKeys(world).list({ ...filter, status }),
  read: (from, signal) => callControl("procurements.list", { ...asked(filter), status, ...from, world }, { signal }),
  fits: (row) => row.status === status,
});
