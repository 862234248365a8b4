import type { Drill, DrillExchange, DrillRow } from "../contract/control/receiver-rows.ts";
import { type DrillName, drillNames } from "../contract/drill-names.ts";
import { drills } from "../contract/drills.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { type DrillRequest, type DrillSubject, drillRequests, judgeAnswer, judgeDrill } from "../rules/drills.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";
import type { DeliveryRecord } from "../storage/delivery-records.ts";
import { newId } from "../storage/new-id.ts";
import type { World } from "../worlds/world.ts";
import { type Reach, Sender } from "./send.ts";

/** A delivery to make drills from, with what they are signed with. */
export interface DrillSource {
  readonly delivery: DeliveryRecord;
  readonly secret: string;
}

const subjectOf = (world: World, { delivery, secret }: DrillSource): DrillSubject => {
  const { drills: store, outbox } = world.stores;
  const neighbour = store.neighbour({ ...delivery, job_id: delivery.event.job_id });
  return {
    message_id: delivery.message_id,
    integration_id: delivery.integration_id,
    secret,
    event: delivery.event,
    other: (neighbour === null ? undefined : outbox.delivery(neighbour))?.event ?? null,
  };
};

/**
 * Tests receivers on purpose: sends what a drill is made of to the address of a delivery, judges the answers and keeps
 * them. Beside the outbox: a drill is no attempt, and leaves the delivery it is made from as it is.
 */
export class Drills {
  readonly #reach: Reach;
  readonly #abort = new AbortController();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /**
   * Runs one drill and keeps its result.
   *
   * @param unwanted aborted when nobody waits for the result: what is under way ends, and nothing is kept
   */
  async run(world: World, source: DrillSource, drill: DrillName, unwanted: AbortSignal): Promise<Drill> {
    const ended = AbortSignal.any([this.#abort.signal, unwanted]);
    const startedAt = Date.now();
    const exchanges: (DrillExchange & { readonly what: string })[] = [];
    for (const request of drillRequests(drill, subjectOf(world, source), startedAt, newId)) {
      exchanges.push(await this.#exchange(source, drill, request, ended));
      if (ended.aborted) break;
    }
    const { delivery } = source;
    const row: DrillRow = {
      id: newId(),
      drill,
      ...judgeDrill(
        drill,
        exchanges.map(({ what, response_status: status, error }) => ({ what, status, error })),
      ),
      at: new Date(startedAt).toISOString(),
      delivery_id: delivery.id,
      subscription_id: delivery.subscription_id,
      integration_id: delivery.integration_id,
      side: delivery.side,
      url: delivery.url,
      event_type: delivery.event.event_type,
      label: delivery.event.label,
      trace_id: delivery.event.trace_id,
    };
    // Ended by its caller or a stop: nobody waits for the answer.
    if (!ended.aborted) await this.#keep(world, row, exchanges);
    return { ...row, expected: drills[drill].expects, exchanges };
  }

  /**
   * Runs every drill. The duplicate goes first, so that the message is known by the time bad copies of it arrive; the
   * others go side by side, so that a receiver that answers nothing costs one wait and not nine. Results that were there
   * before `unwanted` was aborted are kept.
   */
  async runAll(world: World, source: DrillSource, unwanted: AbortSignal): Promise<void> {
    await this.run(world, source, "duplicate", unwanted);
    const others = unwanted.aborted ? [] : drillNames.filter((drill) => drill !== "duplicate");
    await Promise.all(others.map((drill) => this.run(world, source, drill, unwanted)));
  }

  async #exchange(
    source: DrillSource,
    drill: DrillName,
    request: DrillRequest,
    ended: AbortSignal,
  ): Promise<DrillExchange> {
    const { delivery, secret } = source;
    const sentAt = Date.now();
    const { headers, body } = request;
    const sender = new Sender(delivery.url, this.#reach);
    const close = () => sender.close();
    ended.addEventListener("abort", close, { once: true });
    const sent = await sender.send({ delivery, number: 0, stampedAt: sentAt, headers, body });
    ended.removeEventListener("abort", close);
    close();
    return {
      what: request.what,
      sent_at: new Date(sentAt).toISOString(),
      duration_ms: sent.durationMs,
      request_headers: sent.prepared.headers.map(([name, value]): [string, string] => [name, value]),
      request_body_base64: body.toString("base64"),
      response_status: sent.status,
      response_headers: sent.headers,
      response_body_base64: sent.body.toString("base64"),
      response_truncated: sent.truncated,
      error: sent.error,
      verification: [
        ...verifyNotification({
          body,
          header: headers.find(([name]) => name === SIGNATURE_HEADER)?.[1] ?? null,
          secret,
          now: sentAt,
        }).steps,
      ],
      ...judgeAnswer(drills[drill].expects, sent),
    };
  }

  #keep(world: World, row: DrillRow, exchanges: readonly DrillExchange[]): Promise<void> {
    return world.write((append) => {
      const { subscriptions, drills: store } = world.stores;
      // Ended while the drill was under way, and its results with it.
      if (!subscriptions.get(row.subscription_id)) return;
      store.insert({ ...row, exchanges });
      append("drill", row.trace_id, row);
    });
  }

  /** Ends what is under way, unrecorded. */
  stop(): void {
    this.#abort.abort();
  }
}
