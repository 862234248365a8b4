import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { LiveEntry } from "../contract/live.ts";
import { Database } from "../storage/database.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { SubscriptionRecord } from "../storage/subscriptions-store.ts";
import { World } from "../worlds/world.ts";

export const SECRET = "pwh_secret-of-a-test";
export const INTEGRATION = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";
const ORGANIZATION = "organization";

/** A world without a service; tests fill its outbox directly. */
export class DeliveringWorld {
  readonly world: World;
  readonly published: LiveEntry[] = [];
  /** The last published log entry, or one that a test wrote. */
  #last = 0;
  #count = 0;

  constructor() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
    const db = new Database(path.join(folder, "world.sqlite"), { durability: "off" });
    db.epoch = Date.now();
    this.world = new World("team", db, {
      onPublish: ({ stores: { log } }) => {
        this.published.push(...log.after(this.#last, 10_000));
        this.#last = this.published.at(-1)?.id ?? this.#last;
      },
      onError: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(() => {
      this.world.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    this.world.stores.credentials.insert({
      integration_id: INTEGRATION,
      api_key: "sbx_key",
      webhook_secret: SECRET,
      organization_id: ORGANIZATION,
      scope: "repairer",
      client_id: null,
      preloaded: false,
      created_at: Date.now(),
    });
  }

  /** Gives an engine access to the world. */
  readonly withWorld = <T>(_name: string, work: (world: World) => T): T | undefined =>
    this.world.db.handle.open ? work(this.world) : undefined;

  /** Subscribes an address for the integration. */
  subscribe(id: string, url = `http://127.0.0.1/${id}`): SubscriptionRecord {
    const { subscriptions } = this.world.stores;
    subscriptions.insert({ id, integration_id: INTEGRATION, url, created_at: Date.now() });
    return this.subscription(id);
  }

  /** Queues deliveries, one event each. @returns their IDs, which contain their position: `s-1`, `s-2`, … */
  queue(subscriptionId: string, count = 1): string[] {
    const { outbox, log } = this.world.stores;
    const queued = Array.from({ length: count }, () => {
      this.#count += 1;
      const id = `${subscriptionId}-${this.#count}`;
      const event_seq = outbox.insertEvent({
        id: newId(),
        event_type: "repairer.jobs",
        event_timestamp: Date.now(),
        organization_id: ORGANIZATION,
        payload: { job_id: id, change_action: "inserted" },
        trace_id: `trace of ${id}`,
        traceparent: null,
        job_id: id,
        procurement_id: null,
        label: id,
        announces: "inserted",
      });
      outbox.insertDelivery({
        id,
        event_seq,
        message_id: newId(),
        subscription_id: subscriptionId,
        created_at: Date.now(),
        repeats_id: null,
      });
      return id;
    });
    this.#last = log.newest(1)[0]?.id ?? 0;
    return queued;
  }

  /** Retries failed deliveries within seconds. */
  async retryFast(): Promise<void> {
    const policies = { ...this.world.policies, webhook_retries: "fast" } as const;
    await this.world.write(() => this.world.stores.settings.set("policies", policies));
    this.world.reread();
  }

  subscription(id: string): SubscriptionRecord {
    const found = this.world.stores.subscriptions.get(id);
    if (!found) throw new Error(`there is no subscription ${id}`);
    return found;
  }

  delivery(id: string): DeliveryRecord {
    const delivery = this.world.stores.outbox.delivery(id);
    if (!delivery) throw new Error(`there is no delivery ${id}`);
    return delivery;
  }
}
