import { Code } from "./parts.tsx";
import styles from "./webhooks.module.css";

/** Whose address a subscription has: one of the service's own receivers, or a partner's. */
export type WhereTo =
  | { readonly kind: "sink"; readonly id?: undefined }
  | { readonly kind: "receiver"; readonly id: string }
  | { readonly kind: "partner"; readonly id?: undefined };

const loopback = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]);

/** Whether two origins are the same server: this machine has several names. */
const sameServer = (one: URL, other: URL): boolean =>
  one.protocol === other.protocol &&
  one.port === other.port &&
  (one.hostname === other.hostname || (loopback.has(one.hostname) && loopback.has(other.hostname)));

/**
 * What an address stands for.
 *
 * @param origin the service, for example "http://127.0.0.1:4026"; left out: as this window reaches it
 */
export const whereTo = (url: string, origin = window.location.origin): WhereTo => {
  if (!URL.canParse(url)) return { kind: "partner" };
  const parsed = new URL(url);
  if (!sameServer(parsed, new URL(origin))) return { kind: "partner" };
  if (parsed.pathname === "/__webhooks/sink") return { kind: "sink" };
  const id = /^\/__receiver\/([^/]+)$/.exec(parsed.pathname)?.[1];
  return id === undefined ? { kind: "partner" } : { kind: "receiver", id };
};

/**
 * An address without what all have: on this machine only the port tells one server from another, and on one server the
 * path.
 */
export const shortHostOf = (url: string): readonly [host: string, path: string] => {
  if (!URL.canParse(url)) return [url, ""];
  const { hostname, port, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  const isHere = loopback.has(hostname) && port !== "";
  return isHere ? [`:${port}`, path] : [hostname, `${port && ":"}${port}${path}`];
};

/** Where it goes, by its name when it is in the sandbox itself. */
export const Address = ({ url }: { url: string }) => {
  const to = whereTo(url);
  if (to.kind === "partner") return <Code>{url}</Code>;
  return (
    <span className="el" title={url}>
      {to.kind === "sink" ? "test receiver" : "built-in receiver"}{" "}
      <span className="m11 t3">{to.kind === "sink" ? "sink" : to.id.slice(-4)}</span>
    </span>
  );
};

/** The same in one line: "sink", "receiver f813", ":8787/hooks". Where there is no room the path is cut at its head. */
export const ShortAddress = ({ url }: { url: string }) => {
  const to = whereTo(url);
  const [start, end] =
    to.kind === "sink"
      ? ["", "sink"]
      : to.kind === "receiver"
        ? ["receiver", `\u00a0${to.id.slice(-4)}`]
        : shortHostOf(url);
  return (
    <span className={`m11 ${styles.address}`} title={url}>
      <span className="el">{start}</span>
      <span className="el">
        <bdi>{end}</bdi>
      </span>
    </span>
  );
};
