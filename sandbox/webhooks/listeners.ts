import type { Exchanged } from "../contract/control/rows.ts";
import { ATTEMPT_LIMIT_MS } from "../contract/control/words.ts";
import { type ListenMessages, listenerName } from "../contract/listener.ts";
import { newId } from "../storage/new-id.ts";
import { namingWorld } from "./own-addresses.ts";
import type { Prepared } from "./prepare.ts";
import { type Reach, Sender, type Sending, type Sent } from "./send.ts";

/** The response of a developer machine's server, as the machine reported it. */
export type Answered = Pick<Exchanged, "response_status" | "response_headers" | "response_body_base64" | "error">;

/** A machine that is connected, as delivery sees it. */
export interface Listener {
  send<K extends keyof ListenMessages>(kind: K, data: ListenMessages[K]): void;
  /** Cuts the stream. */
  end(): void;
  /** It is not the one that is connected any more. */
  left(): void;
}

interface Connected {
  readonly listener: Listener;
  /** Notifications that wait for a response, by the ID they were sent under. */
  readonly waiting: Map<string, (answered: Answered | null) => void>;
}

const noAnswer = (error: string): Answered => ({
  ...{ response_status: null, response_headers: [], response_body_base64: "", error },
});

/** The laptops that receive notifications over a stream, by world and name; one at a time for each. */
export class Listeners {
  readonly #connected = new Map<string, Connected>();

  /** Takes the place of one that was connected under the same name. */
  connect(world: string, name: string, listener: Listener): void {
    this.#end(world, name, "another `sandbox listen` has connected under the same name");
    this.#connected.set(`${world} ${name}`, { listener, waiting: new Map() });
  }

  /** What is under way has failed, as at a receiver that closes the connection. @returns whether it was the one connected */
  disconnect(world: string, name: string, listener: Listener): boolean {
    const key = `${world} ${name}`;
    const one = this.#connected.get(key);
    if (one?.listener !== listener) return false;
    this.#connected.delete(key);
    for (const answer of one.waiting.values())
      answer(noAnswer("the developer machine disconnected without a response"));
    listener.left();
    return true;
  }

  /** Cuts a stream. What is under way over it is as if it had not been sent. */
  #end(world: string, name: string, reason: string): void {
    const one = this.#connected.get(`${world} ${name}`);
    if (!one) return;
    for (const answer of [...one.waiting.values()]) answer(null);
    one.listener.send("end", { reason });
    this.disconnect(world, name, one.listener);
    one.listener.end();
  }

  isConnected(world: string, name: string): boolean {
    return this.#connected.has(`${world} ${name}`);
  }

  /** Whether what is sent to an address has to wait for a machine. */
  isAway(world: string, address: string): boolean {
    const name = listenerName(address);
    return name !== null && !this.isConnected(world, name);
  }

  /**
   * Sends one attempt. Resolves with what the machine's server answered, or why nothing came back; null: the machine was not
   * there. One that says nothing at all sleeps: `sandbox listen` answers for a server that does not.
   */
  forward(world: string, name: string, { delivery, number, headers, body }: Prepared): Promise<Answered | null> {
    const one = this.#connected.get(`${world} ${name}`);
    if (!one) return Promise.resolve(null);
    const id = newId();
    return new Promise((resolve) => {
      const end = (answered: Answered | null): void => {
        clearTimeout(timer);
        one.waiting.delete(id);
        resolve(answered);
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

  /** @returns whether something waited for it in this world */
  answered(world: string, id: string, answered: Answered): boolean {
    for (const [key, { waiting }] of this.#connected) {
      const answer = key.startsWith(`${world} `) ? waiting.get(id) : undefined;
      answer?.(answered);
      if (answer) return true;
    }
    return false;
  }

  /** Ends the streams of a world, with a reason; left out: of all worlds. */
  end(reason: string, of?: string): void {
    for (const key of [...this.#connected.keys()]) {
      const [world = "", name = ""] = key.split(" ");
      if (of === undefined || of === world) this.#end(world, name, reason);
    }
  }
}

const exchangedOf = ({ headers, body }: Prepared, answered: Answered, duration_ms: number): Exchanged => ({
  ...answered,
  ...{ duration_ms, response_truncated: false, request_body_base64: body.toString("base64") },
  request_headers: headers.map(([name, value]): [string, string] => [name, value]),
});

/** The result of a drill whose developer machine is not connected. */
export const listenerOffline = (prepared: Prepared): Exchanged =>
  exchangedOf(prepared, noAnswer("the developer machine is not connected"), 0);

/** The ways to send notifications: over HTTP, and through the streams of developer machines. */
export interface Ways extends Reach {
  readonly listeners: Listeners;
  /** Where the service itself is reached, whose sink may be subscribed; left out: nowhere. */
  readonly origin?: (() => string) | undefined;
}

/** The sender for an address: over HTTP, or through the stream of the machine it stands for. */
export const sendingTo = (world: string, address: string, ways: Ways): Sending => {
  const machine = listenerName(address);
  if (machine === null) return new Sender(ways.origin ? namingWorld(address, world, ways.origin()) : address, ways);
  const send = async (prepared: Prepared): Promise<Sent | null> => {
    const began = performance.now();
    const answered = await ways.listeners.forward(world, machine, prepared);
    if (answered === null) return null;
    const acknowledged = answered.error === null && answered.response_status === 200;
    return { prepared, exchanged: exchangedOf(prepared, answered, performance.now() - began), acknowledged };
  };
  // Sends under way time out by themselves; their results are ignored.
  return { send, close: () => undefined };
};
