/** A recorded call, with secrets masked by bullets. */
export interface CopiedRequest {
  readonly method: string;
  readonly path: string;
  readonly request_headers: ReadonlyArray<readonly [string, string]>;
  readonly request_body: string;
}

/** Headers that the client adds itself, or that are wrong on another connection. */
const leftOut = new Set([
  ...["accept-encoding", "accept-language", "cache-control", "connection", "content-length", "host", "keep-alive"],
  ...["origin", "pragma", "priority", "referer", "te", "transfer-encoding", "user-agent"],
]);
const isLeftOut = (name: string): boolean => leftOut.has(name) || name.startsWith("sec-");

/** A masked credential, which the command replaces by the environment variable `API_KEY`. */
export const MASKED_WORD = /\S*••\S*/;

/** Headers that a program must set, with lowercase names. */
export const sentHeaders = (request: CopiedRequest): ReadonlyArray<readonly [name: string, value: string]> =>
  request.request_headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isLeftOut(name));

/** Quotes text as one word of a POSIX shell: single quotes disable all expansion. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const headerInShell = (header: string): string => {
  const words = header.split(MASKED_WORD).map((part) => (part === "" ? "" : quoteForShell(part)));
  return words.join('"$API_KEY"');
};

/** The call as a command for a POSIX shell. `origin` is the service's address. */
export const toCurl = (request: CopiedRequest, origin: string): string =>
  [
    // Without `--globoff`, cURL expands brackets and braces in an address.
    `curl ${/[[\]{}]/.test(request.path) ? "--globoff " : ""}-X ${quoteForShell(request.method)} ${quoteForShell(origin + request.path)}`,
    ...sentHeaders(request).map(([name, value]) => `-H ${headerInShell(`${name}: ${value}`)}`),
    ...(request.request_body === "" ? [] : [`--data-raw ${quoteForShell(request.request_body)}`]),
  ].join(" \\\n  ");

/** Quotes text for PowerShell, which treats typographic single quotes as plain ones. */
const quoteForPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

const valueInPowerShell = (value: string): string =>
  value
    .split(MASKED_WORD)
    .flatMap((part, index) => [
      ...(index > 0 ? ["$env:API_KEY"] : []),
      ...(part === "" ? [] : [quoteForPowerShell(part)]),
    ])
    .join(" + ");

/**
 * The call as a PowerShell command. Avoids cURL: it is an alias in some versions, and some drop the quotes of a JSON
 * argument.
 */
export const toPowerShell = (request: CopiedRequest, origin: string): string => {
  const values = Map.groupBy(sentHeaders(request), ([name]) => name);
  const headers = [...values].map(
    ([name, same]) =>
      `    ${quoteForPowerShell(name)} = ${same.map(([, value]) => valueInPowerShell(value) || "''").join(" + ', ' + ")}`,
  );
  return [
    `Invoke-WebRequest -UseBasicParsing -Method ${quoteForPowerShell(request.method)} -Uri ${quoteForPowerShell(origin + request.path)}`,
    ...(headers.length === 0 ? [] : [["-Headers @{", ...headers, "  }"].join("\n")]),
    ...(request.request_body === ""
      ? []
      : [`-Body ([Text.Encoding]::UTF8.GetBytes(${quoteForPowerShell(request.request_body)}))`]),
  ].join(" `\n  ");
};
