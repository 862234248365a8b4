import { Text } from "@mantine/core";
import { listenerName } from "../../../sandbox/contract/listener.ts";

/** Whose address a subscription has: one of the service's own receivers, a machine that `sandbox listen` forwards to, or a partner's. */
export type WhereTo =
  | { readonly kind: "sink" }
  | { readonly kind: "partner" }
  | { readonly kind: "machine"; readonly name: string }
  | { readonly kind: "receiver"; readonly id: string };

/**
 * What an address stands for.
 *
 * @param origin the service, for example "http://127.0.0.1:4026"; left out: as this window reaches it
 */
export const whereTo = (url: string, origin = window.location.origin): WhereTo => {
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

const wordsFor = (to: WhereTo, url: string): string => {
  if (to.kind === "partner") return url;
  if (to.kind === "machine") return `forwarded to ${to.name}`;
  return to.kind === "sink" ? "test receiver" : `receiver ${to.id.slice(-4)}`;
};

/**
 * Where it goes, by its name when it is no partner's; in one line. Of an address the head is cut where there is no room: all
 * share it.
 *
 * @param props.brief a machine's name alone, where an arrow says that it is sent there
 */
export const Address = ({ url, brief = false }: { url: string; brief?: boolean }) => {
  const to = whereTo(url);
  const cut = to.kind === "partner" ? ({ direction: "rtl", textAlign: "left" } as const) : {};
  return (
    <Text variant="mono" truncate style={cut} title={url}>
      <bdi>{brief && to.kind === "machine" ? to.name : wordsFor(to, url)}</bdi>
    </Text>
  );
};
