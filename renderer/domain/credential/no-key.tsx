import { EmptyState } from "@mantine/core";
import { IconKeyOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../components/button.tsx";
import { sideWord } from "../../components/side.tsx";
import { Origin } from "../decision/origin.tsx";
import { Breakable } from "../exchange/breakable.tsx";

interface NoKeyProps {
  readonly organization: string;
  readonly side: Side;
  /** The operation that needs the key. */
  readonly operation: string;
  /** The hidden content: "its parts". */
  readonly shows: ReactNode;
  /** Address of the install flow for such a key. */
  readonly install: string;
  /** Alternatives to an install. */
  readonly children?: ReactNode;
}

/** Replaces content that needs a missing key: the organization, the consequence, and the way to install one. */
export const NoKey = ({ organization, side, operation, shows, install, children }: NoKeyProps) => (
  <EmptyState icon={<IconKeyOff />} title={`No key for ${organization}`}>
    <EmptyState.Description>
      <code>
        <Breakable code={operation} />
      </code>{" "}
      only accepts a key of {organization}. With another {sideWord(side).toLowerCase()}’s key, the response is{" "}
      <code>not_found</code> <Origin of="assumption" id="D25" />. Install an integration to see {shows}.
    </EmptyState.Description>
    <EmptyState.Actions>
      <LinkButton small look="primary" href={install}>
        Install an integration{" "}
      </LinkButton>
      {children}
    </EmptyState.Actions>
  </EmptyState>
);
