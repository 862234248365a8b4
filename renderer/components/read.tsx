import { EmptyState, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isNotFound } from "../lib/service-failure.ts";
import { Button, LinkButton } from "./button.tsx";
import { Failing } from "./failing.tsx";
import type { IconOf } from "./icon.tsx";
import { Time } from "./time.tsx";

/** Placeholder rows; the style sheet shows them after 100 ms, so that fast responses don't flash. */
export const Skeletons = ({ what, rows = 3 }: { what: string; rows?: number }) => (
  <Stack className="on-its-way" role="status">
    <span className="sr">Loading {what}</span>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
      <Skeleton key={index} h={12} w={`${82 - ((index * 17) % 40)}%`} />
    ))}
  </Stack>
);

/** The parts of a query that are used here; a paged query fits too. */
export interface Reading<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** Shown beside old data. Retry applies to every failed read, because the notes of one region overlap. */
const Stale = ({ since, error }: { since: number; error: Error }) => {
  const client = useQueryClient();
  const again = () => client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
  return (
    <Group className="stale" role="status">
      <Text size="sm" title={error.message}>
        Out of date since <Time at={new Date(since).toISOString()} as="clock" on="real" />
      </Text>
      <Button small icon={IconRefresh} onClick={() => void again()}>
        Try again
      </Button>
    </Group>
  );
};

/** Replaces what an address names and isn't there: deleted, or in another world. */
export const Missing = ({
  icon: Shape,
  title,
  why,
  href,
  all,
}: {
  icon: IconOf;
  title: ReactNode;
  why: ReactNode;
  /** Address of the list of everything, and its label: "All calls". */
  href: string;
  all: string;
}) => (
  <EmptyState icon={<Shape />} title={title} description={why}>
    <LinkButton small href={href}>
      {all}
    </LinkButton>
  </EmptyState>
);

interface ReadProps<T> {
  readonly of: Reading<T>;
  /** The content in a loading message: "the parts". */
  readonly what: string;
  /** Number of placeholder rows. */
  readonly rows?: number;
  /** Shown when the record doesn't exist, or no longer exists. */
  readonly missing?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * The data of a query. Before the first response: loading, or an error with a retry. If a later read fails, old data
 * stays, with a note of its age.
 */
export const Read = <T,>({ of, what, rows, missing, children }: ReadProps<T>) => {
  const { data, error, dataUpdatedAt, refetch } = of;
  if (missing && isNotFound(error)) return missing;
  if (data !== undefined)
    return (
      <>
        {children(data)}
        {error !== null && <Stale since={dataUpdatedAt} error={error} />}
      </>
    );
  if (error !== null) return <Failing what={what} error={error} onRetry={() => void refetch()} />;
  return <Skeletons what={what} rows={rows ?? 3} />;
};
