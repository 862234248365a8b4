import type { Receipt } from "../contract/control/receiver-operations.ts";
import { createCorrectResponse } from "../rules/webhooks/receiver.ts";
import type { World } from "../worlds/world.ts";
import { type Arrival, inspect, type OtherSecret } from "./receivers.ts";

/** Message IDs remembered; the oldest are dropped. */
const MAX_MESSAGE_IDS = 100_000;
/** Integrations of a world whose secrets are recognised, newest first. */
const MAX_SECRETS = 50;
export const listSecrets = ({ stores }: World): OtherSecret[] =>
  stores.credentials.list(MAX_SECRETS).map(({ organization_id, webhook_secret }) => ({
    name: stores.directory.organization(organization_id)?.name ?? "another organization",
    secret: webhook_secret,
  }));
/** Arrivals kept for display. */
const MAX_RECEIPTS = 200;

/** Contract, "Reference sink": verifies, deduplicates by `message_id`, and acknowledges. Refusals follow D78. */
export class Sink {
  readonly #seenMessages = new Set<string>();
  readonly #receipts: Receipt[] = [];
  readonly #secretOf: (integrationId: string, world: string) => Promise<string | null>;
  readonly #secretsIn: (world: string) => readonly OtherSecret[];

  /**
   * @param secretOf looks up an integration's secret in a world, then in any other
   * @param secretsIn secrets of a world's integrations, to recognise them
   */
  constructor(
    secretOf: (integrationId: string, world: string) => Promise<string | null>,
    secretsIn: (world: string) => readonly OtherSecret[],
  ) {
    this.#secretOf = secretOf;
    this.#secretsIn = secretsIn;
  }

  /** @param world named by the request */
  async receive(arrival: Arrival, world: string): Promise<{ readonly status: number; readonly body: object }> {
    const secretOf = (integrationId: string) => this.#secretOf(integrationId, world);
    const inspected = await inspect(arrival, secretOf, () => this.#secretsIn(world));
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

  /** @param id of the call */
  find(id: string): Receipt | undefined {
    return this.#receipts.find((one) => one.id === id);
  }

  #remember(messageId: string): void {
    this.#seenMessages.add(messageId);
    const [oldest] = this.#seenMessages;
    if (this.#seenMessages.size > MAX_MESSAGE_IDS && oldest !== undefined) this.#seenMessages.delete(oldest);
  }
}
