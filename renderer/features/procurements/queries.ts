import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { partnerPath } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { callControl, observePartner } from "../../lib/service-client.ts";
import { movingOperations } from "./moves.ts";
import { procurementKeys } from "./procurement-keys.ts";

/** What the list knows of one procurement: who its two sides are; null when the world has none with this id. */
export const procurementRowQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: procurementKeys(world).row(id),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("procurements.list", { ids: [id], world }, { signal });
      return items[0] ?? null;
    },
  });

const integrationOf = (credential: KeyedCredential | null) => credential?.integration_id ?? null;

type ViewedRow = Pick<ProcurementRow, "id" | "job_id">;

/** `repairer.procurements.get`, as the buyer's program would have it answered; waits for a credential. */
export const buyerViewQuery = (world: string, row: ViewedRow, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: procurementKeys(world).view("repairer.procurements.get", row, integrationOf(credential)),
    queryFn: credential
      ? ({ signal }) =>
          observePartner("repairer.procurements.get", { identity: { id: row.id } }, credential, { signal })
      : skipToken,
  });

/** `supplier.procurements.get`, as the supplier's program would have it answered; waits for a credential. */
export const supplierViewQuery = (world: string, row: ViewedRow, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: procurementKeys(world).view("supplier.procurements.get", row, integrationOf(credential)),
    queryFn: credential
      ? ({ signal }) =>
          observePartner("supplier.procurements.get", { identity: { id: row.id } }, credential, { signal })
      : skipToken,
  });

/**
 * Calls that moved the procurement or tried to, newest first, and how many others touched it. Asked for by operation,
 * because the reads of this page alone would push them out of any page of all exchanges.
 */
export const movesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: procurementKeys(world).moves(id),
    queryFn: async ({ signal }) => {
      const ask = (search: object, limit: number) =>
        callControl("requests.list", { procurement_id: id, ...search, limit, world }, { signal });
      const [all, ...pages] = await Promise.all([
        ask({}, 1),
        ...movingOperations.map((operation) => ask({ search: partnerPath(operation) }, 50)),
      ]);
      const items = pages.flatMap((page) => page.items).toSorted((a, b) => b.at.localeCompare(a.at));
      return { items, others: Math.max(0, all.total - pages.reduce((sum, page) => sum + page.total, 0)) };
    },
  });

/** The newest exchanges that touched the procurement, reads too. */
export const touchingQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: procurementKeys(world).touching(id),
    queryFn: async ({ signal }) =>
      (await callControl("requests.list", { procurement_id: id, limit: 200, world }, { signal })).items,
  });

/** The requested procurements, newest first, as far as confirming one of them would be tried. */
export const requestedQuery = (world: string) =>
  queryOptions({
    queryKey: procurementKeys(world).requested(),
    queryFn: async ({ signal }) =>
      (await callControl("procurements.list", { status: "order_requested", limit: 200, world }, { signal })).items,
  });
