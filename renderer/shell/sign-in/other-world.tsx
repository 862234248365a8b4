import { EmptyState, Stack } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { LinkButton } from "../../components/button.tsx";
import { usePageTitle } from "../../kernel/place/titles.ts";
import type { WorldAccess } from "../../lib/world-access.ts";
import { namingWorld } from "../../lib/world-address.ts";

/** In place of a world that this window's token does not open, whether there is one or not. */
export const OtherWorld = ({ own }: { own: WorldAccess }) => {
  usePageTitle("Not your world");
  return (
    <Stack component="main" justify="center" mih="100vh">
      <EmptyState
        icon={<IconLock />}
        title={<h1>You don’t have access to this world</h1>}
        description={`Your token only opens ${own.world}.`}
      >
        <LinkButton small look="primary" href={namingWorld("/", own.world)}>
          Open {own.world}
        </LinkButton>
      </EmptyState>
    </Stack>
  );
};
