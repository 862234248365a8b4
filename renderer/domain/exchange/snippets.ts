import { type CopiedRequest, MASKED_WORD, sentHeaders, toCurl, toPowerShell } from "./curl.ts";

/** A JSON string, which is also valid in JavaScript and Python. */
const quote = (text: string): string => JSON.stringify(text);

/** Text that needs no escapes besides its quotes. */
const PLAIN = /^[\n\P{C}]*$/u;

/** A body as a JavaScript string, without escapes if possible, for readability. */
const bodyInJavaScript = (text: string): string =>
  PLAIN.test(text) && !/[\\`]|\$\{/.test(text) ? `\`${text}\`` : quote(text);

const bodyInPython = (text: string): string => {
  if (!PLAIN.test(text) || text.includes("\\")) return quote(text);
  const quotes = /['\n]/.test(text) ? "'''" : "'";
  return text.includes(quotes) || text.endsWith("'") ? quote(text) : quotes + text + quotes;
};

/** Splits a header's value around masked credentials, which come from the environment. */
const splitValue = (value: string, key: string): string[] =>
  value
    .split(MASKED_WORD)
    .flatMap((part, index) => [...(index > 0 ? [key] : []), ...(part === "" ? [] : [quote(part)])]);

/** Combines headers of one name, because an object holds each name once. */
const headerEntries = (request: CopiedRequest, key: string): string[] =>
  [...Map.groupBy(sentHeaders(request), ([name]) => name)].map(([name, same]) => {
    // Split separately: a mask would otherwise include the following comma.
    const parts = same.flatMap(([, value], index) => [...(index > 0 ? ['", "'] : []), ...splitValue(value, key)]);
    return `${quote(name)}: ${parts.join(" + ") || '""'},`;
  });

const indented = (lines: readonly string[], by: string): string => lines.map((line) => by + line).join("\n");

/** The call as JavaScript. `origin` is the service's address. */
export const toFetch = (request: CopiedRequest, origin: string): string =>
  [
    `const response = await fetch(${quote(origin + request.path)}, {`,
    `  method: ${quote(request.method)},`,
    "  headers: {",
    indented(headerEntries(request, "process.env.API_KEY"), "    "),
    "  },",
    ...(request.request_body === "" ? [] : [`  body: ${bodyInJavaScript(request.request_body)},`]),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");

/** The call as Python, for the library requests. */
export const toPython = (request: CopiedRequest, origin: string): string =>
  [
    ...(sentHeaders(request).some(([, value]) => MASKED_WORD.test(value)) ? ["import os"] : []),
    "import requests  # pip install requests",
    "",
    "response = requests.request(",
    `    ${quote(request.method)},`,
    `    ${quote(origin + request.path)},`,
    "    headers={",
    indented(headerEntries(request, 'os.environ["API_KEY"]'), "        "),
    "    },",
    ...(request.request_body === "" ? [] : [`    data=${bodyInPython(request.request_body)}.encode(),`]),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");

/** Languages of a call. They read the masked key from `API_KEY`. */
export const programs = [
  { name: "cURL", of: toCurl, what: "the cURL command" },
  { name: "fetch (JavaScript)", of: toFetch, what: "the fetch call" },
  { name: "Python (requests)", of: toPython, what: "the Python program" },
  { name: "PowerShell", of: toPowerShell, what: "the PowerShell command" },
] as const;
