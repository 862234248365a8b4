import type { LiveEntry } from "../contract/live.ts";
import type { TestService } from "./harness.ts";

export interface FeedMessage {
  /** Null for control messages. */
  readonly id: number | null;
  readonly event: string;
  readonly data: unknown;
}

const field = (block: string, name: string): string | null =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? null;

/** Reads the live feed over HTTP. */
export class FeedReader {
  readonly messages: FeedMessage[] = [];
  /** Resolves at the end of the stream. */
  readonly ended: Promise<void>;
  readonly #abort: AbortController;

  private constructor(stream: AsyncIterable<Uint8Array>, abort: AbortController) {
    this.#abort = abort;
    this.ended = this.#read(stream).catch(() => undefined);
  }

  static async connect(service: TestService, lastId: number | null = null, world = "default"): Promise<FeedReader> {
    if (world !== "default") await service.make(world);
    const headers = lastId === null ? {} : { "last-event-id": String(lastId) };
    return FeedReader.open(service, `world=${world}`, headers);
  }

  /** @param query the query of the address */
  static async open(
    service: TestService,
    query: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<FeedReader> {
    const abort = new AbortController();
    const response = await fetch(`${service.baseUrl}/__sandbox/live?${query}`, {
      headers: { authorization: `Bearer ${service.ready.control_token}`, ...headers },
      signal: abort.signal,
    });
    if (!response.ok || !response.body) throw new Error(`the live feed answered ${response.status}`);
    return new FeedReader(response.body, abort);
  }

  async #read(stream: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) if (!block.startsWith(":")) this.#add(block);
    }
  }

  #add(block: string): void {
    const id = field(block, "id");
    this.messages.push({
      id: id === null ? null : Number(id),
      event: field(block, "event") ?? "",
      data: JSON.parse(field(block, "data") ?? "null"),
    });
  }

  get ids(): number[] {
    return this.messages.flatMap(({ id }) => id ?? []);
  }

  get entries(): LiveEntry[] {
    return this.messages.filter(({ id }) => id !== null).map(({ data }) => data as LiveEntry);
  }

  get events(): string[] {
    return this.messages.map(({ event }) => event);
  }

  /** @throws on timeout, with the names of the received messages */
  async until(enough: (reader: this) => boolean, timeoutMs = 10_000): Promise<this> {
    const end = Date.now() + timeoutMs;
    while (!enough(this)) {
      if (Date.now() > end) throw new Error(`timed out waiting for a message; received: ${this.events.join(", ")}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this;
  }

  close(): void {
    this.#abort.abort();
  }
}
