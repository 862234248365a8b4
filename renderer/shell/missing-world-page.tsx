import { EmptyState } from "@mantine/core";
import { IconArrowBackUp, IconWorldOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { Button, LinkButton } from "../components/button.tsx";
import { useMakeWorld, useRestoreWorld } from "../domain/world/mutations.ts";
import { hrefs } from "../kernel/addresses/hrefs.ts";
import { type MissingWorld, useConnection } from "../kernel/live/connection-store.ts";
import { usePageTitle } from "../kernel/place/titles.ts";
import { snapshotsQuery, worldsQuery } from "../kernel/queries/world-queries.ts";
import { worldAccess } from "../lib/world-access.ts";
import { namingWorld } from "../lib/world-address.ts";
import { DEFAULT_WORLD } from "../lib/world-name.ts";

/** Interval of reads in milliseconds, because a window without a world has no feed that reports it. */
const CHECK_EVERY_MS = 2_000;

/** Calls back when somebody else creates or restores a world. */
const useReappearance = (name: string, returned: () => void): void => {
  const { data, isFetchedAfterMount } = useQuery({
    ...worldsQuery(),
    refetchOnMount: "always",
    refetchInterval: CHECK_EVERY_MS,
  });
  const isThere = isFetchedAfterMount && data?.some((world) => world.name === name) === true;
  const tell = useEffectEvent(returned);
  useEffect(() => {
    if (isThere) tell();
  }, [isThere]);
};

/** Replaces the place while its world doesn't exist; rendering it doesn't create the world. */
export const MissingWorldPage = ({ missing }: { missing: MissingWorld }) => {
  usePageTitle("World not found");
  const make = useMakeWorld();
  const restore = useRestoreWorld();
  const snapshots = useQuery(snapshotsQuery());
  const newest = snapshots.data?.find(({ world }) => world === missing.world);
  const retry = useConnection((state) => state.retry);
  const back = (): void => {
    useConnection.setState({ missing: null });
    retry();
  };
  useReappearance(missing.world, back);
  const description = newest
    ? `${missing.reason} Restore it from its newest snapshot, or create it from the seed.`
    : `${missing.reason} You can create it from the seed.`;
  return (
    <EmptyState icon={<IconWorldOff />} title={<h1>World {missing.world} not found</h1>} description={description}>
      <EmptyState.Actions>
        {newest && (
          <Button
            small
            look="primary"
            icon={IconArrowBackUp}
            needs="manage"
            busy={restore.isPending}
            onClick={() => restore.mutate({ world: missing.world, checkpoint: newest.name }, { onSuccess: back })}
          >
            Restore world
          </Button>
        )}
        <Button small busy={make.isPending} onClick={() => make.mutate(missing.world, { onSuccess: back })}>
          Create world
        </Button>
        <LinkButton small look="quiet" href={namingWorld(hrefs.world(missing.world), DEFAULT_WORLD)}>
          View its snapshots
        </LinkButton>
        {worldAccess() === null && (
          <LinkButton small look="quiet" href={namingWorld(hrefs.strays(missing.world), DEFAULT_WORLD)}>
            Calls that named it
          </LinkButton>
        )}
      </EmptyState.Actions>
    </EmptyState>
  );
};
