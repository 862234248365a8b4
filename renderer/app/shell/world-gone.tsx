import { IconWorldOff } from "@tabler/icons-react";
import { Button, LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { namingWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { type GoneWorld, useConnection } from "../live/connection-store.ts";
import { hrefs } from "../places.ts";
import { usePageTitle } from "../titles.ts";

/** Instead of the place while its world is not there: reading it would begin it anew without anyone having asked for it. */
export const WorldGone = ({ gone }: { gone: GoneWorld }) => {
  usePageTitle("World gone");
  return (
    <div className="empty">
      <Icon of={IconWorldOff} />
      <h1>The world {gone.world} is gone</h1>
      <span className="t12">
        {gone.reason} Any call to its name begins it anew, with the content of every fresh world.
      </span>
      <span className="row actions">
        <Button small onClick={() => useConnection.setState({ gone: null })}>
          Begin it anew
        </Button>
        <LinkButton small look="quiet" href={namingWorld(hrefs.world(gone.world), DEFAULT_WORLD)}>
          What is kept of it
        </LinkButton>
      </span>
    </div>
  );
};
