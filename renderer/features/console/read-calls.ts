import { readCurl } from "../../domain/exchange/import/curl.ts";
import type { Imported } from "../../domain/exchange/import/imported.ts";
import { withoutPrompts } from "../../domain/exchange/import/terminal-text.ts";
import { parsedJson } from "../../lib/parsed-json.ts";
import { readHar } from "./har.ts";

/** Longest text to parse, in bytes of UTF-8. */
export const MAX_IMPORT_BYTES = 10 * 1024 ** 2;

const TOO_LARGE = "It is larger than 10 MiB. Cut it down to the calls you mean.";

const CURL = /^[ \t]*(?:[$%][ \t]+)?(?:\S*[/\\])?curl(?:\.exe)?[ \t]/m;
/** PowerShell's own commands, which browsers copy with sessions and tables of headers. */
const POWERSHELL_COMMANDS = /\bInvoke-(?:WebRequest|RestMethod)\b|^\s*(?:iwr|irm)\s/im;
/** Parameters of PowerShell's commands. With one of them, `curl` is PowerShell's alias. */
const ALIAS_PARAMETERS =
  /^[ \t]*(?:\$\w+[ \t]*=[ \t]*)?curl\b[^\n]*[ \t]-(?:Uri|Method|Body|Headers|ContentType|UseBasicParsing|InFile|OutFile)(?=[\s:]|$)/im;
/** Removes quoted text and joins continued lines, so that quotes contain no options. */
const skeleton = (text: string): string =>
  text.replaceAll(/'[^']*'|"(?:[^"\\`]|[\\`][\s\S])*"/g, "''").replaceAll(/[`\\^]\r?\n/g, " ");

/** Returns the calls in a text, or why there are none. */
export const readCalls = (text: string): Imported | { readonly problem: string } => {
  // A UTF-16 unit needs at most three bytes, so short texts skip the count.
  if (text.length > MAX_IMPORT_BYTES / 3 && new TextEncoder().encode(text).length > MAX_IMPORT_BYTES)
    return { problem: TOO_LARGE };
  const plain = withoutPrompts(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (plain.trim() === "") return { problem: "It is empty." };
  if (/^\s*[{[]/.test(plain))
    return readHar(parsedJson(plain)) ?? { problem: "It is JSON, but not a HAR. A HAR has log.entries." };
  if (
    CURL.test(plain)
      ? ALIAS_PARAMETERS.test(skeleton(plain))
      : POWERSHELL_COMMANDS.test(plain) || ALIAS_PARAMETERS.test(skeleton(plain))
  )
    return { problem: "It is a PowerShell command. Copy the call again as cURL, or export a HAR." };
  if (!CURL.test(plain)) return { problem: "Not a cURL command or a HAR file." };
  const imported = readCurl(plain);
  return imported.calls.length > 0
    ? imported
    : { problem: "The cURL command has no address. Add one, such as http://127.0.0.1:4026/api/2026-01/…." };
};
