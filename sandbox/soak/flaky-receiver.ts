import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Envelope } from "../contract/events.ts";
import { SIGNATURE_HEADER } from "../contract/signature.ts";
import { verifyNotification } from "../rules/webhook-signature.ts";
import { bodyFault, type Delivered, eventKey, type Receipt } from "./checks.ts";
import { Fault } from "./ledger.ts";

/** So often one notification is treated badly at most; a schedule of retries comes to its end no sooner than this. */
const PATIENCE = 3;

/** One address of the receiver, subscribed for one integration. */
export interface Subscriber {
  readonly name: string;
  readonly integration_id: string;
  readonly secret: string;
  /** The events it is notified of begin with one of these. */
  readonly hears: readonly string[];
}

export interface FlakyReceiverOptions {
  readonly subscribers: readonly Subscriber[];
  /** A number below `sides`. */
  readonly roll: (sides: number) => number;
  /** One of so many notifications is never answered. */
  readonly hangOneIn: number;
  readonly onFault: (fault: Fault) => void;
}

interface Mailbox extends Delivered {
  readonly subscriber: Subscriber;
  readonly receipts: Receipt[];
}

/** Verifies and notes down what it gets; answers 200, 500, with a closed connection or not at all. */
export class FlakyReceiver {
  readonly #options: FlakyReceiverOptions;
  readonly #server: http.Server;
  readonly #boxes: ReadonlyMap<string, Mailbox>;
  readonly #illTreated = new Map<string, number>();
  readonly #hanging = new Set<http.ServerResponse>();
  #calm = false;

  private constructor(options: FlakyReceiverOptions) {
    this.#options = options;
    this.#boxes = new Map(
      options.subscribers.map((subscriber) => {
        const concerns = (event: string) => subscriber.hears.some((type) => event.startsWith(`${type} `));
        return [`/${subscriber.name}`, { subscriber, name: subscriber.name, concerns, receipts: [] }];
      }),
    );
    this.#server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.#receive(request, Buffer.concat(chunks), response));
    });
  }

  static async start(options: FlakyReceiverOptions): Promise<FlakyReceiver> {
    const receiver = new FlakyReceiver(options);
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  urlOf({ name }: Subscriber): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  get delivered(): readonly Delivered[] {
    return [...this.#boxes.values()];
  }

  get received(): number {
    return this.delivered.reduce((sum, { receipts }) => sum + receipts.length, 0);
  }

  #receive(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const box = this.#boxes.get(request.url ?? "");
    if (!box) return void response.writeHead(404).end();
    const header = String(request.headers[SIGNATURE_HEADER] ?? "");
    const { secret } = box.subscriber;
    const fault = bodyFault(box.name, verifyNotification({ body, header, secret, now: Date.now() }));
    if (fault !== null) this.#options.onFault(new Fault(fault));
    const envelope = JSON.parse(body.toString("utf8")) as Envelope;
    const { message_id } = envelope;
    box.receipts.push({ event: eventKey(envelope), message_id });
    this.#answer(message_id, response);
  }

  #answer(messageId: string, response: http.ServerResponse): void {
    const times = this.#illTreated.get(messageId) ?? 0;
    const mood = this.#options.roll(100);
    const hangs = this.#options.roll(this.#options.hangOneIn) === 0;
    if (this.#calm || times >= PATIENCE || (mood < 85 && !hangs)) {
      this.#illTreated.delete(messageId);
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
      return;
    }
    this.#illTreated.set(messageId, times + 1);
    if (hangs) {
      this.#hanging.add(response);
      response.on("close", () => this.#hanging.delete(response));
    } else if (mood < 96) response.writeHead(500).end("not now");
    else response.destroy();
  }

  /** From now on everything is answered with 200. */
  calm(): void {
    this.#calm = true;
    for (const response of this.#hanging) response.destroy();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
