import { Group, Text } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { handsFocusOn } from "../lib/focus.ts";
import { Button, LinkButton } from "./button.tsx";
import { Icon, type IconOf } from "./icon.tsx";

interface EmptyProps {
  readonly icon: IconOf;
  readonly title: string;
  /** What to do next, or what was looked for. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** The one way on from here, where it is a link. */
  readonly link?: readonly [href: string, words: string] | undefined;
}

/** Nothing yet: says what will be here and what to do to get it. */
export const NothingYet = ({ icon, title, children, actions, link }: EmptyProps) => (
  <div className="empty">
    <Icon of={icon} />
    <b>{title}</b>
    {children && <Text size="sm">{children}</Text>}
    {actions && (
      <Group ref={handsFocusOn} component="span" wrap="wrap" className="actions">
        {actions}
      </Group>
    )}
    {link && (
      <Group component="span" wrap="wrap" className="actions">
        <LinkButton small href={link[0]}>
          {link[1]}
        </LinkButton>
      </Group>
    )}
  </div>
);

/** There is something, but the filter leaves none of it. */
export const NothingMatches = ({
  what,
  children,
  onClear,
}: {
  what: string;
  children?: ReactNode;
  onClear: () => void;
}) => (
  <NothingYet
    icon={IconFilter}
    title={what}
    actions={
      <Button small onClick={onClear}>
        Clear filter
      </Button>
    }
  >
    {children}
  </NothingYet>
);
