import { Refusal } from "../contract/errors.ts";
import { ObsoleteCall } from "../operations/execute.ts";
import { cancelProcurement } from "../operations/procurements.cancel.ts";
import { confirmProcurement } from "../operations/supplier.procurements.confirm.ts";
import { scheduleByRule } from "../operations/test-values.ts";
import { notifyLater } from "../operations/write-outbox.ts";
import type { ActRecord } from "../storage/acts-store.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import { type CallServices, makeCall } from "./made-call.ts";
import { placeOrder } from "./place-order.ts";
import { countDone, endFailed, turnOff } from "./set-rules.ts";

const words = {
  confirm: { bound: confirmProcurement, done: "Confirmed." },
  cancel: { bound: cancelProcurement, done: "Cancelled." },
} as const;

/** Reason why an act on an order is obsolete; null if the order still waits. */
const findObsoleteReason = ({ stores, policies }: World, { test_value, procurement_id }: ActRecord): string | null => {
  if (test_value !== null && policies.test_values === "off") return "Test values were turned off.";
  const order = procurement_id === null ? undefined : stores.procurements.get(procurement_id);
  if (!order) return "The order was deleted.";
  if (order.status === "order_requested") return null;
  return `The order was already ${order.status === "cancelled" ? "cancelled" : "confirmed"}.`;
};

/** Confirms or cancels an order for its supplier, unless someone already did. */
const answerOrder = (
  world: World,
  act: ActRecord,
  kind: keyof typeof words,
  services: CallServices,
): Promise<unknown> => {
  const { stores } = world;
  const { acts } = stores;
  const { seq, organization_id, rule_id, test_value } = act;
  const { bound, done } = words[kind];
  return makeCall(
    world,
    {
      ...{ bound, organizationId: organization_id, scope: "supplier", input: { identity: { id: act.procurement_id } } },
      isOver: () => (acts.findPending(seq) ? findObsoleteReason(world, act) : "It is done already."),
      noted:
        test_value === null ? [] : [{ value: test_value, known: true, sentence: `The supplier’s answer. ${done}` }],
      ended: ({ value, details }, traceId) => {
        if (value instanceof ObsoleteCall) {
          acts.end(seq, realTime(), "skipped", value.why, null);
          const order = stores.procurements.get(act.procurement_id ?? "");
          // A rule takes over what a test value no longer answers.
          if (test_value !== null && order?.status === "order_requested" && !acts.findNextForOrder(order.id))
            scheduleByRule(stores, order, world.now());
        } else if (value instanceof Refusal) {
          acts.end(seq, realTime(), "refused", details.outcome, traceId);
          if (rule_id !== null) turnOff(stores, rule_id, details.outcome, traceId);
        } else {
          acts.end(seq, realTime(), "done", done, traceId);
          if (rule_id !== null) countDone(stores, rule_id);
        }
      },
    },
    services,
  );
};

/** Sends the notification that a test value held back. @returns whether deliveries wait now */
const notifyLate = (world: World, { seq, event_seq }: ActRecord): Promise<boolean> =>
  world.write(() => {
    const { acts } = world.stores;
    if (!acts.findPending(seq)) return false;
    const queued = notifyLater(world, event_seq ?? 0);
    if (queued === null) acts.end(seq, realTime(), "skipped", "The event is no longer kept.", null);
    else acts.end(seq, realTime(), "done", "Sent.", null);
    return queued ?? false;
  });

/**
 * Runs a due act. The act ends in the transaction of its effect, so a crash can't repeat it.
 *
 * @returns whether deliveries may wait now
 */
export const carryOut = async (world: World, act: ActRecord, services: CallServices): Promise<boolean> => {
  if (!world.stores.directory.organization(act.organization_id)) {
    await world.write(() => endFailed(world.stores, act, "The organization was deleted."));
    return false;
  }
  switch (act.kind) {
    case "notify":
      return notifyLate(world, act);
    case "confirm":
    case "cancel":
      await answerOrder(world, act, act.kind, services);
      return true;
    case "order":
      await placeOrder(world, act, services);
      return true;
  }
};
