/** An exchange as it was kept: secrets masked with bullets. */
export interface KeptRequest {
  readonly method: string;
  readonly path: string;
  readonly request_headers: ReadonlyArray<readonly [string, string]>;
  readonly request_body: string;
}

/** What the caller's program adds by itself, or what would be wrong in another connection. */
const leftOut = new Set([
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "origin",
  "pragma",
  "priority",
  "referer",
  "te",
  "transfer-encoding",
  "user-agent",
]);
const isLeftOut = (name: string): boolean => leftOut.has(name) || name.startsWith("sec-");

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A masked credential cannot be sent: the line takes it from the shell, `$API_KEY`. */
const headerOf = (name: string, value: string): string => {
  if (!value.includes("••")) return quoted(`${name}: ${value}`);
  const [scheme = ""] = value.split(" ");
  return `"${name}: ${value.includes(" ") ? `${scheme} ` : ""}$API_KEY"`;
};

/** The request as a command for a POSIX shell. `origin` is where the service listens. */
export const asCurl = ({ method, path, request_headers, request_body }: KeptRequest, origin: string): string => {
  const headers = request_headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isLeftOut(name))
    .map(([name, value]) => `-H ${headerOf(name, value)}`);
  return [
    `curl -X ${method} ${quoted(origin + path)}`,
    ...headers,
    ...(request_body === "" ? [] : [`--data-raw ${quoted(request_body)}`]),
  ].join(" \\\n  ");
};
