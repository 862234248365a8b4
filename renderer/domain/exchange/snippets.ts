import { asCurl, asPowerShell, type KeptRequest, masked, sentHeaders } from "./curl.ts";

/** What JavaScript and Python both read as the same text: JSON's strings are theirs. */
const inQuotes = (text: string): string => JSON.stringify(text);

/** Text that needs no escapes but for what its quotes forbid. */
const PLAIN = /^[\n\P{C}]*$/u;

/** A body as a string of JavaScript, without escapes where it can be: people read it. */
const bodyInJavaScript = (text: string): string =>
  PLAIN.test(text) && !/[\\`]|\$\{/.test(text) ? `\`${text}\`` : inQuotes(text);

/** The same in Python. */
const bodyInPython = (text: string): string => {
  if (!PLAIN.test(text) || text.includes("\\")) return inQuotes(text);
  const quotes = /['\n]/.test(text) ? "'''" : "'";
  return text.includes(quotes) || text.endsWith("'") ? inQuotes(text) : quotes + text + quotes;
};

/** A header's value as the parts of a sum: a masked credential comes from the environment. */
const partsOf = (value: string, key: string): string[] =>
  value.split(masked).flatMap((part, index) => [...(index > 0 ? [key] : []), ...(part === "" ? [] : [inQuotes(part)])]);

/** Lines of one name are one header in what takes an object of them. */
const headerEntries = (request: KeptRequest, key: string): string[] =>
  [...Map.groupBy(sentHeaders(request), ([name]) => name)].map(([name, same]) => {
    // Each by itself: what is masked would take the comma behind it along.
    const parts = same.flatMap(([, value], index) => [...(index > 0 ? ['", "'] : []), ...partsOf(value, key)]);
    return `${inQuotes(name)}: ${parts.join(" + ") || '""'},`;
  });

const indented = (lines: readonly string[], by: string): string => lines.map((line) => by + line).join("\n");

/** The request as JavaScript. `origin` is where the service listens. */
export const asFetch = (request: KeptRequest, origin: string): string =>
  [
    `const response = await fetch(${inQuotes(origin + request.path)}, {`,
    `  method: ${inQuotes(request.method)},`,
    "  headers: {",
    indented(headerEntries(request, "process.env.API_KEY"), "    "),
    "  },",
    ...(request.request_body === "" ? [] : [`  body: ${bodyInJavaScript(request.request_body)},`]),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");

/** The request as Python, for the library requests. */
export const asPython = (request: KeptRequest, origin: string): string =>
  [
    ...(sentHeaders(request).some(([, value]) => masked.test(value)) ? ["import os"] : []),
    "import requests  # pip install requests",
    "",
    "response = requests.request(",
    `    ${inQuotes(request.method)},`,
    `    ${inQuotes(origin + request.path)},`,
    "    headers={",
    indented(headerEntries(request, 'os.environ["API_KEY"]'), "        "),
    "    },",
    ...(request.request_body === "" ? [] : [`    data=${bodyInPython(request.request_body)}.encode(),`]),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");

/** What a call can be written as. They take the key, which is masked, from `API_KEY`. */
export const programs = [
  { name: "cURL", of: asCurl, what: "the cURL command" },
  { name: "fetch (JavaScript)", of: asFetch, what: "the fetch call" },
  { name: "Python (requests)", of: asPython, what: "the Python program" },
  { name: "PowerShell", of: asPowerShell, what: "the PowerShell command" },
] as const;
