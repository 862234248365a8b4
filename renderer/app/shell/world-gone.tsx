import { EmptyState } from "@mantine/core";
import { IconWorldOff } from "@tabler/icons-react";
import { Button, LinkButton } from "../../components/button.tsx";
import { useMakeWorld } from "../../domain/world/mutations.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { type GoneWorld, useConnection } from "../live/connection-store.ts";
import { hrefs } from "../places.ts";
import { usePageTitle } from "../titles.ts";

/** Instead of the place while its world is not there; reading it does not make one. */
export const WorldGone = ({ gone }: { gone: GoneWorld }) => {
  usePageTitle("World not found");
  const make = useMakeWorld();
  const retry = useConnection((state) => state.retry);
  const created = (): void => {
    useConnection.setState({ gone: null });
    retry();
  };
  return (
    <EmptyState
      icon={<IconWorldOff />}
      title={<h1>World {gone.world} not found</h1>}
      description={`${gone.reason} You can create it from the seed.`}
    >
      <EmptyState.Actions>
        <Button small busy={make.isPending} onClick={() => make.mutate(gone.world, { onSuccess: created })}>
          Create world
        </Button>
        <LinkButton small look="quiet" href={namingWorld(hrefs.world(gone.world), DEFAULT_WORLD)}>
          View its snapshots
        </LinkButton>
      </EmptyState.Actions>
    </EmptyState>
  );
};
