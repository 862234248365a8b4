import type { Imported, ImportedCall } from "./imported.ts";
import { shellWords } from "./shell-words.ts";
import { windowsWords } from "./windows-words.ts";

/** Parts of a call, collected from the options. */
interface GatheredCall {
  method: string | null;
  readonly urls: string[];
  readonly headers: [string, string][];
  readonly data: string[];
  readonly leftOut: string[];
  /** Options without values. */
  readonly flags: Set<string>;
}

/** Applies an option's value to the call; false when it cannot be imported. */
type Take = (call: GatheredCall, value: string) => unknown;

const isFile = (value: string): boolean => value.startsWith("@");
const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

const data: Take = (call, value) => !isFile(value) && call.data.push(value);

const header: Take = (call, value) => {
  // `name:` removes one of cURL's own headers, and `name;` sends an empty one.
  const [, name = "", mark, rest = ""] = /^([^:;]+)([:;])(.*)$/s.exec(value) ?? [];
  if (isFile(value) || name === "") return false;
  if (mark === ":" && rest.trim() === "") return call.flags.add(`no ${name.trim().toLowerCase()}`);
  return call.headers.push([name.trim(), mark === ":" ? rest.trim() : ""]);
};

const urlEncoded: Take = (call, value) => {
  const [, name = "", mark = "", rest = ""] = /^([^=@]*)([=@]?)(.*)$/s.exec(value) ?? [];
  if (mark === "@") return false;
  return call.data.push(mark === "" ? encodeURIComponent(name) : `${name}${name && "="}${encodeURIComponent(rest)}`);
};

const authorization =
  (of: (value: string) => string): Take =>
  (call, value) =>
    call.headers.push(["authorization", of(value)]);

const none: Take = () => false;

/** Options with a value; those that don't affect the call are listed to skip their values. */
const valued: Readonly<Record<string, Take>> = {
  "--url": ({ urls }, value) => urls.push(value),
  "--request": (call, value) => {
    call.method = value;
    return true;
  },
  "--header": header,
  "--data": data,
  "--data-ascii": data,
  "--data-binary": data,
  "--data-raw": (call, value) => call.data.push(value),
  "--data-urlencode": urlEncoded,
  "--json": (call, value) => call.flags.add("--json") && data(call, value),
  "--user": authorization((text) => `Basic ${base64(text)}`),
  "--oauth2-bearer": authorization((text) => `Bearer ${text}`),
  ...Object.fromEntries(
    [
      ...["--cacert", "--cert", "--config", "--connect-timeout", "--cookie", "--cookie-jar", "--dump-header", "--form"],
      ...["--interface", "--key", "--max-time", "--output", "--proxy", "--range", "--referer", "--resolve", "--retry"],
      ...["--upload-file", "--user-agent", "--write-out"],
    ].map((name) => [name, none]),
  ),
};

const letters: Readonly<Record<string, string>> = {
  ...{
    A: "--user-agent",
    D: "--dump-header",
    E: "--cert",
    F: "--form",
    G: "--get",
    H: "--header",
    I: "--head",
    L: "--location",
  },
  ...{ K: "--config", S: "--show-error", T: "--upload-file", X: "--request", b: "--cookie", c: "--cookie-jar" },
  ...{ d: "--data", e: "--referer", g: "--globoff", m: "--max-time", o: "--output", r: "--range", s: "--silent" },
  ...{ u: "--user", w: "--write-out", x: "--proxy" },
};

/** Flags that are supported or irrelevant: a sandbox never redirects. */
const known: ReadonlySet<string> = new Set([
  ...["--get", "--head", "--silent", "--show-error", "--globoff", "--location"],
]);

/** A line's mark that continues nothing, as of a command that was not copied to its end. */
const isMark = (word: string): boolean => /^[\\^`]?\s*$/.test(word);

/** Parses a command's words; splits combined letters (`-sSXPOST`). */
const gatherOptions = (words: readonly string[]): GatheredCall => {
  const call: GatheredCall = { method: null, urls: [], headers: [], data: [], leftOut: [], flags: new Set() };
  const rest = [...words];
  let onlyAddresses = false;
  while (rest.length > 0) {
    const word = rest.shift() ?? "";
    const isLetters = /^-[^-]/.test(word);
    const name = isLetters ? (letters[word.charAt(1)] ?? word.slice(0, 2)) : word;
    const take = Object.hasOwn(valued, name) ? valued[name] : undefined;
    if (onlyAddresses || !word.startsWith("-") || word === "-") (isMark(word) ? call.leftOut : call.urls).push(word);
    else if (word === "--") onlyAddresses = true;
    else if (take) {
      const written = isLetters ? word.slice(0, 2) : word;
      const value = (isLetters && word.slice(2)) || (rest.shift() ?? "");
      if (!take(call, value)) call.leftOut.push(`${written} ${value}`);
      // A file's content is unknown, but the call still has a body and isn't a GET.
      if (/^--(data|json)/.test(name) && call.data.length === 0) call.data.push("");
    } else {
      if (isLetters && word.length > 2) rest.unshift(`-${word.slice(2)}`);
      if (known.has(name)) call.flags.add(name);
      else call.leftOut.push(isLetters ? word.slice(0, 2) : word);
    }
  }
  return call;
};

const toCall = ({ method, urls, headers, data: posted, leftOut, flags }: GatheredCall): ImportedCall => {
  const [first = "", ...others] = urls;
  const isJson = flags.has("--json");
  const body = posted.join(isJson ? "" : "&");
  const hasBody = posted.length > 0 && !flags.has("--get");
  // cURL's default content type.
  if (hasBody && !flags.has("no content-type") && !headers.some(([name]) => name.toLowerCase() === "content-type"))
    headers.push(["content-type", isJson ? "application/json" : "application/x-www-form-urlencoded"]);
  return {
    method: method ?? (flags.has("--head") ? "HEAD" : hasBody ? "POST" : "GET"),
    url: flags.has("--get") && body !== "" ? `${first}${first.includes("?") ? "&" : "?"}${body}` : first,
    headers,
    body: hasBody ? body : "",
    leftOut: [...leftOut, ...others],
  };
};

const isCurl = (word: string | undefined): boolean => /^(?:.*[/\\])?curl(?:\.exe)?$/i.test(word ?? "");

/** A blank after the mark that continues a line, with which each shell ends the command instead. */
const BLANK_AFTER_MARK = /([\\^`])[ \t]+(?=\r?\n)/g;

const readAsWritten = (text: string): Imported => {
  const posix = shellWords(text);
  const isPosix = !posix.unclosed && posix.commands.every((words) => isCurl(words[0]));
  const { commands, unclosed, warning } = windowsWords(text, isPosix) ?? posix;
  const leftOut = [...(unclosed ? ["a quote that is never closed"] : []), ...(warning === undefined ? [] : [warning])];
  const calls: ImportedCall[] = [];
  for (const words of commands) {
    // A prompt may be copied with its command.
    const [program, ...rest] = /^[$%]$/.test(words[0] ?? "") ? words.slice(1) : words;
    const call = isCurl(program) ? gatherOptions(rest) : null;
    if (call !== null && call.urls.length > 0) calls.push(toCall(call));
    else leftOut.push(words.join(" "));
  }
  return { format: "cURL", calls, leftOut };
};

/** Parses the cURL commands in a text for the shell it was written for: POSIX, cmd or PowerShell. */
export const readCurl = (text: string): Imported => {
  const written = readAsWritten(text);
  const joined = text.replaceAll(BLANK_AFTER_MARK, "$1");
  if (written.leftOut.length === 0 || joined === text) return written;
  const { leftOut, ...meant } = readAsWritten(joined);
  return {
    ...meant,
    leftOut: [...leftOut, "a blank after a line's last character, which ends the command: remove it"],
  };
};
