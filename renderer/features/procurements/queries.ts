import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl, observePartner } from "../../lib/service-client.ts";

type Viewed = Pick<ProcurementRow, "id" | "job_id">;

/** What `repairer.procurements.get` answers the buyer's program; waits for a credential. */
export const buyerViewQuery = (world: string, { id, job_id }: Viewed, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: worldKeys(world).ofJob(job_id, "seen by buyer", id, credential?.integration_id),
    queryFn: credential
      ? ({ signal }) => observePartner("repairer.procurements.get", { identity: { id } }, credential, { signal })
      : skipToken,
  });

/** What `supplier.procurements.get` answers the supplier's program; waits for a credential. */
export const supplierViewQuery = (world: string, { id, job_id }: Viewed, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: worldKeys(world).ofJob(job_id, "seen by supplier", id, credential?.integration_id),
    queryFn: credential
      ? ({ signal }) => observePartner("supplier.procurements.get", { identity: { id } }, credential, { signal })
      : skipToken,
  });

/** The newest calls that moved the procurement or tried to, whatever was only read since. */
export const movesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("procurement", id, "moves"),
    queryFn: ({ signal }) =>
      callControl("requests.list", { procurement_id: id, writes: true, limit: 200, world }, { signal }),
  });

/** The newest exchanges that touched the procurement, reads too. */
export const touchingQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("procurement", id, "all"),
    queryFn: ({ signal }) => callControl("requests.list", { procurement_id: id, limit: 200, world }, { signal }),
  });
