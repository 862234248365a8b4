import type { Reader } from "../live-feed/live-feed.ts";

export interface Message {
  readonly event: string;
  readonly id: number | null;
  readonly data: unknown;
}

/** Parses an SSE stream. */
const parseMessages = (text: string): Message[] =>
  text.split("\n\n").flatMap((block) => {
    const fields = new Map(
      block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    const event = fields.get("event");
    const id = fields.get("id");
    return event === undefined
      ? []
      : [
          {
            event,
            id: id === undefined ? null : Number(id),
            data: JSON.parse(fields.get("data") ?? "null") as unknown,
          },
        ];
  });

/** Records the messages of the live feed; `waiting` simulates unread bytes. */
export class RecordingReader implements Reader {
  text = "";
  waiting = 0;
  ended = false;
  #drained: () => void = () => undefined;
  readonly #start: number;

  /** @param start the ID that {@link ids} are relative to */
  constructor(start: number) {
    this.#start = start;
  }

  write(bytes: Buffer): number {
    if (this.ended) throw new Error("written to after its end");
    this.text += bytes.toString();
    return this.waiting;
  }

  onDrain(run: () => void): void {
    this.#drained = run;
  }

  /** Simulates reading all waiting bytes. */
  drain(): void {
    this.waiting = 0;
    this.#drained();
  }

  end(): void {
    this.ended = true;
  }

  get messages(): Message[] {
    return parseMessages(this.text);
  }

  get ids(): number[] {
    return this.messages.flatMap(({ id }) => (id === null ? [] : [id - this.#start]));
  }

  get events(): string[] {
    return [...new Set(this.messages.map((message) => message.event))];
  }
}
