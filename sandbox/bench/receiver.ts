import http from "node:http";
import type { Envelope } from "../contract/events.ts";
import { listen } from "./processes.ts";

/** A partner's receiver that parses and records each message, and acknowledges it immediately. */
export class Receiver {
  /** Arrival time of each job's first notification: `performance.now()`. */
  readonly arrivals = new Map<string, number>();
  /** Number of messages with an earlier `event_timestamp` than their predecessors. */
  outOfOrder = 0;
  readonly #messages = new Set<string>();
  readonly #server: http.Server;
  #newest = "";
  #held: (() => void)[] | null = null;
  #awaited: { readonly messages: number; readonly done: () => void } | null = null;

  constructor() {
    this.#server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        this.#receive(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Envelope);
        const headers = { "content-type": "application/json", "content-length": 11 };
        const acknowledge = () => response.writeHead(200, headers).end('{"ok":true}');
        if (this.#held) this.#held.push(acknowledge);
        else acknowledge();
      });
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  /** @returns its address */
  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server)}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get received(): number {
    return this.#messages.size;
  }

  #receive({ message_id, event_timestamp, payload }: Envelope): void {
    if (this.#messages.has(message_id)) return;
    this.#messages.add(message_id);
    if (!this.arrivals.has(payload.job_id)) this.arrivals.set(payload.job_id, performance.now());
    if (event_timestamp < this.#newest) this.outOfOrder += 1;
    else this.#newest = event_timestamp;
    if (this.#awaited && this.#messages.size >= this.#awaited.messages) this.#awaited.done();
  }

  /** Delays its responses until they are released. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    for (const acknowledge of this.#held ?? []) acknowledge();
    this.#held = null;
  }

  /** Resolves after this many messages in total, or on timeout. */
  async waitFor(messages: number, timeoutMs: number): Promise<void> {
    if (this.#messages.size >= messages) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#awaited = { messages, done: resolve };
    await promise;
    clearTimeout(timer);
  }
}
