import { Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";

/** A cell of the gallery, `span` of twelve columns wide; `flush` removes the padding. */
export const Cell = ({
  title,
  span,
  flush = false,
  children,
}: {
  title: string;
  span: number;
  flush?: boolean;
  children: ReactNode;
}) => (
  <section className={flush ? "flush" : undefined} style={{ gridColumn: `span ${span}` }} aria-label={title}>
    <h2>{title}</h2>
    <Stack>{children}</Stack>
  </section>
);

export const Line = ({ children }: { children: ReactNode }) => <Group wrap="wrap">{children}</Group>;
