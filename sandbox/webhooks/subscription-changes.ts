import type { StateChange } from "../contract/control/rows.ts";
import type { Standing } from "../storage/subscriptions-store.ts";

type Subscribed = Pick<Standing, "id" | "integration_id" | "url"> &
  Partial<Pick<Standing, "paused_at" | "paused_by" | "pending">>;

const iso = (at: number | null | undefined): string | null =>
  typeof at === "number" ? new Date(at).toISOString() : null;

const stateOf = ({ id, integration_id, url, paused_at, paused_by = null, pending = 0 }: Subscribed) => ({
  ...{ id, integration_id, url, pending, paused_by },
  paused_at: iso(paused_at),
});

const change = (of: Subscribed, what: StateChange["change"], sides: Pick<StateChange, "before" | "after">) => ({
  ...{ entity: "subscription" as const, id: of.id, label: of.url, change: what, job_id: null },
  ...sides,
});

/** What the world's log says of a new subscription. */
export const subscribed = (made: Subscribed): StateChange =>
  change(made, "inserted", { before: null, after: stateOf(made) });

/** What the world's log says of one that was paused or resumed. */
export const subscriptionChanged = (before: Subscribed, after: Subscribed): StateChange =>
  change(after, "updated", { before: stateOf(before), after: stateOf(after) });

/** What the world's log says of one that has ended; what waited for it ended with it. */
export const unsubscribed = (ended: Subscribed): StateChange =>
  change(ended, "deleted", { before: stateOf(ended), after: null });
