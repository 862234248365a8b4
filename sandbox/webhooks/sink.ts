import type { RejectReason } from "../contract/signature.ts";
import { refusalStatus } from "../rules/receiver.ts";
import type { ReceiptRecord } from "../storage/receivers-store.ts";
import { type Arrival, inspect, receiptOf } from "./receipts.ts";

/** How many message ids the sink remembers; older ones are forgotten first. */
const REMEMBERED = 100_000;
/** How many arrivals the sink can show. */
const SHOWN = 200;

export type SinkAnswer =
  | { readonly status: 200; readonly body: { readonly ok: true; readonly deduped: boolean } }
  | { readonly status: 400 | 401; readonly body: { readonly ok: false; readonly reason: RejectReason } };

/** Contract, "Reference sink": verifies, deduplicates by `message_id`, acknowledges; refusals as D78 decides. */
export class Sink {
  readonly #seen = new Set<string>();
  readonly #receipts: ReceiptRecord[] = [];
  readonly #secretOf: (integrationId: string) => string | null;

  /** @param secretOf finds an integration's secret in any world */
  constructor(secretOf: (integrationId: string) => string | null) {
    this.#secretOf = secretOf;
  }

  receive(arrival: Arrival): SinkAnswer {
    const inspection = inspect(arrival, this.#secretOf);
    const { reason, message_id } = inspection;
    const repeat = message_id !== null && this.#seen.has(message_id);
    const answer: SinkAnswer =
      reason === null
        ? { status: 200, body: { ok: true, deduped: repeat } }
        : { status: refusalStatus(reason), body: { ok: false, reason } };
    if (reason === null && message_id !== null && !repeat) this.#remember(message_id);
    const outcome = reason === null ? (repeat ? "repeated" : "accepted") : "refused";
    this.#receipts.push(receiptOf(arrival, inspection, { outcome, status: answer.status, repeat }));
    if (this.#receipts.length > SHOWN) this.#receipts.shift();
    return answer;
  }

  /** Forgets what arrived. */
  clear(): void {
    this.#seen.clear();
    this.#receipts.length = 0;
  }

  /** What arrived since the service started, newest first. */
  receipts(): ReceiptRecord[] {
    return this.#receipts.toReversed();
  }

  #remember(messageId: string): void {
    this.#seen.add(messageId);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}
