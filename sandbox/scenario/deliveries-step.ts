import type { Receipt } from "../contract/control/receiver-operations.ts";
import type { DeliveriesStep } from "../contract/scenario.ts";
import { readField, tryParseJson } from "../rules/json/untyped.ts";
import type { Difference } from "../rules/scenarios/first-difference.ts";
import { findDifference } from "../rules/scenarios/scenario-match.ts";

type Expected = DeliveriesStep["deliveries"];

/** A notification as received, across all its attempts. */
interface Notification extends Pick<Receipt, "event_type" | "reason"> {
  readonly message_id: string;
  readonly payload: unknown;
  /** Response to the first attempt; null: none. */
  readonly answered: Receipt["status"];
}

const parsePayload = ({ body_base64 }: Receipt): unknown =>
  readField(tryParseJson(Buffer.from(body_base64, "base64").toString("utf8")), "payload");

/** Returns the distinct notifications, oldest first. @param receipts newest first */
export const parseNotifications = (receipts: readonly Receipt[]): Notification[] => {
  const byMessage = new Map<string, Notification>();
  for (const receipt of receipts.toReversed()) {
    const { id, event_type, reason, status } = receipt;
    const message_id = receipt.message_id ?? id;
    const known = byMessage.get(message_id);
    // One invalid attempt makes the notification invalid.
    byMessage.set(message_id, {
      message_id,
      event_type,
      payload: parsePayload(receipt),
      answered: known ? known.answered : status,
      reason: known?.reason ?? reason,
    });
  }
  return [...byMessage.values()];
};

const shown = ({ event_type, payload, reason }: Notification): object => ({
  event_type,
  payload,
  ...(reason === null ? {} : { reason }),
});

/**
 * Matches received notifications with the expected ones, or returns the difference.
 *
 * @param received notifications that no earlier step expected, oldest first
 */
export const matchNotifications = (
  { expect, others = "allowed", signature = "verified" }: Expected,
  received: readonly Notification[],
): readonly Notification[] | Difference => {
  const left = [...received];
  const matched: Notification[] = [];
  for (const [index, { event_type, payload, count = 1, answered }] of expect.entries()) {
    const path = `/deliveries/expect/${index}`;
    const fits = (one: Notification): boolean =>
      one.event_type === event_type && (payload === undefined || findDifference(payload, one.payload) === null);
    const found = left.filter(fits).slice(0, count === 0 ? undefined : count);
    if (found.length !== count) {
      const expected = { event_type, ...(payload === undefined ? {} : { payload }), count };
      const got = { count: found.length, of: left.map(shown) };
      return { path, expected, got };
    }
    const bad = signature === "verified" ? found.find(({ reason }) => reason !== null) : undefined;
    if (bad) return { path: `${path}/signature`, expected: "verified", got: bad.reason };
    const other = answered === undefined ? undefined : found.find((one) => one.answered !== answered);
    if (other) return { path: `${path}/answered`, expected: answered, got: other.answered };
    for (const one of found) left.splice(left.indexOf(one), 1);
    matched.push(...found);
  }
  const [other] = left;
  return others === "none" && other ? { path: "/deliveries/others", expected: "none", got: shown(other) } : matched;
};
