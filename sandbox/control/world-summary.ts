import type { DeliveryStatus } from "../contract/control/rows.ts";
import { worldSummary } from "../contract/control/world-operations.ts";
import { passedIn } from "../contract/drills.ts";
import { isoOrNull } from "../rules/timestamp.ts";
import { deliveryRow } from "../storage/delivery-records.ts";
import { type InStatus, totalsOf } from "../storage/totals.ts";
import { control } from "./handler.ts";

const statusRow = ({ last_at, ...counted }: InStatus) => ({ ...counted, last_at: isoOrNull(last_at) });

/** How much there is in a world: read from ends of indexes and counters, so that it may be asked all the time. */
export const worldSummaryControl = control(worldSummary, ({ world, info }) => {
  const { outbox, drills, requests } = world.stores;
  const { jobs, procurements, by_status, ...totals } = totalsOf(world.db);
  const subscriptions = outbox.counted();
  const sumOf = (status: DeliveryStatus) => subscriptions.reduce((sum, counted) => sum + counted[status], 0);
  const [first, last] = [outbox.delivered("first"), outbox.delivered("last")];
  return {
    ...totals,
    jobs: { ...jobs, last_changed_at: isoOrNull(jobs.last_changed_at) },
    procurements: {
      ...procurements,
      by_status: {
        order_requested: statusRow(by_status.order_requested),
        order_confirmed: statusRow(by_status.order_confirmed),
        cancelled: statusRow(by_status.cancelled),
      },
    },
    deliveries: {
      pending: sumOf("pending"),
      delivered: sumOf("delivered"),
      failed: sumOf("failed"),
      next_attempt_at: info.deliveriesOn ? isoOrNull(world.nextDueAt()) : null,
      first_delivered: first ? deliveryRow(first) : null,
      last_delivered: last ? deliveryRow(last) : null,
    },
    subscriptions: subscriptions.map((counted) => {
      const results = [...drills.latest(counted.id).values()];
      return { ...counted, drills_run: results.length, drills_passed: passedIn(results) };
    }),
    first_calls: requests.firstDone(),
  };
});
