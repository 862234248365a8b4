import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import { procurementsList, requestsList, tracesGet } from "../../../sandbox/contract/control/operations.ts";
import { pathOf } from "../../../sandbox/contract/operation.ts";
import {
  partnerOperations,
  repairerProcurementsGet,
  supplierProcurementsGet,
} from "../../../sandbox/contract/operations/partner.ts";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl, callPartner } from "../../lib/service-client.ts";
import type { StateFilter } from "./procurements-store.ts";

const searching = (search: string) => (search === "" ? {} : { search });

/** How many procurements match the search, by state: the group heads know it before their rows are read. */
export const procurementCountsQuery = (world: string, search: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("counts", search),
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        procurementStatuses.map((status) =>
          callControl(procurementsList, { ...searching(search), status, limit: 1, world }, { signal }),
        ),
      );
      const count = (status: ProcurementStatus) => pages[procurementStatuses.indexOf(status)]?.total ?? 0;
      return {
        order_requested: count("order_requested"),
        order_confirmed: count("order_confirmed"),
        cancelled: count("cancelled"),
      };
    },
    placeholderData: keepPreviousData,
  });

interface PageStart {
  readonly status: ProcurementStatus;
  readonly cursor: string | null;
}

/** Where the page after this one begins: further in the same state, else at the next state; undefined at the end. */
export const pageAfter = (at: PageStart, nextCursor: string | null, filter: StateFilter): PageStart | undefined => {
  if (nextCursor !== null) return { status: at.status, cursor: nextCursor };
  const next = filter === null ? procurementStatuses[procurementStatuses.indexOf(at.status) + 1] : undefined;
  return next && { status: next, cursor: null };
};

/** The list, state by state, newest first within each. A state without rows takes no page of its own. */
export const procurementPagesQuery = (world: string, search: string, filter: StateFilter) =>
  infiniteQueryOptions({
    queryKey: worldKeys(world).procurements("list", search, filter),
    initialPageParam: { status: filter ?? procurementStatuses[0], cursor: null } as PageStart,
    queryFn: async ({ pageParam, signal }) => {
      for (let at = pageParam; ; ) {
        const { status, cursor } = at;
        const body = { ...searching(search), status, ...(cursor === null ? {} : { cursor }), world };
        const page = await callControl(procurementsList, body, { signal });
        const next = pageAfter(at, page.next_cursor, filter);
        if (page.items.length > 0 || next === undefined) return { items: page.items, next };
        at = next;
      }
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

/** What the list knows of one procurement: who its two sides are; null when the world has none with this id. */
export const procurementRowQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("row", id),
    queryFn: async ({ signal }) => {
      const { items } = await callControl(procurementsList, { search: id, limit: 10, world }, { signal });
      return items.find((row) => row.id === id) ?? null;
    },
  });

const keyFor = (world: string, operation: string, id: string, credential: KeyedCredential | null) =>
  worldKeys(world).partner(operation, { identity: { id } }, credential?.integration_id ?? null);

/** `repairer.procurements.get`, as the buyer's program would have it answered; waits for a credential. */
export const buyerViewQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: keyFor(world, repairerProcurementsGet.id, id, credential),
    queryFn: credential
      ? ({ signal }) => callPartner(repairerProcurementsGet, { identity: { id } }, credential, { signal })
      : skipToken,
  });

/** `supplier.procurements.get`, as the supplier's program would have it answered; waits for a credential. */
export const supplierViewQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  queryOptions({
    queryKey: keyFor(world, supplierProcurementsGet.id, id, credential),
    queryFn: credential
      ? ({ signal }) => callPartner(supplierProcurementsGet, { identity: { id } }, credential, { signal })
      : skipToken,
  });

const moving = partnerOperations.filter(({ id, effect }) => effect === "write" && id.includes(".procurements."));

/**
 * Calls that moved the procurement or tried to, newest first, and how many others touched it. Asked for by operation,
 * because the reads of this page alone would push them out of any page of all exchanges.
 */
export const movesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("procurement", id, "moves"),
    queryFn: async ({ signal }) => {
      const ask = (search: object, limit: number) =>
        callControl(requestsList, { procurement_id: id, ...search, limit, world }, { signal });
      const [all, ...pages] = await Promise.all([
        ask({}, 1),
        ...moving.map((operation) => ask({ search: pathOf(operation) }, 50)),
      ]);
      const items = pages.flatMap((page) => page.items).toSorted((a, b) => b.at.localeCompare(a.at));
      return { items, reads: Math.max(0, all.total - pages.reduce((sum, page) => sum + page.total, 0)) };
    },
  });

/** The newest exchanges that touched the procurement, reads too. */
export const touchingQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("procurement", id, "all"),
    queryFn: async ({ signal }) =>
      (await callControl(requestsList, { procurement_id: id, limit: 200, world }, { signal })).items,
  });

/** One mutation's chain. Kept with the deliveries, because they are all that changes in it once it is written. */
export const traceQuery = (world: string, traceId: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("trace", traceId),
    queryFn: traceId === null ? skipToken : ({ signal }) => callControl(tracesGet, { id: traceId, world }, { signal }),
  });

/** A requested procurement whose supplier's key the sandbox holds: where confirming can be tried; null when there is none. */
export const confirmableQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("confirmable"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl(
        procurementsList,
        { status: "order_requested", limit: 200, world },
        { signal },
      );
      return items.find((row) => row.supplier.has_credential) ?? null;
    },
  });
