import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ProcurementRow, Side } from "../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../kernel/credentials/acting.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { callControl, observePartner } from "../../lib/service-client.ts";

/** One side's view by `repairer.procurements.get` or `supplier.procurements.get`; waits for a credential. */
export const viewQuery = (
  world: string,
  side: Side,
  { id, job_id }: Pick<ProcurementRow, "id" | "job_id">,
  credential: KeyedCredential | null,
) =>
  queryOptions({
    queryKey: worldKeys(world).ofJob(job_id, "seen by", side, id, credential?.integration_id),
    queryFn: credential
      ? ({ signal }) =>
          observePartner(`${side}.procurements.get`, { identity: { id } }, { world, key: credential }, { signal })
      : skipToken,
  });

/** The newest calls that changed the order or tried to, without reads. */
export const movesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("procurement", id, "moves"),
    queryFn: ({ signal }) =>
      callControl("requests.list", { procurement_id: id, writes: true, limit: 200, world }, { signal }),
  });
