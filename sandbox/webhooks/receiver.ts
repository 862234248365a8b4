import { type Decision, decide } from "../rules/receiver.ts";
import type { World } from "../worlds/world.ts";
import { type Arrival, inspect, receiptOf } from "./receipts.ts";

/** The path of a built-in receiver of a world. */
export const receiverPath = (id: string, worldName: string, defaultWorld: string): string =>
  `/__receiver/${id}${worldName === defaultWorld ? "" : `?world=${encodeURIComponent(worldName)}`}`;

/**
 * Lets a built-in receiver of this world answer an arrival, kept before it is answered.
 *
 * @returns what it answers; null when there is no such receiver
 */
export const receive = (world: World, id: string, arrival: Arrival): Promise<Decision | null> => {
  const { receivers, credentials } = world.stores;
  const inspection = inspect(
    arrival,
    (integrationId) => credentials.byIntegration(integrationId)?.webhook_secret ?? null,
  );
  return world.write(() => {
    const receiver = receivers.get(id);
    if (!receiver) return null;
    const { message_id, reason } = inspection;
    const repeat = message_id !== null && receivers.knows(receiver.seq, message_id);
    const decision = decide(receiver.behaviour, receiver.counted, reason, repeat);
    receivers.receive(receiver.seq, receiptOf(arrival, inspection, { ...decision, repeat }));
    return decision;
  });
};
