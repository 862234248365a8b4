import { randomInt } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { policiesSet } from "../contract/control/world-operations.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import type { Envelope } from "../contract/events.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../secrets/webhook-signature.ts";
import type { TestService } from "../testing/harness.ts";
import { eventKey, ViolatedGuaranteeError } from "./ledger.ts";

/** Limit on the bad responses to one notification, so that its retries succeed in the end. */
const MAX_BAD_RESPONSES = 3;
const HANG_ONE_IN = 1_000;

/** Verifies and records notifications; responds with 200, 500, a closed connection or not at all. */
export class FlakyReceiver {
  readonly #onFault: (fault: ViolatedGuaranteeError) => void;
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => this.#receive(request, Buffer.concat(chunks), response));
  });
  /** By world: the `message_id` of each event. */
  readonly #delivered = new Map<string, Map<string, string>>();
  readonly #illTreated = new Map<string, number>();
  /** Number of received notifications. */
  received = 0;

  constructor(onFault: (fault: ViolatedGuaranteeError) => void) {
    this.#onFault = onFault;
  }

  start(host = "127.0.0.1"): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, host, resolve));
  }

  /** Subscribes both integrations of a world. @throws ViolatedGuaranteeError */
  async subscribe(service: TestService, world: string): Promise<void> {
    await service.control(policiesSet, { world, policies: { webhook_retries: "fast" } });
    const { address, port } = this.#server.address() as AddressInfo;
    for (const { integration_id } of Object.values(fixedCredentials)) {
      const body = { integration_id, url: `http://${address}:${port}/${world}` };
      const { status, text } = await service.post("/__webhooks/subscribe", body, { "x-sandbox-tenant": world });
      if (status !== 200)
        throw new ViolatedGuaranteeError(`Subscribing in ${world} was answered with ${status}: ${text}`);
    }
  }

  /** Returns the delivered events of a world. */
  deliveredTo(world: string): ReadonlyMap<string, string> {
    return this.#deliveredTo(world);
  }

  #deliveredTo(world: string): Map<string, string> {
    const delivered = this.#delivered.get(world) ?? new Map();
    this.#delivered.set(world, delivered);
    return delivered;
  }

  #receive(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const envelope = JSON.parse(body.toString("utf8")) as Envelope;
    const [world, header] = [request.url?.slice(1) ?? "", String(request.headers[SIGNATURE_HEADER] ?? "")];
    const addressee = Object.values(fixedCredentials).find(
      ({ integration_id }) => integration_id === envelope.integration_id,
    );
    const { reason } = verifyNotification({ body, header, secret: addressee?.webhook_secret ?? "", now: Date.now() });
    if (reason !== null)
      this.#onFault(new ViolatedGuaranteeError(`A notification to ${world} does not verify: ${reason}.`));
    this.received += 1;
    const [delivered, event] = [this.#deliveredTo(world), eventKey(envelope)];
    const { message_id } = envelope;
    if ((delivered.get(event) ?? message_id) !== message_id)
      this.#onFault(
        new ViolatedGuaranteeError(
          `${world} was notified of ${event} as ${delivered.get(event)} and as ${message_id}.`,
        ),
      );
    delivered.set(event, message_id);
    this.#respond(envelope.message_id, response);
  }

  #respond(messageId: string, response: http.ServerResponse): void {
    const times = this.#illTreated.get(messageId) ?? 0;
    const mood = randomInt(100);
    const hangs = randomInt(HANG_ONE_IN) === 0;
    if (times >= MAX_BAD_RESPONSES || (mood < 85 && !hangs)) {
      this.#illTreated.delete(messageId);
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
      return;
    }
    this.#illTreated.set(messageId, times + 1);
    if (hangs) return;
    if (mood < 96) response.writeHead(500).end("not now");
    else response.destroy();
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
