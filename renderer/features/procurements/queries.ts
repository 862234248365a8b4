import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { differences } from "../../lib/diff.ts";
import { callControl, observePartner } from "../../lib/service-client.ts";
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

/** The newest calls that moved the procurement or tried to, whatever was only read since. */
export const movesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: procurementKeys(world).moves(id),
    queryFn: ({ signal }) =>
      callControl("requests.list", { procurement_id: id, writes: true, limit: 200, world }, { signal }),
  });

/** The newest exchanges that touched the procurement, reads too. */
export const touchingQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: procurementKeys(world).touching(id),
    queryFn: ({ signal }) => callControl("requests.list", { procurement_id: id, limit: 200, world }, { signal }),
  });

/** The newest procurement that could be confirmed here; null when there is none. */
export const confirmableQuery = (world: string) =>
  queryOptions({
    queryKey: procurementKeys(world).confirmable(),
    queryFn: async ({ signal }) => {
      const asked = { status: "order_requested", supplier_has_credential: true, limit: 1 } as const;
      return (await callControl("procurements.list", { ...asked, world }, { signal })).items[0] ?? null;
    },
  });

/** It sets a date by the world's clock. */
const PREVIEW_EVERY_MS = 60_000;

/** What confirming the procurement now would change in it. */
export const previewQuery = (world: string, row: ViewedRow) =>
  queryOptions({
    queryKey: procurementKeys(world).preview(row),
    queryFn: async ({ signal }) => {
      const { before, after } = await callControl("procurements.preview", { id: row.id, world }, { signal });
      return after === null ? [] : differences(before, after);
    },
    refetchInterval: PREVIEW_EVERY_MS,
  });
