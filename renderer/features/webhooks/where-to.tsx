/** Whose address a subscription has: one of the service's own receivers, or a partner's. */
export type WhereTo =
  | { readonly kind: "sink" }
  | { readonly kind: "receiver"; readonly id: string }
  | { readonly kind: "partner" };

const loopback = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]);

/** Whether two origins are the same server: this machine has several names. */
const sameServer = (one: URL, other: URL): boolean =>
  one.protocol === other.protocol &&
  one.port === other.port &&
  (one.hostname === other.hostname || (loopback.has(one.hostname) && loopback.has(other.hostname)));

/**
 * What an address stands for.
 *
 * @param origin the service as this window reaches it, for example "http://127.0.0.1:4026"
 */
export const whereTo = (url: string, origin: string): WhereTo => {
  if (!URL.canParse(url)) return { kind: "partner" };
  const parsed = new URL(url);
  if (!sameServer(parsed, new URL(origin))) return { kind: "partner" };
  if (parsed.pathname === "/__webhooks/sink") return { kind: "sink" };
  const id = /^\/__receiver\/([^/]+)$/.exec(parsed.pathname)?.[1];
  return id === undefined ? { kind: "partner" } : { kind: "receiver", id };
};

/**
 * An address in a few characters: on this machine only the port tells one server from another, and on one server the end
 * of the path.
 */
export const shortHostOf = (url: string): readonly [start: string, end: string] => {
  if (!URL.canParse(url)) return [url, ""];
  const { hostname, host, port, pathname } = new URL(url);
  const end = pathname === "/" ? "" : pathname.replace(/^.+(?=[/])/, "…");
  return [loopback.has(hostname) && port !== "" ? `:${port}` : host, end];
};

const endsOf = (url: string): readonly [start: string, end: string] => {
  const end = url.lastIndexOf("/");
  return [url.slice(0, end), url.slice(end)];
};

/** The end stays in sight: on one server it alone tells two receivers apart. */
const Ends = ({ of: [start, end], url }: { of: readonly [start: string, end: string]; url: string }) => (
  <span className="m11 webhooks-address" title={url}>
    <span className="el">{start}</span>
    <span className="el">{end}</span>
  </span>
);

/** Where it goes, by its name when it is the service's own. */
export const Address = ({ url, short = false }: { url: string; short?: boolean }) => {
  const to = whereTo(url, window.location.origin);
  if (to.kind === "sink")
    return (
      <span className="el" title={`The built-in test receiver: verifies every notification and answers 200. ${url}`}>
        reference sink
      </span>
    );
  if (to.kind === "receiver")
    return (
      <span className="el" title={url}>
        built-in receiver <span className="m11 t3">{to.id.slice(-4)}</span>
      </span>
    );
  return short ? <Ends of={shortHostOf(url)} url={url} /> : <Ends of={endsOf(url)} url={url} />;
};

/** The same in a word or two, for a row that has no room for more: "sink", "receiver f813", ":8787" and "/hooks". */
export const shortAddress = (url: string): readonly [start: string, end: string] => {
  const to = whereTo(url, window.location.origin);
  if (to.kind === "sink") return ["sink", ""];
  return to.kind === "receiver" ? ["receiver", `\u00a0${to.id.slice(-4)}`] : shortHostOf(url);
};
