import type { Imported, ImportedCall, LeftOut } from "./imported.ts";

/** What a value is as far as a call needs it. */
type Value = string | number | boolean | null | readonly Value[] | Table;
type Table = Map<string, Value>;

/** A piece of a script: an `expandable` string has variables put in; a `mark` stands between others. */
interface Token {
  readonly kind: "literal" | "expandable" | "word" | "mark" | "end";
  readonly text: string;
}

const PIECES = [
  "(?<aside>`\\r?\\n|[^\\S\\r\\n]+|#[^\\n]*)",
  "@'\\r?\\n(?<hereLiteral>[^]*?)(?:\\r?\\n'@|$)",
  '@"\\r?\\n(?<hereExpandable>[^]*?)(?:\\r?\\n"@|$)',
  "['‘’‚‛](?<literal>[^'‘’‚‛]*(?:['‘’‚‛]{2}[^'‘’‚‛]*)*)['‘’‚‛]?",
  '["“”„](?<expandable>[^"“”„`]*(?:(?:`[^]|["“”„]{2})[^"“”„`]*)*)["“”„]?',
  "(?<end>\\r?\\n|;)",
  "(?<mark>@[{(]|[{}()=,+|&\\]]|\\[(?=['\"]))",
  "(?<word>https?:[^\\s;)}'\"`]+|\\$\\{[^}\\n]*\\}|\\$?[^\\s{}()=,+|&;'\"`\\[\\]‘’‚‛“”„]+|\\[[\\w.]+\\](?:::[\\w.]+)?)",
];
const PIECE = new RegExp(`${PIECES.join("|")}|[^]`, "gu");

const tokensOf = (script: string): Token[] =>
  [...script.matchAll(PIECE)].flatMap(({ groups: { aside, ...of } = {}, 0: whole }): Token[] => {
    if (aside !== undefined) return [];
    const literal = of.hereLiteral ?? of.literal?.replaceAll(/['‘’‚‛](['‘’‚‛])/g, "$1");
    if (literal !== undefined) return [{ kind: "literal", text: literal }];
    const expandable = of.hereExpandable ?? of.expandable;
    if (expandable !== undefined) return [{ kind: "expandable", text: expandable }];
    if (of.end !== undefined) return [{ kind: "end", text: whole }];
    return [{ kind: of.word === undefined ? "mark" : "word", text: whole }];
  });

const END: Token = { kind: "end", text: "" };
const COMMAND = /^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/i;
/** The command at the begin of a line, alone or behind what its answer is kept in. */
export const POWERSHELL =
  /^[ \t]*(?:PS [^\n>]*> ?)?(?:\$\w+[ \t]*=[ \t]*)?(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)[ \t]/im;
const CONSTANTS: Readonly<Record<string, Value>> = { $true: true, $false: false, $null: null };
const ESCAPES: Readonly<Record<string, string>> = { "0": "\0", n: "\n", r: "\r", t: "\t", e: "\u001b" };
/** Parameters that take no value. */
const SWITCHES = new Set([
  ...["-allowinsecureredirect", "-allowunencryptedauthentication", "-debug", "-disablekeepalive", "-followrellink"],
  ...["-noproxy", "-passthru", "-preserveauthorizationonredirect", "-preservehttpmethodonredirect", "-resume"],
  ...["-skipcertificatecheck", "-skipheadervalidation", "-skiphttperrorcheck", "-usebasicparsing"],
  ...["-usedefaultcredentials", "-verbose"],
]);
/** Deeper is nothing that an operation takes. */
const DEEPEST = 50;

const plain = (value: Value): unknown => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : value;
};

const textOf = (value: Value): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(plain(value), null, 2) : String(value);

const headersOf = (value: Value): [string, string][] =>
  value instanceof Map ? [...value].map(([name, one]): [string, string] => [name, textOf(one)]) : [];

/** Reads a script from its begin to its end, and keeps what its variables hold. Nothing of it is run. */
class Script {
  readonly calls: ImportedCall[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #tokens: readonly Token[];
  readonly #variables = new Map<string, Value>();
  #at = 0;
  #depth = 0;
  #unknown = new Set<string>();

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    while (this.#at < this.#tokens.length) this.#statement();
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  /** Goes on behind a mark or a word of this text, if it is the next. */
  #took(text: string, at = this.#token): boolean {
    if ((at.kind !== "mark" && at.kind !== "word") || at.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #skipEnds(): void {
    while (this.#token.kind === "end" && this.#at < this.#tokens.length) this.#at += 1;
  }

  /** Goes to the end of the statement. @returns what stood there */
  #rest(): string {
    const from = this.#at;
    while (this.#token.kind !== "end") this.#at += 1;
    return this.#tokens
      .slice(from, this.#at)
      .map(({ text }) => text)
      .join(" ");
  }

  #variable(written: string): Value {
    const known = this.#variables.get(written.replace(/^\$\{(.*)\}$/, "$$$1").toLowerCase());
    if (known !== undefined) return known;
    this.#unknown.add(written);
    return written;
  }

  #expanded(text: string): string {
    return text.replaceAll(
      /`([\s\S])|["“”„](["“”„])|(\$(?:\{[^}]{0,199}\}|\([^)]{0,199}\)|[\w:]+))/g,
      (_, escaped?: string, doubled?: string, variable?: string) => {
        if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
        return variable === undefined ? (doubled ?? "") : textOf(this.#variable(variable));
      },
    );
  }

  #table(): Table {
    const table: Table = new Map();
    for (;;) {
      this.#skipEnds();
      if (this.#token.kind === "end" || this.#took("}")) return table;
      const key = textOf(this.#term());
      if (this.#took("=")) table.set(key, this.#value());
    }
  }

  #list(close: string): Value[] {
    const list: Value[] = [];
    for (;;) {
      this.#skipEnds();
      if (this.#token.kind === "end" || this.#took(close)) return list;
      if (!this.#took(",")) list.push(this.#value());
    }
  }

  #term(): Value {
    const { kind, text } = this.#token;
    this.#at += 1;
    if (kind === "literal") return text;
    if (kind === "expandable") return this.#expanded(text);
    if (text === "@{") return this.#table();
    if (text === "@(") return this.#list(")");
    if (text === "(") {
      // The JSON of a table can be written before it, too.
      const isJson = this.#token.kind === "word" && /^ConvertTo-Json$/i.test(this.#token.text);
      if (!isJson) return this.#list(")").at(0) ?? null;
      this.#at += 1;
      const given = this.#list(")");
      return textOf(given.find((one) => one instanceof Map || Array.isArray(one)) ?? given.at(0) ?? null);
    }
    // A cast, and a method that makes bytes of a text.
    if (/^\[[\w.]+\]$/.test(text)) return this.#value();
    if (text.startsWith("[")) return this.#took("(") ? (this.#list(")").at(0) ?? null) : text;
    if (Object.hasOwn(CONSTANTS, text.toLowerCase())) return CONSTANTS[text.toLowerCase()] ?? null;
    if (text.startsWith("$")) return this.#variable(text);
    return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  }

  #value(): Value {
    this.#depth += 1;
    let value: Value = this.#depth > DEEPEST ? this.#rest() : this.#term();
    while (this.#took("+")) value = textOf(value) + textOf(this.#term());
    if (this.#token.text === "|" && /^ConvertTo-Json$/i.test(this.#tokens[this.#at + 1]?.text ?? "")) {
      this.#at += 2;
      while (this.#token.kind === "word") this.#at += 1;
      value = textOf(value);
    }
    this.#depth -= 1;
    return value;
  }

  #call(): void {
    this.#unknown = new Set();
    const given = new Map<string, Value>();
    const leftOut: LeftOut[] = [];
    while (this.#token.kind !== "end") {
      const { kind, text } = this.#token;
      const name = text.toLowerCase().replace(/:$/, "");
      const spread = kind === "word" && text.startsWith("@") ? this.#variables.get(`$${name.slice(1)}`) : undefined;
      if (text === "|" && kind === "mark") leftOut.push({ what: this.#rest(), why: "Nothing is run on the answer." });
      else if (kind === "word" && /^\d?>/.test(text)) leftOut.push({ what: this.#rest(), why: "No file is written." });
      else if (spread instanceof Map) {
        this.#at += 1;
        for (const [key, value] of spread) given.set(`-${key.toLowerCase()}`, value);
      } else if (kind !== "word" || !name.startsWith("-")) given.set("-uri", this.#value());
      else {
        this.#at += 1;
        if (!SWITCHES.has(name)) given.set(name, this.#value());
      }
    }
    const taken = (name: string): Value => {
      const value = given.get(name) ?? null;
      given.delete(name);
      return value;
    };
    const [url, method] = [textOf(taken("-uri")), textOf(taken("-method")).toUpperCase()];
    const headers = headersOf(taken("-headers"));
    for (const name of ["content-type", "user-agent"]) {
      const value = textOf(taken(`-${name.replace("-", "")}`));
      if (value !== "") headers.push([name, value]);
    }
    const body = taken("-body");
    if (body instanceof Map)
      leftOut.push({ what: "-Body", why: "A table is sent as a form, and operations take JSON: use ConvertTo-Json." });
    for (const [name, value] of given)
      leftOut.push({ what: `${name} ${textOf(value)}`, why: "The Console has nothing for this parameter." });
    for (const what of this.#unknown)
      leftOut.push({ what, why: "It comes from where the command is run: it stands here as it is written." });
    this.calls.push({
      ...{ name: "", method: method || "GET", url, headers, leftOut },
      body: body instanceof Map ? "" : textOf(body),
    });
  }

  /** `$a = …`, `$a['b'] = …`, `$a.Add('b', …)`, or the command; else it is left out. */
  #statement(): void {
    const from = this.#at;
    const { kind, text } = this.#token;
    this.#at += 1;
    if (kind === "end") return;
    const [, name = "", method = ""] = /^(\$[\w:]+)((?:\.\w+)?)$/.exec(text.toLowerCase()) ?? [];
    const table = this.#variables.get(name);
    if (kind === "word" && COMMAND.test(text)) this.#call();
    else if (name !== "" && this.#took("=")) {
      if (COMMAND.test(this.#token.text)) this.#statement();
      else this.#variables.set(name + method, this.#value());
    } else if (table instanceof Map && (method === ".add" ? this.#took("(") : this.#took("["))) {
      const [key = "", value] = this.#list(method === ".add" ? ")" : "]");
      table.set(textOf(key), value ?? (this.#took("=") ? this.#value() : null));
    } else {
      this.#at = from;
      this.leftOut.push({ what: this.#rest(), why: "It is no call. Nothing is run." });
    }
    if (this.#token.kind !== "end") this.#rest();
  }
}

/** The `Invoke-WebRequest` and `Invoke-RestMethod` commands of a text, with what the script puts into their variables. */
export const readPowerShell = (text: string): Imported => {
  const { calls, leftOut } = new Script(text.replaceAll(/^[ \t]*PS [^\n>]*> ?/gm, ""));
  return { format: "PowerShell", calls, leftOut };
};
