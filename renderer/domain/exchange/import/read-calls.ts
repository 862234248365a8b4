import { parsedJson } from "../../../lib/parsed-json.ts";
import { readCurl } from "./curl.ts";
import { readHar } from "./har.ts";
import { readHttpFile } from "./http-file.ts";
import type { Imported } from "./imported.ts";
import { POWERSHELL, readPowerShell } from "./powershell.ts";

/** So long a text is read, in bytes of UTF-8. */
export const MOST_IMPORTED = 10 * 1024 ** 2;

export const TOO_LARGE = "It is larger than 10 MiB. Cut it down to the calls you mean.";

const CURL = /^[ \t]*(?:[$%>][ \t]+)?(?:\S*[/\\])?curl(?:\.exe)?[ \t]/m;
const REQUEST = /^(?:###|@[\w.-]+[ \t]*=|[A-Z]+[ \t]+(?:https?:\/\/|\/|\{\{)|https?:\/\/)/m;

/** What a text holds, or a sentence why nothing of it can be read. */
export const readCalls = (text: string): Imported | { readonly problem: string } => {
  // No character takes more than three bytes for each of its units: short texts need no counting.
  if (text.length > MOST_IMPORTED / 3 && new TextEncoder().encode(text).length > MOST_IMPORTED)
    return { problem: TOO_LARGE };
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (plain.trim() === "") return { problem: "There is nothing in it." };
  if (/^\s*[{[]/.test(plain)) {
    return (
      readHar(parsedJson(plain)) ?? {
        problem: "It is JSON or begins like it, but no HAR: there is no log with entries in it.",
      }
    );
  }
  // What begins first says what all of it is.
  const [first] = [
    { at: plain.search(CURL), read: readCurl },
    { at: plain.search(POWERSHELL), read: readPowerShell },
    { at: plain.search(REQUEST), read: readHttpFile },
  ]
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  if (!first)
    return { problem: "It is no cURL or PowerShell command, no HAR and no HTTP file: none of them begins in it." };
  const imported = first.read(plain);
  return imported.calls.length > 0 ? imported : { problem: "No call is in it." };
};
