import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Failing } from "./failing.tsx";
import { Time } from "./time.tsx";

/** Rows on their way; the style sheet shows them after 100 ms, so that what comes sooner never flashes. */
export const Skeletons = ({ what, rows = 3 }: { what: string; rows?: number }) => (
  <Stack className="on-its-way" role="status">
    <span className="sr">Loading {what}</span>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
      <Skeleton key={index} h={12} w={`${82 - ((index * 17) % 40)}%`} />
    ))}
  </Stack>
);

/** What of a query is looked at: it may be one of pages too. */
export interface Reading<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** Beside what was read before. Trying again is meant for all that failed: notes of one region lie over one another. */
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

interface ReadProps<T> {
  readonly of: Reading<T>;
  /** Names what is read to whoever waits for it: "the parts". */
  readonly what: string;
  /** How many rows stand for it meanwhile. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/**
 * What a query answered. Until there is an answer it is loading, or failing with a way to try again; what is there stays
 * when it could not be read once more, with a note since when it is not up to date.
 */
export const Read = <T,>({ of: { data, error, dataUpdatedAt, refetch }, what, rows, children }: ReadProps<T>) => {
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
