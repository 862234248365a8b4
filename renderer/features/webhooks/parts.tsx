import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { Refused } from "../../components/failing.tsx";
import { useCredentials } from "../../kernel/credentials/acting.ts";

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
