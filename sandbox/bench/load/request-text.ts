/** Stands in a request for its number: as long as what takes its place, so that no length changes. */
export const NUMBER = "@@@@@@@@@@";

/** A number as it stands in a request: ten digits. */
export const numberText = (number: number): string => String(number).padStart(NUMBER.length, "0");

export interface PostRequest {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A whole HTTP/1.1 request; every {@link NUMBER} in it is replaced before each sending. */
export const requestText = ({ port, path, headers, body }: PostRequest): string => {
  const content = JSON.stringify(body);
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(content)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${content}`;
};

const ZERO = "0".charCodeAt(0);

/** A request's bytes, numbered in place. */
export class NumberedRequest {
  readonly bytes: Buffer;
  readonly #places: number[] = [];

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    for (let at = this.bytes.indexOf(NUMBER); at !== -1; at = this.bytes.indexOf(NUMBER, at + NUMBER.length)) {
      this.#places.push(at);
    }
  }

  setNumber(number: number): void {
    for (const place of this.#places) {
      let rest = number;
      for (let digit = NUMBER.length - 1; digit >= 0; digit -= 1) {
        this.bytes[place + digit] = ZERO + (rest % 10);
        rest = Math.floor(rest / 10);
      }
    }
  }
}
