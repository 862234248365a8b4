import net from "node:net";

/** An address to listen on, or to forward to. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Proxies a database, but holds back the first statement that contains some texts until {@link letGo}. */
export class HoldingProxy {
  readonly #server: net.Server;
  #texts: readonly string[] | null = null;
  #held: { readonly to: net.Socket; readonly chunks: Buffer[] } | null = null;

  private constructor(target: Endpoint) {
    this.#server = net.createServer((from) => {
      const to = net.connect(target);
      from.on("data", (chunk) => {
        if (this.#texts?.every((text) => chunk.includes(text))) {
          this.#texts = null;
          this.#held = { to, chunks: [] };
        }
        if (this.#held?.to === to) this.#held.chunks.push(chunk);
        else to.write(chunk);
      });
      from.on("error", () => undefined).on("close", () => this.#held?.to !== to && to.destroy());
      to.on("error", () => undefined).on("close", () => from.destroy());
      to.pipe(from);
    });
  }

  /** @param at left out: any free port of this machine */
  static async start(target: Endpoint, at: Endpoint = { host: "127.0.0.1", port: 0 }): Promise<HoldingProxy> {
    const proxy = new HoldingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(at, resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  holdBack(...texts: readonly string[]): void {
    this.#texts = texts;
  }

  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** Sends the held statement. Resolves when the database has responded, even if the client has given up. */
  async letGo(): Promise<void> {
    const { to, chunks } = this.#held ?? {};
    const answerOrEnd = new Promise((resolve) => to?.once("data", resolve).once("close", resolve));
    to?.resume().write(Buffer.concat(chunks ?? []));
    await answerOrEnd;
    to?.end();
    this.#held = null;
  }

  stop(): void {
    this.#server.close();
  }
}
