import { queryOptions, skipToken } from "@tanstack/react-query";
import type { Attempt, DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { bytesFromBase64, parseJsonBytes } from "../../../lib/bytes.ts";
import { type Difference, differences } from "../../../lib/diff.ts";
import { isId } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { exactText, notificationField, sameBytes, signatureIn } from "../message/notification.ts";

/** An attempt as it went over the wire. */
export interface SentAttempt {
  readonly delivery: Pick<DeliveryRow, "id" | "event_type" | "label" | "url">;
  readonly number: number;
  readonly body: Uint8Array;
  readonly signature: string | null;
}

/** How pasted bytes differ from those that were sent. */
export type Compared =
  | { readonly kind: "same" }
  /** The values are the same: their keys are in another order, or spaces and escapes differ. */
  | { readonly kind: "printed"; readonly isReordered: boolean }
  | { readonly kind: "values"; readonly differences: readonly Difference[] }
  /** What was pasted is no JSON; the offset of the first byte that differs. */
  | { readonly kind: "bytes"; readonly at: number };

/** The message that a body names, also where it is no JSON any more; null: none. */
export const messageIdIn = (body: Uint8Array): string | null => {
  const named =
    notificationField(body, "message_id") ?? /"message_id"\s*:\s*"([^"]*)"/.exec(exactText(body) ?? "")?.[1] ?? "";
  return isId(named) ? named.toLowerCase() : null;
};

const sentOf = (
  delivery: SentAttempt["delivery"],
  { number, request_body_base64, request_headers }: Attempt,
): SentAttempt => ({
  ...{ delivery, number, body: bytesFromBase64(request_body_base64) },
  signature: signatureIn(request_headers),
});

/** How many deliveries of one message are looked at: each subscription has one. */
const MOST_DELIVERIES = 20;

/** Every attempt of a message in a world, newest delivery first. */
export const sentQuery = (world: string, messageId: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("of-message", messageId),
    queryFn:
      messageId === null
        ? skipToken
        : async ({ signal }): Promise<SentAttempt[]> => {
            const asked = { world, message_id: messageId, limit: MOST_DELIVERIES };
            const { items } = await callControl("deliveries.list", asked, { signal });
            const found = await Promise.all(
              items.map(({ id }) => callControl("deliveries.get", { id, world }, { signal })),
            );
            return found.flatMap((delivery) => delivery.attempts.map((attempt) => sentOf(delivery, attempt)));
          },
  });

/** The attempt that pasted bytes are closest to: the very bytes, else the same timestamp, else the same signature. */
export const closestMatch = (
  attempts: readonly SentAttempt[],
  body: Uint8Array,
  signature: string | null,
): SentAttempt | undefined => {
  const stamp = notificationField(body, "webhook_timestamp");
  return (
    attempts.find((one) => sameBytes(one.body, body)) ??
    attempts.find((one) => stamp !== null && notificationField(one.body, "webhook_timestamp") === stamp) ??
    attempts.find((one) => one.signature !== null && one.signature === signature) ??
    attempts[0]
  );
};

export const compare = (sent: Uint8Array, pasted: Uint8Array): Compared => {
  if (sameBytes(sent, pasted)) return { kind: "same" };
  const [before, after] = [parseJsonBytes(sent), parseJsonBytes(pasted)];
  if (after === undefined) {
    const at = pasted.findIndex((byte, index) => byte !== sent[index]);
    return { kind: "bytes", at: at === -1 ? pasted.length : at };
  }
  const found = differences(before, after);
  if (found.length > 0) return { kind: "values", differences: found };
  return { kind: "printed", isReordered: JSON.stringify(before) !== JSON.stringify(after) };
};
