import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "./holding-proxy.ts";

/** Proxies a database as if it were far away: every byte arrives this much later, in each direction. */
export class FarProxy {
  readonly #server: net.Server;

  private constructor(target: Endpoint, oneWayMs: number) {
    const carry = (from: net.Socket, to: net.Socket): void => {
      from.setNoDelay().on("error", () => undefined);
      from.on("data", (chunk) => void sleep(oneWayMs).then(() => to.write(chunk)));
      from.on("close", () => void sleep(oneWayMs).then(() => to.destroy()));
    };
    this.#server = net.createServer((near) => {
      const far = net.connect(target);
      carry(near, far);
      carry(far, near);
    });
  }

  /** @param at where it listens */
  static async start(target: Endpoint, at: Endpoint, oneWayMs: number): Promise<FarProxy> {
    const proxy = new FarProxy(target, oneWayMs);
    await new Promise<void>((resolve) => proxy.#server.listen(at, resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
  }
}
