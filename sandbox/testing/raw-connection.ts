import net from "node:net";

/** A parsed response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const parseHeaders = (lines: readonly string[]): Map<string, string> =>
  new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );

/** Returns the complete responses in the received text, in order. */
export const parseAnswers = (received: string): RawResponse[] => {
  const responses: RawResponse[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return responses;
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = parseHeaders(lines);
    const length = Number(headers.get("content-length") ?? 0);
    if (rest.length < end + 4 + length) return responses;
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
};

/** The head of a request; adds a Host header if missing. */
export const rawHead = (line: string, headers: Record<string, string> = {}): string => {
  const all = { host: "localhost", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

/** A complete request; the content length counts bytes. */
export const rawRequest = (line: string, headers: Record<string, string> = {}, body = ""): string =>
  rawHead(line, { ...headers, "content-length": String(Buffer.byteLength(body)) }) + body;

/** A TCP connection whose bytes the test writes. */
export class RawConnection {
  readonly #socket: net.Socket;
  readonly #listeners = new Set<() => void>();
  /** Resolves to the received text when the other side closes the connection. */
  readonly ended: Promise<string>;
  #received = "";
  #over = false;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.#received += text;
      this.#notify();
    });
    // A refusal may reset the connection while bytes are being sent; only the received text matters.
    socket.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      socket.on("close", () => {
        this.#over = true;
        this.#notify();
        resolve(this.#received);
      });
    });
  }

  /** @throws when nothing listens there */
  static open(
    port: number,
    from: { readonly host?: string; readonly localAddress?: string } = {},
  ): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ host: "127.0.0.1", ...from, port }, () => resolve(new RawConnection(socket)));
      socket.once("error", reject);
    });
  }

  get received(): string {
    return this.#received;
  }

  get over(): boolean {
    return this.#over;
  }

  send(bytes: string | Uint8Array): this {
    this.#socket.write(bytes);
    return this;
  }

  /** Resolves after this many responses. @throws when the connection ends before, with the received text */
  async answers(count: number): Promise<RawResponse[]> {
    await this.until(() => parseAnswers(this.#received).length >= count);
    return parseAnswers(this.#received);
  }

  /** Resolves when the received text is sufficient. @throws when the connection ends before */
  until(enough: (received: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (enough(this.#received)) resolve(this.#received);
        else if (this.#over) reject(new Error(`the connection ended after ${JSON.stringify(this.#received)}`));
        else return;
        this.#listeners.delete(check);
      };
      this.#listeners.add(check);
      check();
    });
  }

  /** Sends bytes and waits for the other side to close the connection. Resolves to the responses. */
  async sendAndEnd(bytes: string | Uint8Array): Promise<RawResponse[]> {
    this.send(bytes);
    return parseAnswers(await this.ended);
  }

  /** Ends this side of the connection; the other may still respond. */
  half(): Promise<string> {
    this.#socket.end();
    return this.ended;
  }

  /** Closes the connection so that the other side can’t respond. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
