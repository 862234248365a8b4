import styles from "./webhooks.module.css";
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

/** What a row has room for of the last part of a path. */
const LONGEST_END = 6;

/**
 * An address in a few characters, which may be cut at the end of the first of its two parts: on this machine only the
 * port tells one server from another, and on one server the end of the path.
 */
export const shortHostOf = (url: string): readonly [host: string, end: string] => {
  if (!URL.canParse(url)) return [url, ""];
  const { hostname, port, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  const last = path.slice(path.lastIndexOf("/"));
  const end = last.length > LONGEST_END ? last.slice(1 - LONGEST_END) : last;
  const left = end === path ? "" : "…";
  return loopback.has(hostname) && port !== ""
    ? [`:${port}${left}`, end]
    : [hostname, `${port && ":"}${port}${left}${end}`];
};

/** Where it goes, by its name when it is in the sandbox itself. */
export const Address = ({ url }: { url: string }) => {
  const to = whereTo(url, window.location.origin);
  if (to.kind === "partner") return <span className="m11 wrapany">{url}</span>;
  return (
    <span className="el" title={url}>
      {to.kind === "sink" ? "reference receiver" : "built-in receiver"}{" "}
      <span className="m11 t3">{to.kind === "sink" ? "sink" : to.id.slice(-4)}</span>
    </span>
  );
};

/** The same where there is room for a few characters: "sink", "receiver f813", ":8787/hooks". */
export const ShortAddress = ({ url }: { url: string }) => {
  const to = whereTo(url, window.location.origin);
  const [start, end] =
    to.kind === "sink"
      ? ["", "sink"]
      : to.kind === "receiver"
        ? ["receiver", `\u00a0${to.id.slice(-4)}`]
        : shortHostOf(url);
  return (
    <span className={`m11 ${styles.address}`} title={url}>
      <span className="el">{start}</span>
      <span className="el">{end}</span>
    </span>
  );
};
