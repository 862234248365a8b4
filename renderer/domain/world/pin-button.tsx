import { IconPin } from "@tabler/icons-react";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import { IconButton } from "../../components/button.tsx";
import { usePinWorld } from "./mutations.ts";

/** Excludes a world from its idle reset, or includes it again. */
export const PinButton = ({ row: { name, pinned } }: { row: World }) => {
  const pin = usePinWorld();
  return (
    <IconButton
      small
      className="pin"
      icon={IconPin}
      label={pinned ? `Unpin ${name} (resets when idle)` : `Pin ${name} (never resets)`}
      pressed={pinned}
      needs="manage"
      onClick={() => pin.mutate({ world: name, pinned: !pinned })}
    />
  );
};
