import { queryOptions } from "@tanstack/react-query";
import type { DeliveryStatus } from "../../../sandbox/contract/control/rows.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { ProcurementStatus } from "../../../sandbox/contract/values.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";

/** How many jobs the map's sums look at: all of them in most worlds, the last changed ones in large ones. */
const SUMMED_JOBS = 200;

/** Jobs in all, and the parts of those looked at. */
export const jobSumsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).jobs("sums"),
    queryFn: async ({ signal }) => {
      const { items, ...counted } = await callControl("jobs.list", { limit: SUMMED_JOBS, world }, { signal });
      const withParts = items.filter((job) => job.parts > 0);
      return {
        counted,
        whole: counted.next_cursor === null,
        lastChange: items[0]?.updated_at ?? null,
        parts: withParts.reduce((sum, job) => sum + job.parts, 0),
        baskets: withParts.length,
      };
    },
  });

/** How many procurements are in a state, and when the newest of them was placed. */
export const stateCountQuery = (world: string, status: ProcurementStatus) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("state-count", status),
    queryFn: async ({ signal }) => {
      const { items, ...counted } = await callControl("procurements.list", { status, limit: 1, world }, { signal });
      return { ...counted, newest: items[0]?.created_at ?? null };
    },
  });

/** How many of the newest procurements are looked at for the last one that was confirmed. */
const LOOKED_AT = 100;

/** How many procurements are confirmed, and when the last one was, in the world's time; null also where too many are. */
export const confirmedQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).procurements("confirmed"),
    queryFn: async ({ signal }) => {
      const { items, ...counted } = await callControl(
        "procurements.list",
        { status: "order_confirmed", limit: LOOKED_AT, world },
        { signal },
      );
      const last = items
        .map((row) => row.updated_at)
        .sort()
        .at(-1);
      return { ...counted, last: counted.next_cursor === null ? (last ?? null) : null };
    },
  });

/** The last call that confirmed a procurement, by anyone. */
export const lastConfirmQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("last", "supplier.procurements.confirm"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl(
        "requests.list",
        { done: "supplier.procurements.confirm", limit: 1, world },
        { signal },
      );
      return items[0]?.at ?? null;
    },
  });

/** How many deliveries are in a state; for pending ones the next try among the newest hundred. */
export const deliveryCountQuery = (world: string, status: DeliveryStatus) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("count", status),
    queryFn: async ({ signal }) => {
      const { items, total } = await callControl(
        "deliveries.list",
        { status, limit: status === "pending" ? 100 : 1, world },
        { signal },
      );
      const tries = items.flatMap((row) => row.next_attempt_at ?? []).sort();
      return { total, nextTry: tries[0] ?? null, newest: items[0] ?? null };
    },
  });

export const subscriptionsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).subscriptions(),
    queryFn: async ({ signal }) => (await callControl("subscriptions.list", { world }, { signal })).items,
  });

/** How many of the drills were run on a subscription. */
export const drillsRunQuery = (world: string, subscription_id: string) =>
  queryOptions({
    queryKey: worldKeys(world).drills("run", subscription_id),
    queryFn: async ({ signal }) => {
      const { run, items } = await callControl("drills.list", { subscription_id, world }, { signal });
      return { run, of: items.length };
    },
  });

const HEALTH_EVERY_MS = 15_000;

/** Whether the service can serve and write, as it says itself. */
export const healthQuery = () =>
  queryOptions({
    queryKey: ["service", "health"] as const,
    queryFn: async ({ signal }) => {
      const answer = await fetch("/__health", { cache: "no-store", signal });
      if (!answer.ok) throw new Error(`it answers ${answer.status} when asked for its health`);
      return true;
    },
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  });

/** Events in all. */
export const eventCountQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).traces("event-count"),
    queryFn: ({ signal }) => callControl("events.list", { limit: 1, world }, { signal }),
  });

/** The first successful call of an operation, by anyone; null when there was none. Asked until there is one. */
export const firstDoneQuery = (world: string, operation: PartnerCall | "webhooks.subscribe") =>
  queryOptions({
    queryKey: worldKeys(world).requests("first", operation),
    queryFn: async ({ signal }) => {
      const { items } = await callControl(
        "requests.list",
        { done: operation, direction: "asc", limit: 1, world },
        { signal },
      );
      return items[0] ?? null;
    },
    enabled: (query) => !query.state.data,
  });

/** More deliveries are not read for the sake of the first. */
const LOOKED_THROUGH = 100;

/** The first delivery that arrived, where there are not too many since to find it. Asked until there is one. */
export const firstDeliveredQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("first delivered"),
    queryFn: async ({ signal }) => {
      const { items, total } = await callControl(
        "deliveries.list",
        { status: "delivered", limit: LOOKED_THROUGH, world },
        { signal },
      );
      return { total, first: total > items.length ? null : (items.at(-1) ?? null) };
    },
    enabled: (query) => !query.state.data?.total,
  });
