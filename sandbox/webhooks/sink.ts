import type { Receipt } from "../contract/control/receiver-operations.ts";
import { createCorrectResponse } from "../rules/webhooks/receiver.ts";
import { type Arrival, inspect } from "./receivers.ts";

/** Message IDs remembered; the oldest are dropped. */
const MAX_MESSAGE_IDS = 100_000;
/** Arrivals kept for display. */
const MAX_RECEIPTS = 200;

/** Contract, "Reference sink": verifies, deduplicates by `message_id`, and acknowledges. Refusals follow D78. */
export class Sink {
  readonly #seenMessages = new Set<string>();
  readonly #receipts: Receipt[] = [];
  readonly #secretOf: (integrationId: string, world: string) => Promise<string | null>;

  /** @param secretOf looks up an integration's secret in a world, then in any other */
  constructor(secretOf: (integrationId: string, world: string) => Promise<string | null>) {
    this.#secretOf = secretOf;
  }

  /** @param world named by the request */
  async receive(arrival: Arrival, world: string): Promise<{ readonly status: number; readonly body: object }> {
    const inspected = await inspect(arrival, (integrationId) => this.#secretOf(integrationId, world));
    const { reason, message_id } = inspected;
    const repeat = message_id !== null && this.#seenMessages.has(message_id);
    const { outcome, status, body } = createCorrectResponse(reason, repeat);
    if (outcome === "accepted" && message_id !== null) this.#remember(message_id);
    this.#receipts.push({ ...inspected, outcome, status, repeat });
    if (this.#receipts.length > MAX_RECEIPTS) this.#receipts.shift();
    return { status, body };
  }

  clear(): void {
    this.#seenMessages.clear();
    this.#receipts.length = 0;
  }

  /** Notifications since the start, newest first. */
  receipts(): Receipt[] {
    return this.#receipts.toReversed();
  }

  #remember(messageId: string): void {
    this.#seenMessages.add(messageId);
    const [oldest] = this.#seenMessages;
    if (this.#seenMessages.size > MAX_MESSAGE_IDS && oldest !== undefined) this.#seenMessages.delete(oldest);
  }
}
