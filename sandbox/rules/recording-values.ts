import { isText } from "../contract/schema.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const TIMESTAMP = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/;
/** What masking leaves of a secret. */
const MASK = /(?:[A-Za-z]{2,4}_)?•{8}[A-Za-z0-9_-]{0,4}/;
const MADE_UP = "made-up-";
/** What in an address of the service differs from run to run beside its signature. */
const OF_ADDRESS = /(?<=[?&]expires=)\d+|(?<=[?&]world=)[^&]+/;

const whole = (pattern: RegExp): RegExp => new RegExp(`^(?:${pattern.source})$`);
const WHOLE_UUID = whole(UUID);
const WHOLE_TIMESTAMP = whole(TIMESTAMP);
const SPECIAL = new RegExp([UUID, TIMESTAMP, MASK, OF_ADDRESS].map(({ source }) => `(?:${source})`).join("|"), "g");

/** A key that a reference can name. */
const NAMEABLE = /^[A-Za-z0-9_-]+$/;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
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
  /** How many secrets were sent that nobody knows any more. */
  #madeUp = 0;

  constructor(at: RecordedAt) {
    this.#at = at;
    this.know(at.baseUrl, "service.base_url");
  }

  get madeUp(): number {
    return this.#madeUp;
  }

  /** A value that is found under a reference in every run. What is known already stays as it is. */
  know(value: string, reference: string): void {
    if (!this.#references.has(value)) this.#references.set(value, reference);
  }

  #referenceTo(value: string): string | undefined {
    const reference = this.#references.get(value);
    return reference === undefined ? undefined : `{{${reference}}}`;
  }

  /** A text with references in the place of what is new each time; of a secret that nobody knows there is another. */
  written(text: string): string {
    const reference = this.#referenceTo(text);
    if (reference !== undefined) return reference;
    const pieces = text.split(this.#at.baseUrl).map((piece) =>
      piece.replace(SPECIAL, (token) => {
        const known = this.#referenceTo(token);
        if (known !== undefined || !whole(MASK).test(token)) return known ?? token;
        this.#madeUp += 1;
        // Another for each, and nothing that looks like a secret.
        return token.replace(/•+/, MADE_UP).replace(/-$/, "");
      }),
    );
    return pieces.join("{{service.base_url}}");
  }

  /** What a caller sends, with references in it. What it chose itself is the same in every run. */
  request(json: unknown): unknown {
    return mapStrings(json, (text) => {
      for (const token of text.match(SPECIAL) ?? [text]) if (!this.#references.has(token)) this.#sent.add(token);
      return this.written(text);
    });
  }

  #isNew(token: string): boolean {
    if (this.#sent.has(token)) return false;
    if (WHOLE_UUID.test(token)) return !this.#references.has(token) && !this.#at.isOld(token);
    return true;
  }

  #expectedText(text: string): unknown {
    const reference = this.#referenceTo(text);
    if (reference !== undefined) return reference;
    if (this.#sent.has(text) && !looksReferring(text)) return this.written(text);
    const tokens = text.match(SPECIAL) ?? [];
    if (tokens.some((token) => this.#isNew(token))) {
      if (WHOLE_UUID.test(text)) return { $is: "uuid" };
      if (WHOLE_TIMESTAMP.test(text)) return { $is: "timestamp" };
      return { $matches: this.#pattern(text) };
    }
    return looksReferring(text) ? { $matches: `^${escaped(text)}$` } : this.written(text);
  }

  /** A regular expression for a text of which pieces are new each time. */
  #pattern(text: string): string {
    const pieces: string[] = [];
    let from = 0;
    for (const { 0: token, index } of text.matchAll(SPECIAL)) {
      pieces.push(this.#literal(text.slice(from, index)), this.#patternOf(token));
      from = index + token.length;
    }
    const pattern = `^${pieces.join("")}${this.#literal(text.slice(from))}$`;
    // The address of an upload names every world but the default.
    return pattern.replace(/(signature=\[\^&\\s\]\+)(&world=\[\^&\]\+)?/, "$1(?:&world=[^&]+)?");
  }

  #literal(text: string): string {
    return text.split(this.#at.baseUrl).map(escaped).join("https?://[^/]+");
  }

  #patternOf(token: string): string {
    const reference = this.#referenceTo(token);
    if (reference !== undefined && WHOLE_UUID.test(token)) return reference;
    if (whole(MASK).test(token)) return `${escaped(token.split("•")[0] ?? "")}[^&\\s]+`;
    if (!this.#isNew(token)) return escaped(token);
    if (WHOLE_UUID.test(token)) return "[0-9a-f-]{36}";
    if (WHOLE_TIMESTAMP.test(token)) return "[0-9T:.Z-]{24}";
    return "[^&]+";
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

  /** Remembers what an answer has that is new. @param name what the answer is saved under */
  learn(json: unknown, name: string): void {
    if (typeof json === "string") {
      const isNew = (json.match(SPECIAL) ?? []).some((token) => this.#isNew(token) && !WHOLE_TIMESTAMP.test(token));
      if (isNew && isText(json)) this.know(json, name);
    }
    if (typeof json !== "object" || json === null) return;
    for (const [key, one] of Object.entries(json)) if (NAMEABLE.test(key)) this.learn(one, `${name}.${key}`);
  }
}

/** JSON with each of its texts replaced; keys stay. */
export const mapStrings = (json: unknown, replace: (text: string) => string): unknown => {
  if (typeof json === "string") return replace(json);
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((one) => mapStrings(one, replace));
  return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, mapStrings(one, replace)]));
};
