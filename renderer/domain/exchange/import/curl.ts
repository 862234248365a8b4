import type { Imported, ImportedCall, LeftOut } from "./imported.ts";
import { shellWords } from "./shell-words.ts";

/** What a command says of its call, gathered option by option. */
class Gathered {
  method: string | null = null;
  readonly urls: string[] = [];
  readonly headers: [string, string][] = [];
  readonly data: string[] = [];
  readonly leftOut: LeftOut[] = [];
  /** It sends a file, which is not read: it is no GET for that. */
  sendsFile = false;
  asQuery = false;
  isHead = false;
  isJson = false;
  readonly #taken = new Set<string>();

  /** Takes away a header that cURL would send by itself. */
  takeAway(name: string): void {
    this.#taken.add(name.toLowerCase());
  }

  leave(what: string, why: string): void {
    this.leftOut.push({ what, why });
  }

  #has(name: string): boolean {
    return this.#taken.has(name) || this.headers.some(([one]) => one.toLowerCase() === name);
  }

  call(): ImportedCall {
    const [first = "", ...others] = this.urls;
    for (const url of others) this.leave(url, "A command is read for its first address.");
    const posted = this.data.join(this.isJson ? "" : "&");
    const hasBody = (this.data.length > 0 || this.sendsFile) && !this.asQuery;
    const usual = this.isHead ? "HEAD" : hasBody ? "POST" : "GET";
    // What cURL says of a body by itself.
    if (hasBody && !this.#has("content-type"))
      this.headers.push(["content-type", this.isJson ? "application/json" : "application/x-www-form-urlencoded"]);
    if (this.isJson && !this.#has("accept")) this.headers.push(["accept", "application/json"]);
    return {
      name: "",
      method: this.method ?? usual,
      url: this.asQuery && posted !== "" ? `${first}${first.includes("?") ? "&" : "?"}${posted}` : first,
      headers: this.headers,
      body: hasBody ? posted : "",
      leftOut: this.leftOut,
    };
  }
}

/** An option of cURL: whether a value follows it, and what it says of the call, or why nothing. */
interface Option {
  readonly takesValue: boolean;
  readonly take: (call: Gathered, text: string, written: string) => void;
}

const OF_CONNECTION = "How a command connects is left aside: calls go to this service.";
const OF_FILE = "Files are not read: paste what is in it.";
const OF_ENVIRONMENT = "Its value comes from the shell that runs the command, so it is kept as written.";
const OF_ANSWER = "The Console shows the whole answer.";

const valued = (take: Option["take"]): Option => ({ takesValue: true, take });
const flag = (take: Option["take"]): Option => ({ takesValue: false, take });
const left = (why: string): Option => valued((call, text, written) => call.leave(`${written} ${text}`, why));
const leftFlag = (why: string): Option => flag((call, _, written) => call.leave(written, why));
const asHeader = (name: string, of = (text: string): string => text): Option =>
  valued((call, text) => {
    call.headers.push([name, of(text)]);
  });
const each = (names: readonly string[], option: Option) => Object.fromEntries(names.map((name) => [name, option]));

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

const fileLeft = (call: Gathered, what: string): void => {
  call.sendsFile = true;
  call.leave(what, OF_FILE);
};

const data: Option = valued((call, text, written) => {
  if (text.startsWith("@")) fileLeft(call, `${written} ${text}`);
  else call.data.push(text);
});

const header: Option = valued((call, text, written) => {
  const named = /^([^:;]+)(?::(.*)|;\s*)$/s.exec(text);
  const [, name = "", value] = named ?? [];
  if (text.startsWith("@")) call.leave(`${written} ${text}`, OF_FILE);
  else if (!named) call.leave(`${written} ${text}`, "It is no header: a name, a colon and a value.");
  else if (value?.trim() === "") call.takeAway(name.trim());
  else call.headers.push([name.trim(), value?.trim() ?? ""]);
});

const urlEncoded: Option = valued((call, text, written) => {
  const [, name = "", mark = "", value = ""] = /^([^=@]*)([=@]?)(.*)$/s.exec(text) ?? [];
  if (mark === "@") fileLeft(call, `${written} ${text}`);
  else call.data.push(mark === "" ? encodeURIComponent(name) : `${name}${name && "="}${encodeURIComponent(value)}`);
});

const address: Option = valued((call, text) => {
  call.urls.push(text);
});

/** The options that partners' calls have; others are said not to be known. */
const options: Readonly<Record<string, Option>> = {
  "--url": address,
  "--header": header,
  "--request": valued((call, text) => {
    call.method = text;
  }),
  "--data-raw": valued((call, text) => {
    call.data.push(text);
  }),
  ...each(["--data", "--data-ascii", "--data-binary"], data),
  "--data-urlencode": urlEncoded,
  "--json": valued((call, text, written) => {
    call.isJson = true;
    data.take(call, text, written);
  }),
  "--user": asHeader("authorization", (text) => `Basic ${base64(text)}`),
  "--oauth2-bearer": asHeader("authorization", (text) => `Bearer ${text}`),
  "--user-agent": asHeader("user-agent"),
  "--referer": asHeader("referer"),
  "--cookie": asHeader("cookie"),
  "--get": flag((call) => {
    call.asQuery = true;
  }),
  "--head": flag((call) => {
    call.isHead = true;
  }),
  ...each(
    ["--silent", "--show-error", "--no-progress-meter", "--progress-bar", "--globoff", "--no-buffer"],
    flag(() => undefined),
  ),
  ...each(
    ["--insecure", "--location", "--compressed", "--ipv4", "--ipv6", "--http1.0", "--http1.1", "--http2"],
    leftFlag(OF_CONNECTION),
  ),
  ...each(
    ["--max-time", "--connect-timeout", "--proxy", "--cacert", "--cert", "--key", "--resolve", "--interface"],
    left(OF_CONNECTION),
  ),
  ...each(["--include", "--verbose", "--fail", "--fail-with-body", "--remote-name"], leftFlag(OF_ANSWER)),
  ...each(["--output", "--dump-header", "--write-out"], left(OF_ANSWER)),
  ...each(["--upload-file", "--config"], left(OF_FILE)),
  "--form": left("Operations take JSON, no form with parts."),
  "--cookie-jar": left("Operations know no cookies."),
  "--retry": left("The Console sends a call once."),
  "--range": left("Answers are whole."),
};

const letters: Readonly<Record<string, string>> = {
  ...{ X: "--request", H: "--header", d: "--data", u: "--user", A: "--user-agent", e: "--referer", b: "--cookie" },
  ...{ G: "--get", I: "--head", s: "--silent", S: "--show-error", "#": "--progress-bar", g: "--globoff" },
  ...{ N: "--no-buffer", k: "--insecure", L: "--location", "4": "--ipv4", "6": "--ipv6", m: "--max-time" },
  ...{ x: "--proxy", E: "--cert", i: "--include", v: "--verbose", f: "--fail", O: "--remote-name", o: "--output" },
  ...{ D: "--dump-header", w: "--write-out", F: "--form", T: "--upload-file", K: "--config", c: "--cookie-jar" },
  ...{ r: "--range", "0": "--http1.0" },
};

/** An option as it stands, with its value; an address is one without a name. */
interface Given {
  readonly written: string;
  readonly option: Option | null;
  readonly value: string;
}

/** The letters of one word, the last of them with the rest of it as a value: `-sSXPOST`. */
const inCluster = (word: string, following: string): { readonly given: Given[]; readonly used: boolean } => {
  const given: Given[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const option = options[letters[letter] ?? ""] ?? null;
    if (!option?.takesValue) given.push({ written: `-${letter}`, option, value: "" });
    else {
      const rest = word.slice(at + 1);
      return { given: [...given, { written: `-${letter}`, option, value: rest || following }], used: rest === "" };
    }
  }
  return { given, used: false };
};

const givenIn = (words: readonly string[]): Given[] => {
  const given: Given[] = [];
  let onlyAddresses = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const following = words[at + 1] ?? "";
    if (onlyAddresses || !word.startsWith("-") || word === "-")
      given.push({ written: "", option: address, value: word });
    else if (word === "--") onlyAddresses = true;
    else if (word.startsWith("--")) {
      const option = Object.hasOwn(options, word) ? (options[word] ?? null) : null;
      given.push({ written: word, option, value: option?.takesValue ? following : "" });
      if (option?.takesValue) at += 1;
    } else {
      const cluster = inCluster(word, following);
      given.push(...cluster.given);
      if (cluster.used) at += 1;
    }
  }
  return given;
};

const isCurl = (word: string): boolean => /^(?:.*[/\\])?curl(?:\.exe)?$/i.test(word);
/** What stands in front of a command where it was copied with it. */
const isPrompt = (word: string): boolean => /^[$%]$/.test(word);

/** The cURL commands of a text, as a POSIX shell would read them. */
export const readCurl = (text: string): Imported => {
  const { commands, unclosed } = shellWords(text);
  const leftOut: LeftOut[] = unclosed ? [{ what: "a quote", why: "It is opened and never closed." }] : [];
  const calls: ImportedCall[] = [];
  for (const { words, variables, redirections } of commands) {
    const [program, ...rest] = words.slice(words.findIndex((word) => !isPrompt(word)));
    if (!program || !isCurl(program)) {
      leftOut.push({ what: words.join(" "), why: "It is no cURL command. Nothing is run." });
      continue;
    }
    const call = new Gathered();
    for (const variable of variables) call.leave(variable, OF_ENVIRONMENT);
    for (const redirection of redirections)
      call.leave(redirection, "The answer is shown here, and files are neither read nor written.");
    for (const { written, option, value } of givenIn(rest)) {
      if (option) option.take(call, value, written);
      else call.leave(written, "This option of cURL is not known here.");
    }
    calls.push(call.call());
  }
  return { format: "cURL", calls, leftOut };
};
