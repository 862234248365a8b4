import type { Drill, DrillExchange, DrillRow } from "../contract/control/receiver-operations.ts";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { isSandboxAnswer } from "../rules/webhooks/receiver.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import {
  createDrillRequests,
  type DrillRequest,
  evaluateDrill,
  evaluateDrillResponse,
  isSentTogether,
} from "./drill-messages.ts";
import { createSender, listenerOffline, type SenderOptions } from "./listeners.ts";
import type { WithWorld } from "./subscription-sender.ts";

export interface DrillSource {
  readonly world: string;
  readonly delivery: DeliveryRecord;
  readonly secret: string;
  /** Secret of another integration of the world. */
  readonly foreignSecret: string;
}

/**
 * Runs drills: sends test requests to a delivery's address, evaluates the responses and stores the results. A drill
 * isn't an attempt and doesn't change its delivery. No world is leased while it waits for a receiver.
 */
export class Drills {
  readonly #ways: SenderOptions;
  readonly #withWorld: WithWorld;
  readonly #abort = new AbortController();

  constructor(options: SenderOptions, withWorld: WithWorld) {
    this.#ways = options;
    this.#withWorld = withWorld;
  }

  /**
   * Runs one drill and stores its result.
   *
   * @param unwanted aborted when nobody waits for the result; ends the drill without a result
   */
  async run(source: DrillSource, drill: DrillName, unwanted: AbortSignal): Promise<Drill> {
    const ended = AbortSignal.any([this.#abort.signal, unwanted]);
    const { delivery, secret, foreignSecret } = source;
    const { subscription_id, integration_id, side, url, event_type, label, trace_id } = delivery;
    const startedAt = realTime();
    const requests = createDrillRequests(
      drill,
      { ...delivery, event: delivery, secret, foreignSecret },
      startedAt,
      newId,
    );
    const exchanges: DrillExchange[] = [];
    if (isSentTogether(drill))
      exchanges.push(...(await Promise.all(requests.map((one) => this.#exchange(source, drill, one, ended)))));
    else
      for (const request of requests) {
        const exchange = await this.#exchange(source, drill, request, ended);
        exchanges.push(exchange);
        // No response means failure, and another request would cost another timeout.
        if (ended.aborted || exchange.response_status === null) break;
      }
    const responses = exchanges.map(({ what, response_status, response_body_base64, error }) => {
      const body = Buffer.from(response_body_base64, "base64").toString("utf8");
      return { what, status: response_status, body, error };
    });
    const row: DrillRow = {
      ...{ id: newId(), drill, ...evaluateDrill(drill, responses), at: new Date(startedAt).toISOString() },
      ...{ delivery_id: delivery.id, subscription_id, integration_id, side, url, event_type, label, trace_id },
    };
    if (!ended.aborted) await this.#keep(source.world, row, exchanges);
    return { ...row, expected: drills[drill].expects, exchanges };
  }

  /**
   * Runs every drill. The duplicate goes first, so the message is known before its bad copies. The burst of twenty goes
   * last and alone. Others run in parallel, so an unresponsive receiver costs one timeout. Finished results are kept
   * after an abort.
   */
  async runAll(source: DrillSource, unwanted: AbortSignal): Promise<void> {
    const others = drillNames.filter((drill) => drill !== "duplicate" && drill !== "twenty_at_once");
    for (const group of [["duplicate"], others, ["twenty_at_once"]] as const) {
      if (unwanted.aborted) return;
      await Promise.all(group.map((drill) => this.run(source, drill, unwanted)));
    }
  }

  async #exchange(
    { world, delivery, secret }: DrillSource,
    drill: DrillName,
    { what, headers, body }: DrillRequest,
    ended: AbortSignal,
  ): Promise<DrillExchange> {
    const sentAt = realTime();
    const sender = createSender(world, delivery.url, this.#ways);
    const close = () => sender.close();
    ended.addEventListener("abort", close);
    const prepared = { delivery, number: 0, stampedAt: sentAt, headers, body };
    const exchanged = (await sender.send(prepared))?.exchanged ?? listenerOffline(prepared);
    ended.removeEventListener("abort", close);
    close();
    const header = headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null;
    return {
      what,
      sent_at: new Date(sentAt).toISOString(),
      ...exchanged,
      verification: [...verifyNotification({ body, header, secret, now: sentAt }).steps],
      ...evaluateDrillResponse(drills[drill].expects, { status: exchanged.response_status, error: exchanged.error }),
    };
  }

  async #keep(world: string, row: DrillRow, exchanges: readonly DrillExchange[]): Promise<void> {
    await this.#withWorld(world, (open) =>
      open.write((append) => {
        // The subscription ended or its world was reset during the drill.
        if (!open.stores.subscriptions.get(row.subscription_id)) return;
        open.stores.drills.insert(row, exchanges);
        if (exchanges.some((one) => isSandboxAnswer(one.response_headers)))
          open.stores.subscriptions.markSandbox(row.subscription_id);
        append("drill", row.trace_id, row);
      }),
    );
  }

  /** Ends running drills without results. */
  stop(): void {
    this.#abort.abort();
  }
}
