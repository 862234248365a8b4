const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Where an answer ends in what has come so far, or null when more is to come. */
const endOf = (bytes: Buffer, head: string, bodyAt: number): number | null => {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bodyAt + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`An answer of no known length: ${head}`);
  const complete = bytes.length >= bodyAt + LAST_CHUNK.length && bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return complete ? bytes.length : null;
};

/** Reads the answers of one connection that has one request under way at a time. */
export class AnswerReader {
  #kept: Buffer | null = null;
  #body = "";

  /** The body of the last answer that was no success. */
  get body(): string {
    return this.#body;
  }

  /**
   * @param chunk may be overwritten afterwards
   * @returns the status when the answer is complete, else null
   */
  read(chunk: Buffer): number | null {
    const bytes = this.#kept === null ? chunk : Buffer.concat([this.#kept, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd === -1 ? "" : bytes.toString("latin1", 0, headEnd);
    const end = headEnd === -1 ? null : endOf(bytes, head, headEnd + HEAD_END.length);
    if (end === null || bytes.length < end) {
      this.#kept = this.#kept === null ? Buffer.from(bytes) : bytes;
      return null;
    }
    if (bytes.length > end) throw new Error("More came than the answer that was waited for.");
    this.#kept = null;
    const status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    if (status >= 300) this.#body = bytes.toString("utf8", headEnd + HEAD_END.length, end);
    return status;
  }
}
