import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ProcurementStatus, procurementStatuses } from "../../../sandbox/contract/values.ts";
import type { Total } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import type { ProcurementFilter } from "./address.ts";
import { procurementKeys } from "./procurement-keys.ts";

export type Counts = Readonly<Record<ProcurementStatus, Total>>;

export const sumOf = (counts: readonly Total[]): Total => ({
  total: counts.reduce((sum, { total }) => sum + total, 0),
  total_is_minimum: counts.some(({ total_is_minimum }) => total_is_minimum),
});

const asked = ({ search, siteId, supplierId }: ProcurementFilter) => ({
  ...(search.trim() === "" ? {} : { search: search.trim() }),
  ...(siteId === null ? {} : { site_id: siteId }),
  ...(supplierId === null ? {} : { supplier_business_id: supplierId }),
});

/** How many procurements there are by state, whichever state is looked at: heads know it before their rows are read. */
export const procurementCountsQuery = (world: string, filter: ProcurementFilter) =>
  queryOptions({
    queryKey: procurementKeys(world).counts({ ...filter, status: null }),
    queryFn: async ({ signal }): Promise<Counts> => {
      const pages = await Promise.all(
        procurementStatuses.map((status) =>
          callControl("procurements.list", { ...asked(filter), status, limit: 1, world }, { signal }),
        ),
      );
      const count = (status: ProcurementStatus): Total =>
        pages[procurementStatuses.indexOf(status)] ?? { total: 0, total_is_minimum: false };
      return {
        order_requested: count("order_requested"),
        order_confirmed: count("order_confirmed"),
        cancelled: count("cancelled"),
      };
    },
    placeholderData: keepPreviousData,
  });

export interface PageStart {
  readonly status: ProcurementStatus;
  readonly cursor: string | null;
}

/** Where the page after this one begins: further in the same state, else at the next state; undefined at the end. */
export const pageAfter = (
  at: PageStart,
  nextCursor: string | null,
  only: ProcurementStatus | null,
): PageStart | undefined => {
  if (nextCursor !== null) return { status: at.status, cursor: nextCursor };
  const next = only === null ? procurementStatuses[procurementStatuses.indexOf(at.status) + 1] : undefined;
  return next && { status: next, cursor: null };
};

/** The list, state by state, newest first within each. A state without rows takes no page of its own. */
export const procurementPagesQuery = (world: string, filter: ProcurementFilter) =>
  infiniteQueryOptions({
    queryKey: procurementKeys(world).pages(filter),
    initialPageParam: { status: filter.status ?? procurementStatuses[0], cursor: null } as PageStart,
    queryFn: async ({ pageParam, signal }) => {
      for (let at = pageParam; ; ) {
        const { status, cursor } = at;
        const body = { ...asked(filter), status, ...(cursor === null ? {} : { cursor }), world };
        const page = await callControl("procurements.list", body, { signal });
        const next = pageAfter(at, page.next_cursor, filter.status);
        if (page.items.length > 0 || next === undefined) return { items: page.items, next };
        at = next;
      }
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

/** The sites and suppliers of the world, by name: what the list can be narrowed to. */
export const directoryQuery = (world: string) =>
  queryOptions({
    queryKey: procurementKeys(world).directory(),
    queryFn: async ({ signal }) => (await callControl("directory.list", { world }, { signal })).items,
  });
