import { Text } from "@mantine/core";
import { listenerName } from "../../../sandbox/contract/listener.ts";

/** Owner of a subscription's address: a built-in receiver, a developer machine with `sandbox listen`, or a partner. */
type Destination =
  | { readonly kind: "sink" }
  | { readonly kind: "partner" }
  | { readonly kind: "machine"; readonly name: string }
  | { readonly kind: "receiver"; readonly id: string };

/**
 * Classifies an address.
 * @param origin the service, for example "http://127.0.0.1:4026"; default: this window's
 */
export const classifyAddress = (url: string, origin = window.location.origin): Destination => {
  const machine = listenerName(url);
  if (machine !== null) return { kind: "machine", name: machine };
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const here = new URL(origin);
  const loopback = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", here.hostname]);
  // This machine has several names.
  if (parsed?.protocol !== here.protocol || parsed.port !== here.port || !loopback.has(parsed.hostname))
    return { kind: "partner" };
  if (parsed.pathname === "/__webhooks/sink") return { kind: "sink" };
  const id = /^\/__receiver\/([^/]+)$/.exec(parsed.pathname)?.[1];
  return id === undefined ? { kind: "partner" } : { kind: "receiver", id };
};

const wordsFor = (to: Destination, url: string): string => {
  if (to.kind === "partner") return url;
  if (to.kind === "machine") return `forwarded to ${to.name}`;
  return to.kind === "sink" ? "test receiver" : `receiver ${to.id.slice(-4)}`;
};

/**
 * An address on one line, by name unless it is a partner's. Truncates the start, which most addresses share.
 * @param props.brief only a machine's name, where an arrow already shows the direction
 */
export const Address = ({ url, brief = false }: { url: string; brief?: boolean }) => {
  const to = classifyAddress(url);
  const cut = to.kind === "partner" ? ({ direction: "rtl", textAlign: "left" } as const) : {};
  return (
    <Text variant="mono" truncate style={cut} title={url}>
      <bdi>{brief && to.kind === "machine" ? to.name : wordsFor(to, url)}</bdi>
    </Text>
  );
};
