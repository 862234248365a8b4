import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** What each connection has been asked and has not answered yet, in the order it was asked. */
export class OpenRequests {
  readonly #last = new WeakMap<Duplex, ServerResponse>();
  readonly #earlier = new WeakMap<ServerResponse, ServerResponse>();

  /**
   * Notes a request. Node hands over requests that arrive at once side by side, but what is no mere lookup may depend on
   * the one before (RFC 9112, 9.3.2).
   *
   * @returns the answer that has to have left before this request is looked at, when there is one
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): ServerResponse | null {
    const last = this.#last.get(socket);
    this.#last.set(socket, response);
    if (last === undefined || last.closed) return null;
    this.#earlier.set(response, last);
    // Without this, a connection that never pauses would hold every answer it ever got.
    last.once("close", () => this.#earlier.delete(response));
    return last;
  }

  /** The open answers of a connection, the latest first. */
  on(socket: Duplex): ServerResponse[] {
    const open: ServerResponse[] = [];
    for (let one = this.#last.get(socket); one && !one.closed; one = this.#earlier.get(one)) open.push(one);
    return open;
  }
}
