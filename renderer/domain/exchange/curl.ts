/** An exchange as it was kept: secrets masked with bullets. */
export interface KeptRequest {
  readonly method: string;
  readonly path: string;
  readonly request_headers: ReadonlyArray<readonly [string, string]>;
  readonly request_body: string;
}

/** What the caller's program adds by itself, or what would be wrong in another connection. */
const leftOut = new Set([
  ...["accept-encoding", "accept-language", "cache-control", "connection", "content-length", "host", "keep-alive"],
  ...["origin", "pragma", "priority", "referer", "te", "transfer-encoding", "user-agent"],
]);
const isLeftOut = (name: string): boolean => leftOut.has(name) || name.startsWith("sec-");

/** A masked credential cannot be sent: the command takes it from the environment, `API_KEY`. */
export const masked = /\S*••\S*/;

/** The headers a program sets itself, their names in lower case. */
export const sentHeaders = (request: KeptRequest): ReadonlyArray<readonly [name: string, value: string]> =>
  request.request_headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isLeftOut(name));

/** Text as one word of a POSIX shell: nothing within single quotes means anything but itself. */
export const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const headerInShell = (header: string): string => {
  const words = header.split(masked).map((part) => (part === "" ? "" : inShell(part)));
  return words.join('"$API_KEY"');
};

/** The request as a command for a POSIX shell. `origin` is where the service listens. */
export const asCurl = (request: KeptRequest, origin: string): string =>
  [
    // Without it, brackets and braces of an address mean several addresses.
    `curl ${/[[\]{}]/.test(request.path) ? "--globoff " : ""}-X ${inShell(request.method)} ${inShell(origin + request.path)}`,
    ...sentHeaders(request).map(([name, value]) => `-H ${headerInShell(`${name}: ${value}`)}`),
    ...(request.request_body === "" ? [] : [`--data-raw ${inShell(request.request_body)}`]),
  ].join(" \\\n  ");

/** Text as a string of PowerShell, which takes typographic single quotes for plain ones. */
const inPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

const valueInPowerShell = (value: string): string =>
  value
    .split(masked)
    .flatMap((part, index) => [...(index > 0 ? ["$env:API_KEY"] : []), ...(part === "" ? [] : [inPowerShell(part)])])
    .join(" + ");

/**
 * The request as a command for PowerShell. Its `curl` is another program in some versions, and some lose the quotes of a
 * JSON body handed to a program, so this is PowerShell's own command.
 */
export const asPowerShell = (request: KeptRequest, origin: string): string => {
  const values = Map.groupBy(sentHeaders(request), ([name]) => name);
  const headers = [...values].map(
    ([name, same]) =>
      `    ${inPowerShell(name)} = ${same.map(([, value]) => valueInPowerShell(value) || "''").join(" + ', ' + ")}`,
  );
  return [
    `Invoke-WebRequest -UseBasicParsing -Method ${inPowerShell(request.method)} -Uri ${inPowerShell(origin + request.path)}`,
    ...(headers.length === 0 ? [] : [["-Headers @{", ...headers, "  }"].join("\n")]),
    ...(request.request_body === ""
      ? []
      : [`-Body ([Text.Encoding]::UTF8.GetBytes(${inPowerShell(request.request_body)}))`]),
  ].join(" `\n  ");
};
