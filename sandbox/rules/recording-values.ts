import { isText } from "../contract/schema.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/;
/** What masking leaves of a secret. */
const MASK = /(?:[A-Za-z]{2,4}_)?•{8}[A-Za-z0-9_-]{0,4}/;
/** What in an address of the service differs from run to run beside its signature. */
const OF_ADDRESS = /(?<=[?&]expires=)\d+|(?<=[?&]world=)[^&]+/;

const whole = (pattern: RegExp): RegExp => new RegExp(`^(?:${pattern.source})$`);
const WHOLE_UUID = whole(UUID);
const WHOLE_TIMESTAMP = whole(TIMESTAMP);
const SPECIAL = new RegExp([UUID, TIMESTAMP, MASK, OF_ADDRESS].map(({ source }) => `(?:${source})`).join("|"), "g");

/** A key that a reference can name. */
const NAMEABLE = /^[A-Za-z0-9_-]+$/;
/** Text that would be taken for a reference. */
export const looksReferring = (text: string): boolean => text.includes("{{");

export interface RecordedAt {
  /** The address the service was reached under. */
  readonly baseUrl: string;
  /** Whether the world had this identifier before the first step. */
  readonly isOld: (uuid: string) => boolean;
}

/** Which values of a recording are there again in every run, and which are new each time and referred to. */
export class RecordedValues {
  readonly #at: RecordedAt;
  readonly #references = new Map<string, string>();
  readonly #sent = new Set<string>();

  constructor(at: RecordedAt) {
    this.#at = at;
    this.know(at.baseUrl, "service.base_url");
  }

  /** A value that is found under a reference in every run. What is known already stays as it is. */
  know(value: string, reference: string): void {
    if (!this.#references.has(value)) this.#references.set(value, reference);
  }

  #referenceTo(value: string): string | undefined {
    const reference = this.#references.get(value);
    return reference === undefined ? undefined : `{{${reference}}}`;
  }

  /** A text with references in the place of what is new each time. What is left of a secret stays as it is. */
  written(text: string): string {
    const known = (piece: string): string => piece.replace(SPECIAL, (token) => this.#referenceTo(token) ?? token);
    return this.#referenceTo(text) ?? text.split(this.#at.baseUrl).map(known).join("{{service.base_url}}");
  }

  /** What a caller sends, with references in it. What it chose itself is the same in every run. */
  request(json: unknown): unknown {
    return mapStrings(json, (text) => {
      for (const token of text.match(SPECIAL) ?? [text]) if (!this.#references.has(token)) this.#sent.add(token);
      return this.written(text);
    });
  }

  #isNew(token: string): boolean {
    if (this.#sent.has(token) || this.#references.has(token)) return false;
    return !WHOLE_UUID.test(token) || !this.#at.isOld(token);
  }

  #expectedText(text: string): unknown {
    const isRepeated = this.#references.has(text) || this.#sent.has(text);
    if (!isRepeated && (text.match(SPECIAL) ?? []).some((token) => this.#isNew(token))) {
      if (WHOLE_UUID.test(text)) return { $is: "uuid" };
      return { $is: WHOLE_TIMESTAMP.test(text) ? "timestamp" : "string" };
    }
    return looksReferring(text) ? { $is: "string" } : this.written(text);
  }

  /** What an answer must be in every run. */
  expected(json: unknown): unknown {
    if (typeof json === "string") return this.#expectedText(json);
    if (typeof json !== "object" || json === null) return json;
    if (Array.isArray(json)) return json.map((one) => this.expected(one));
    const entries = Object.entries(json);
    // It would be taken for what stands for many values.
    if (entries.length === 1 && entries[0]?.[0].startsWith("$")) return { $is: "object" };
    return Object.fromEntries(entries.map(([key, one]) => [key, this.expected(one)]));
  }

  /** Remembers the identifiers and addresses of an answer that are new. @param name what the answer is saved under */
  learn(json: unknown, name: string): void {
    if (typeof json === "string") {
      const tokens = json.match(SPECIAL) ?? [];
      const isNew = tokens.some((token) => this.#isNew(token) && !WHOLE_TIMESTAMP.test(token));
      // Two secrets can look the same once they are masked.
      if (isNew && isText(json) && !whole(MASK).test(json)) this.know(json, name);
    }
    if (typeof json !== "object" || json === null) return;
    for (const [key, one] of Object.entries(json)) if (NAMEABLE.test(key)) this.learn(one, `${name}.${key}`);
  }
}

/** JSON with each of its texts replaced; keys stay. */
const mapStrings = (json: unknown, replace: (text: string) => string): unknown => {
  if (typeof json === "string") return replace(json);
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((one) => mapStrings(one, replace));
  return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, mapStrings(one, replace)]));
};
