import net from "node:net";
import { AnswerReader } from "./answer-reader.ts";
import type { LoadOrder } from "./load-order.ts";
import { NumberedRequest } from "./request-text.ts";

export interface LoadTurn {
  /** The number of the next request, or null to end. */
  readonly next: () => number | null;
  readonly answered: (startedAt: number, now: number) => void;
}

const RECEIVE_BYTES = 64 * 1024;

/**
 * One keep-alive connection with one request under way at a time. As little as there can be between the socket and the
 * count: the load must never be what is measured.
 */
export class LoadConnection {
  readonly #order: Pick<LoadOrder, "port" | "request" | "status">;
  readonly #turn: LoadTurn;
  readonly #request: NumberedRequest;
  readonly #reader = new AnswerReader();
  #socket: net.Socket | null = null;
  #startedAt = 0;

  constructor(order: Pick<LoadOrder, "port" | "request" | "status">, turn: LoadTurn) {
    this.#order = order;
    this.#turn = turn;
    this.#request = new NumberedRequest(order.request);
  }

  /** Resolves when its turns are over. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({
        host: "127.0.0.1",
        port: this.#order.port,
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(RECEIVE_BYTES),
          callback: (size, bytes) => {
            try {
              if (this.#received(Buffer.from(bytes.buffer, bytes.byteOffset, size))) return true;
              resolve();
            } catch (error) {
              reject(error);
            }
            return false;
          },
        },
      });
      this.#socket = socket;
      socket.once("connect", () => {
        if (!this.#send()) resolve();
      });
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed a connection in the middle of the load.")));
    });
  }

  #send(): boolean {
    const number = this.#turn.next();
    if (number === null) return false;
    this.#request.setNumber(number);
    this.#startedAt = performance.now();
    this.#socket?.write(this.#request.bytes);
    return true;
  }

  /** @returns false when the turns are over */
  #received(chunk: Buffer): boolean {
    const status = this.#reader.read(chunk);
    if (status === null) return true;
    if (status !== this.#order.status) {
      throw new Error(`An answer was ${status} instead of ${this.#order.status}: ${this.#reader.body.slice(0, 500)}`);
    }
    this.#turn.answered(this.#startedAt, performance.now());
    return this.#send();
  }

  close(): void {
    this.#socket?.removeAllListeners("close");
    this.#socket?.destroy();
  }
}
