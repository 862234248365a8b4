import net from "node:net";
import { freePort } from "./postgres.ts";

/** Forwards bytes to a local port until silenced: connections then stay open without data. */
export class SilentProxy {
  readonly port: number;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  #silent = false;

  private constructor(port: number, target: number) {
    this.port = port;
    this.#server = net.createServer((socket) => {
      this.#keep(socket);
      if (this.#silent) return;
      const other = net.connect(target, "127.0.0.1");
      this.#keep(other);
      socket.pipe(other).pipe(socket);
    });
  }

  static async start(target: number): Promise<SilentProxy> {
    const proxy = new SilentProxy(await freePort(), target);
    await new Promise<void>((resolve) => proxy.#server.listen(proxy.port, "127.0.0.1", resolve));
    return proxy;
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
  }

  silence(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Forwards new connections again; silenced ones stay silent. */
  speak(): void {
    this.#silent = false;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
