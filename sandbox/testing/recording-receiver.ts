import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Envelope } from "../contract/events.ts";

export interface Received {
  readonly at: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly envelope: Envelope;
}

type Respond = (received: Received, count: number) => number | Promise<number>;

/** A partner's webhook receiver that records requests byte for byte. */
export class RecordingReceiver {
  readonly received: Received[] = [];
  readonly #server: http.Server;
  #respond: Respond = () => 200;
  #breaks = false;

  private constructor() {
    this.#server = http.createServer((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<RecordingReceiver> {
    const receiver = new RecordingReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** Sets the function that chooses the status of each response. */
  answerWith(respond: Respond): void {
    this.#respond = respond;
  }

  /** From now on, responses stay incomplete: shorter than their content length. */
  breakAnswers(): void {
    this.#breaks = true;
  }

  async #receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const received: Received = {
      at: Date.now(),
      headers: request.headers,
      body,
      envelope: JSON.parse(body.toString("utf8")) as Envelope,
    };
    this.received.push(received);
    const status = await this.#respond(received, this.received.length);
    if (this.#breaks) {
      response.writeHead(status, { "content-length": 50 }).write("ok?", () => response.destroy());
      return;
    }
    response.writeHead(status, { "content-type": "application/json" }).end('{"ok":true}');
  }

  /** Resolves after this many requests. @throws on timeout, with their number */
  async waitFor(count: number, timeoutMs = 8_000): Promise<readonly Received[]> {
    const end = Date.now() + timeoutMs;
    while (this.received.length < count) {
      if (Date.now() > end)
        throw new Error(`${this.received.length} of ${count} notifications arrived within ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.received;
  }

  /** Resolves when no connection is open. */
  async waitUntilLeft(): Promise<void> {
    const connected = () => new Promise<number>((resolve) => this.#server.getConnections((_, count) => resolve(count)));
    while ((await connected()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Closes every connection, even during a response. */
  breakConnections(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
