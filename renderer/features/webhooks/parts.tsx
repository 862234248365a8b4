import { EmptyState, Table, Text } from "@mantine/core";
import { IconUnlink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { addresses } from "./addresses.ts";

/** Code such as a URL, which may break anywhere. */
export const Code = ({ children }: { children: ReactNode }) => (
  <Text variant="mono" style={{ overflowWrap: "anywhere" }}>
    {children}
  </Text>
);

/** A box with the reason for a failure. */
export const RefusedBox = ({ error }: { error: Error | null }) =>
  error && (
    <div className="bad toned refused">
      <Refused error={error} />
    </div>
  );

/** An integration of this world, with its secret if available. */
export const useIntegration = (id: string | null): Credential | undefined =>
  useCredentials().data?.find(({ integration_id }) => integration_id === id);

/** Style that separates the parts of a page. */
export const part = { className: "hb", px: "lg", py: 10 } as const;

/** Replaces a missing record of an address: it was deleted, or belongs to another world. */
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

/** A table with few rows; `children` are the rows. */
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
