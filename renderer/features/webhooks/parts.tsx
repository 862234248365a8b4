import { EmptyState, Table, Text } from "@mantine/core";
import { IconUnlink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { listenerName } from "../../../sandbox/contract/listener.ts";
import { useCredentials } from "../../app/acting.ts";
import { LinkButton } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { addresses } from "./addresses.ts";

/** An address or what else stands in code, broken anywhere. */
export const Code = ({ children }: { children: ReactNode }) => (
  <Text variant="mono" style={{ overflowWrap: "anywhere" }}>
    {children}
  </Text>
);

/** Why something was not done, in a box of its own. */
export const RefusedBox = ({ error }: { error: Error | null }) =>
  error && (
    <div className="bad toned refused">
      <Refused error={error} />
    </div>
  );

/** An integration of this world, with its secret where there is one. */
export const useIntegration = (id: string | null): Credential | undefined =>
  useCredentials().data?.find(({ integration_id }) => integration_id === id);

/** Whose address a subscription has: one of the service's own receivers, a laptop that `sandbox listen` forwards to, or a partner's. */
export type WhereTo =
  | { readonly kind: "sink" }
  | { readonly kind: "partner" }
  | { readonly kind: "laptop"; readonly name: string }
  | { readonly kind: "receiver"; readonly id: string };

/**
 * What an address stands for.
 *
 * @param origin the service, for example "http://127.0.0.1:4026"; left out: as this window reaches it
 */
export const whereTo = (url: string, origin = window.location.origin): WhereTo => {
  const laptop = listenerName(url);
  if (laptop !== null) return { kind: "laptop", name: laptop };
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

/** How a part of a page is set off from the next. */
export const part = { className: "hb", px: "lg", py: 10 } as const;

const wordsFor = (to: WhereTo, url: string): string => {
  if (to.kind === "partner") return url;
  if (to.kind === "laptop") return `forwarded to ${to.name}`;
  return to.kind === "sink" ? "test receiver" : `built-in receiver ${to.id.slice(-4)}`;
};

/** Where it goes, by its name when it is in the sandbox itself; in one line. Where there is no room its head is cut, which all addresses share. */
export const Address = ({ url }: { url: string }) => {
  const to = whereTo(url);
  const words = wordsFor(to, url);
  return (
    <Text variant="mono" truncate style={{ direction: "rtl", textAlign: "left" }} title={url}>
      <bdi>{words}</bdi>
    </Text>
  );
};

/** In the place of what an address names: it was deleted, maybe a moment ago, or is of another world. */
export const NotFound = ({ what, children }: { what: "Subscription" | "Receiver"; children: string }) => (
  <EmptyState icon={<IconUnlink />} title={`${what} not found`} description={children}>
    <LinkButton small href={addresses.subscriptions}>
      All subscriptions
    </LinkButton>
  </EmptyState>
);

interface Head {
  readonly words: ReactNode;
  readonly w?: number | string;
  readonly ta?: "right";
}

/** A table of few rows; `children` are those. */
export const ShortTable = ({
  label,
  heads,
  children,
}: {
  label: string;
  heads: readonly Head[];
  children: ReactNode;
}) => (
  <Table aria-label={label} miw={500}>
    <Table.Thead>
      <Table.Tr>
        {heads.map(({ words, ...room }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the heads of a table never move
          <Table.Th key={index} {...room}>
            {words}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>{children}</Table.Tbody>
  </Table>
);
