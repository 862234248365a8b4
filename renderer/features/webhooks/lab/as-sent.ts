import { queryOptions, skipToken } from "@tanstack/react-query";
import type { Attempt, DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { bytesFromBase64, parseJsonBytes } from "../../../lib/bytes.ts";
import { type Difference, differences } from "../../../lib/diff.ts";
import { isId } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { exactText, findSignature, notificationField, sameBytes } from "../message/notification.ts";

/** An attempt exactly as sent. */
export interface SentAttempt {
  readonly delivery: Pick<DeliveryRow, "id" | "event_type" | "label" | "url">;
  readonly number: number;
  readonly body: Uint8Array;
  readonly signature: string | null;
}

/** Difference between pasted and sent bytes. */
export type Compared =
  | { readonly kind: "same" }
  /** Equal values with another key order, other spaces or other escapes. */
  | { readonly kind: "printed"; readonly isReordered: boolean }
  | { readonly kind: "values"; readonly differences: readonly Difference[] }
  /** Invalid JSON; the offset of the first different byte. */
  | { readonly kind: "bytes"; readonly at: number };

/** Returns the message ID of a body, even when it is invalid JSON; null for none. */
export const findMessageId = (body: Uint8Array): string | null => {
  const named =
    notificationField(body, "message_id") ?? /"message_id"\s*:\s*"([^"]*)"/.exec(exactText(body) ?? "")?.[1] ?? "";
  return isId(named) ? named.toLowerCase() : null;
};

const listSent = (
  delivery: SentAttempt["delivery"],
  { number, request_body_base64, request_headers }: Attempt,
): SentAttempt => ({
  ...{ delivery, number, body: bytesFromBase64(request_body_base64) },
  signature: findSignature(request_headers),
});

/** Limit on the compared deliveries of a message: one per subscription. */
const MAX_DELIVERIES = 20;

/** All attempts of a message in a world, newest delivery first. */
export const sentQuery = (world: string, messageId: string | null) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("of-message", messageId),
    queryFn:
      messageId === null
        ? skipToken
        : async ({ signal }): Promise<SentAttempt[]> => {
            const request = { world, message_id: messageId, limit: MAX_DELIVERIES };
            const { items } = await callControl("deliveries.list", request, { signal });
            const found = await Promise.all(
              items.map(({ id }) => callControl("deliveries.get", { id, world }, { signal })),
            );
            return found.flatMap((delivery) => delivery.attempts.map((attempt) => listSent(delivery, attempt)));
          },
  });

/**
 * Returns the attempt that is most similar to pasted bytes: equal bytes, else an equal timestamp, else an equal
 * signature.
 */
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
