import type { Exchanged } from "../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS } from "../contract/control/words.ts";
import { type ListenMessages, listenerName } from "../contract/listener.ts";
import { newId } from "../storage/new-id.ts";
import { addWorldToAddress } from "./own-addresses.ts";
import type { PreparedAttempt } from "./prepare.ts";
import { type Reach, Sender, type Sending, type SentAttempt } from "./send.ts";

/** Response of a developer machine's server, as the machine reported it. */
export type ReportedResponse = Pick<
  Exchanged,
  "response_status" | "response_headers" | "response_body_base64" | "error"
>;

export interface Listener {
  send<K extends keyof ListenMessages>(kind: K, data: ListenMessages[K]): void;
  /** Cuts the stream. */
  end(): void;
  /** Called when the machine was replaced or disconnected. */
  left(): void;
}

interface ConnectedListener {
  readonly listener: Listener;
  /** Notifications waiting for a response, by the ID they were sent under. */
  readonly waiting: Map<string, (response: ReportedResponse | null) => void>;
}

const noResponse = (error: string): ReportedResponse => ({
  ...{ response_status: null, response_headers: [], response_body_base64: "", error },
});

/** Connected developer machines, one for each world and name. */
export class Listeners {
  readonly #connected = new Map<string, ConnectedListener>();

  /** Replaces a machine connected under the same name. */
  connect(world: string, name: string, listener: Listener): void {
    this.#end(world, name, "another `sandbox listen` has connected under the same name");
    this.#connected.set(`${world} ${name}`, { listener, waiting: new Map() });
  }

  /** Fails its running notifications, like a closed connection. @returns whether this listener was the connected one */
  disconnect(world: string, name: string, listener: Listener): boolean {
    const key = `${world} ${name}`;
    const one = this.#connected.get(key);
    if (one?.listener !== listener) return false;
    this.#connected.delete(key);
    for (const respond of one.waiting.values())
      respond(noResponse("the developer machine disconnected without a response"));
    listener.left();
    return true;
  }

  /** Cuts a stream. Its running notifications count as not sent. */
  #end(world: string, name: string, reason: string): void {
    const one = this.#connected.get(`${world} ${name}`);
    if (!one) return;
    for (const respond of [...one.waiting.values()]) respond(null);
    one.listener.send("end", { reason });
    this.disconnect(world, name, one.listener);
    one.listener.end();
  }

  isConnected(world: string, name: string): boolean {
    return this.#connected.has(`${world} ${name}`);
  }

  /** Checks whether an address belongs to a machine that isn't connected. */
  isAway(world: string, address: string): boolean {
    const name = listenerName(address);
    return name !== null && !this.isConnected(world, name);
  }

  /**
   * Sends one attempt. Resolves with the server's response or the reason for none; null if the machine isn't connected
   * or doesn't react. `sandbox listen` itself reports a server that doesn't respond.
   */
  forward(
    world: string,
    name: string,
    { delivery, number, headers, body }: PreparedAttempt,
  ): Promise<ReportedResponse | null> {
    const one = this.#connected.get(`${world} ${name}`);
    if (!one) return Promise.resolve(null);
    const id = newId();
    return new Promise((resolve) => {
      const end = (response: ReportedResponse | null): void => {
        clearTimeout(timer);
        one.waiting.delete(id);
        resolve(response);
      };
      const timer = setTimeout(() => this.#end(world, name, "the developer machine did not respond"), ATTEMPT_LIMIT_MS);
      one.waiting.set(id, end);
      const { event_type, integration_id, label, created_at } = delivery;
      one.listener.send("notification", {
        ...{ id, number, event_type, integration_id, label, created_at, headers },
        body_base64: body.toString("base64"),
      });
    });
  }

  /** @returns whether a notification of this world waited for the response */
  answered(world: string, id: string, response: ReportedResponse): boolean {
    for (const [key, { waiting }] of this.#connected) {
      const respond = key.startsWith(`${world} `) ? waiting.get(id) : undefined;
      respond?.(response);
      if (respond) return true;
    }
    return false;
  }

  /** Ends the streams of a world, or of all worlds by default. */
  end(reason: string, of?: string): void {
    for (const key of [...this.#connected.keys()]) {
      const [world = "", name = ""] = key.split(" ");
      if (of === undefined || of === world) this.#end(world, name, reason);
    }
  }
}

const toExchanged = (
  { headers, body }: PreparedAttempt,
  response: ReportedResponse,
  duration_ms: number,
): Exchanged => ({
  ...response,
  ...{ duration_ms, response_truncated: false, request_body_base64: body.toString("base64") },
  request_headers: headers.map(([name, value]): [string, string] => [name, value]),
});

/** Result of a drill whose developer machine is not connected. */
export const listenerOffline = (prepared: PreparedAttempt): Exchanged =>
  toExchanged(prepared, noResponse("the developer machine is not connected"), 0);

/** Options to send notifications: over HTTP, and through streams of developer machines. */
export interface SenderOptions extends Reach {
  readonly listeners: Listeners;
  /** The service's own origin, whose test receiver may be subscribed. None by default. */
  readonly origin?: (() => string) | undefined;
}

/** Sender for an address: over HTTP, or through its machine's stream. */
export const createSender = (world: string, address: string, options: SenderOptions): Sending => {
  const machine = listenerName(address);
  if (machine === null)
    return new Sender(options.origin ? addWorldToAddress(address, world, options.origin()) : address, options);
  const send = async (prepared: PreparedAttempt): Promise<SentAttempt | null> => {
    const startedAt = performance.now();
    const response = await options.listeners.forward(world, machine, prepared);
    if (response === null) return null;
    const acknowledged = response.error === null && response.response_status === 200;
    return { prepared, exchanged: toExchanged(prepared, response, performance.now() - startedAt), acknowledged };
  };
  // Running sends time out by themselves, and their results are ignored.
  return { send, close: () => undefined };
};
