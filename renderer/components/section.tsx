import { Box, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** The head of a place: title, note, and actions at the right. */
export const PlaceHead = ({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) => (
  <div className="place-head">
    <Text component="h1" truncate>
      {title}
    </Text>
    {note && (
      <Text variant="aside" truncate>
        {note}
      </Text>
    )}
    <Box component="span" flex={1} />
    {children}
  </div>
);

/** A titled part of a place under a hairline; actions at the right of its head. */
export const Section = ({
  title,
  note,
  actions,
  children,
  ruled = true,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  ruled?: boolean;
}) => (
  <section className={ruled ? "hl" : undefined}>
    <div className="sec">
      <h2>{title}</h2>
      {note && <Text variant="aside">{note}</Text>}
      {actions && (
        <Group component="span" ml="auto">
          {actions}
        </Group>
      )}
    </div>
    {children}
  </section>
);

/** A line of controls above a list or a table. */
export const Toolbar = ({ children, label }: { children: ReactNode; label: string }) => (
  <Group className="toolbar" role="group" aria-label={label}>
    {children}
  </Group>
);

/** An indented remark that asks for no action. */
export const Note = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <p className="note">
    {icon}
    <span>{children}</span>
  </p>
);
