/** How much of a receiver's answer is kept. */
export const KEPT_ANSWER_BYTES = 64 * 1024;
/** How long the head of an answer, or the end of a chunked one, may be. */
const LONGEST_HEAD_BYTES = 64 * 1024;
const LONGEST_CHUNK_LINE_BYTES = 1024;

/** A receiver's answer. `body` is what came, undone of chunks and of nothing else, at most the first 64 KiB. */
export interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Buffer;
  /** There was more, or would have been. */
  readonly truncated: boolean;
  /** Whether another request may follow on the connection. */
  readonly keepAlive: boolean;
}

/** What came is no answer of HTTP/1.1. */
export class NotHttpError extends Error {
  readonly code = "NOT_HTTP";
}

interface Head {
  readonly status: number;
  readonly headers: [string, string][];
  readonly keepAlive: boolean;
  /** How the end of the body is known: bytes that are announced, chunks, or the connection's end. */
  readonly body: number | "chunks" | "close";
}

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;
const BEGINNING = "HTTP/1.";

const headersOf = (lines: readonly string[]): [string, string][] => {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const match = HEADER_LINE.exec(line);
    const last = headers.at(-1);
    if (match) headers.push([(match[1] ?? "").toLowerCase(), match[2] ?? ""]);
    else if (last && /^[ \t]/.test(line)) last[1] += ` ${line.trim()}`;
    else throw new NotHttpError(`a line of its head is no header: ${JSON.stringify(line.slice(0, 80))}`);
  }
  return headers;
};

/** The values of a header, as the list they stand for. */
const listOf = (headers: readonly [string, string][], name: string): string[] =>
  headers.flatMap(([one, value]) => (one === name ? value.toLowerCase().split(/[ \t]*,[ \t]*/) : []));

const lengthOf = (headers: readonly [string, string][]): number | null => {
  const [first, ...others] = new Set(listOf(headers, "content-length"));
  if (first === undefined) return null;
  if (others.length > 0 || !/^\d{1,15}$/.test(first)) throw new NotHttpError("its content-length is no length");
  return Number(first);
};

/** RFC 9112, section 6.3: how the end of an answer's body is known. */
const bodyOf = (status: number, headers: readonly [string, string][]): Head["body"] => {
  if (status < 200 || status === 204 || status === 304) return 0;
  const encodings = listOf(headers, "transfer-encoding");
  if (encodings.length > 0) return encodings.at(-1) === "chunked" ? "chunks" : "close";
  return lengthOf(headers) ?? "close";
};

const headOf = (text: string): Head => {
  const [line = "", ...lines] = text.split(/\r?\n/);
  const match = STATUS_LINE.exec(line);
  if (!match) throw new NotHttpError(`it begins with ${JSON.stringify(line.slice(0, 80))}`);
  const status = Number(match[2]);
  const headers = headersOf(lines);
  const connection = listOf(headers, "connection");
  const body = bodyOf(status, headers);
  const persistent = match[1] === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  return { status, headers, body, keepAlive: persistent && body !== "close" && status !== 101 };
};

/** Where the empty line after a head ends and where it begins, or null while it has not come. */
const endOfHead = (bytes: Buffer): { readonly text: number; readonly next: number } | null => {
  const proper = bytes.indexOf("\r\n\r\n");
  const bare = (proper === -1 ? bytes : bytes.subarray(0, proper)).indexOf("\n\n");
  if (bare !== -1) return { text: bare, next: bare + 2 };
  return proper === -1 ? null : { text: proper, next: proper + 4 };
};

const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads the answers of one connection, whichever way they are cut into chunks. The subset of HTTP/1.1 a client needs that
 * sends `POST`s and nothing else: whatever is not understood ends the connection.
 */
export class AnswerReader {
  #rest: Buffer = nothing;
  #head: Head | null = null;
  /** Of the body or of the chunk, still to come. */
  #left = 0;
  #chunk: "line" | "data" | "end" | "trailers" = "line";
  #kept: Buffer[] = [];
  #size = 0;

  /** Whether bytes of an answer have come that is not complete. */
  get begun(): boolean {
    return this.#head !== null || this.#rest.length > 0;
  }

  /** @param answered called with each answer that is complete now @throws NotHttpError */
  read(bytes: Buffer, answered: (answer: Answer) => void): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0) {
      const head = this.#head ?? this.#readHead();
      if (!head) return;
      const complete = head.body === "chunks" ? this.#readChunks() : this.#readBody(head);
      if (complete === null) return;
      const answer = this.#finish(head, complete === "cut");
      answered(answer);
      if (!answer.keepAlive) return;
    }
  }

  /** Nothing more comes. @returns the answer whose end this is */
  end(): Answer | null {
    return this.#head?.body === "close" ? this.#finish(this.#head, false) : null;
  }

  /** What there is of an answer that nobody waits for any longer; null when not even its head is complete. */
  cut(): Answer | null {
    return this.#head && this.#finish(this.#head, true);
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.length === count ? nothing : this.#rest.subarray(count);
    return taken;
  }

  #readHead(): Head | null {
    const beginning = this.#rest.toString("latin1", 0, BEGINNING.length);
    if (!BEGINNING.startsWith(beginning) && !beginning.startsWith(BEGINNING))
      throw new NotHttpError(`it begins with ${JSON.stringify(this.#rest.toString("latin1", 0, 40))}`);
    const end = endOfHead(this.#rest);
    if ((end?.text ?? this.#rest.length) > LONGEST_HEAD_BYTES) throw new NotHttpError("its head does not end");
    if (!end) return null;
    const head = headOf(this.#take(end.next).toString("latin1", 0, end.text));
    // An interim answer, such as 100 or 103: the one that counts follows.
    if (head.status < 200 && head.status !== 101) return this.#rest.length > 0 ? this.#readHead() : null;
    this.#head = head;
    this.#left = typeof head.body === "number" ? head.body : 0;
    this.#chunk = "line";
    if (this.#rest.length === 0) this.#rest = nothing;
    return head;
  }

  #finish({ status, headers, keepAlive }: Head, truncated: boolean): Answer {
    const body = Buffer.concat(this.#kept);
    this.#head = null;
    this.#kept = [];
    this.#size = 0;
    return { status, headers, body, truncated, keepAlive: keepAlive && !truncated };
  }

  /** @returns whether there was room for all of it */
  #keep(bytes: Buffer): boolean {
    const room = KEPT_ANSWER_BYTES - this.#size;
    const kept = bytes.subarray(0, room);
    this.#kept.push(kept);
    this.#size += kept.length;
    return bytes.length <= room;
  }

  #readBody(head: Head): "whole" | "cut" | null {
    if (head.body === "close") return this.#keep(this.#take(this.#rest.length)) ? null : "cut";
    const bytes = this.#take(Math.min(this.#left, this.#rest.length));
    this.#left -= bytes.length;
    if (!this.#keep(bytes)) return "cut";
    return this.#left === 0 ? "whole" : null;
  }

  #readChunks(): "whole" | "cut" | null {
    for (;;) {
      if (this.#chunk === "data") {
        const bytes = this.#take(Math.min(this.#left, this.#rest.length));
        this.#left -= bytes.length;
        if (!this.#keep(bytes)) return "cut";
        if (this.#left > 0) return null;
        this.#chunk = "end";
      }
      const line = this.#readLine();
      if (line === null) return null;
      if (this.#chunk === "end") {
        if (line !== "") throw new NotHttpError("a chunk of its body is longer than it said");
        this.#chunk = "line";
      } else if (this.#chunk === "trailers") {
        if (line === "") return "whole";
      } else this.#beginChunk(line);
    }
  }

  #beginChunk(line: string): void {
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
    if (size === undefined) throw new NotHttpError(`${JSON.stringify(line.slice(0, 40))} is no length of a chunk`);
    this.#left = Number.parseInt(size, 16);
    this.#chunk = this.#left === 0 ? "trailers" : "data";
  }

  #readLine(): string | null {
    const end = this.#rest.indexOf("\n");
    if ((end === -1 ? this.#rest.length : end) > LONGEST_CHUNK_LINE_BYTES)
      throw new NotHttpError("a line between the chunks of its body does not end");
    return end === -1
      ? null
      : this.#take(end + 1)
          .toString("latin1", 0, end)
          .replace(/\r$/, "");
  }
}
