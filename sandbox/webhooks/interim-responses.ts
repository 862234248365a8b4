const STATUS_END = "HTTP/1.1 100".length;
const CONTINUE = /^HTTP\/1\.\d 100$/;
const INTERIM = /^HTTP\/1\.\d 1\d\d$/;
const [CR, LF, TWO] = [0x0d, 0x0a, 0x32];

/**
 * Turns the status 100 of the interim responses before a response into 102. A receiver may send 100 unasked (RFC 9110,
 * 15.2): undici then fails the request, but it skips 102.
 */
export class InterimResponses {
  /** Beginning of a status line; null: in the rest of an interim response's head. */
  #line: string | null = "";
  /** The response itself has begun. */
  #isOver = false;
  /** Line breaks in a row; two end a head. */
  #breaks = 0;

  /** Changes bytes of the response in place. Call with all of them, in order, before the HTTP client reads them. */
  skip(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#isOver; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#line === null) this.#readHead(byte);
      else if (this.#line !== "" || (byte !== CR && byte !== LF)) this.#readStatus(bytes, at, byte);
    }
  }

  #readHead(byte: number): void {
    if (byte === LF) this.#breaks += 1;
    else if (byte !== CR) this.#breaks = 0;
    if (this.#breaks === 2) this.#line = "";
  }

  #readStatus(bytes: Buffer, at: number, byte: number): void {
    const line = this.#line + String.fromCharCode(byte);
    if (line.length === STATUS_END && CONTINUE.test(line)) bytes[at] = TWO;
    this.#breaks = 0;
    this.#isOver = line.length === STATUS_END && !INTERIM.test(line);
    this.#line = line.length === STATUS_END ? null : line;
  }
}
