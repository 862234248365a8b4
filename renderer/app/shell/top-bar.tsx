import { IconClock, IconSearch, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Chip } from "../../components/chip.tsx";
import { Icon } from "../../components/icon.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { formatSpan } from "../../lib/formatting.ts";
import { useUi } from "../ui-store.ts";
import { useWorld } from "../world.ts";
import { clockQuery } from "../world-queries.ts";
import { ConnectionState } from "./connection-state.tsx";
import { KeyHelp } from "./key-help.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The world, its clock when it is not now, search, connection, theme, keys. */
export const TopBar = () => {
  const world = useWorld();
  const showPalette = useUi((state) => state.showPalette);
  const { data: clock } = useQuery(clockQuery(world));
  return (
    <header className="top">
      <span
        className="world"
        title={
          world === "default"
            ? "The world of calls without x-sandbox-tenant; it never resets by itself (D80)"
            : `x-sandbox-tenant: ${world}`
        }
      >
        <Icon of={IconWorld} />
        <span className="sr">World </span>
        {world}
      </span>
      {clock && clock.offset_seconds > 0 && (
        <Chip icon={IconClock} title="The world’s clock is ahead of real time (D84)">
          +{formatSpan(clock.offset_seconds * 1000)}
        </Chip>
      )}
      <span className="grow" />
      <button type="button" className="palette-button" onClick={() => showPalette(true)}>
        <Icon of={IconSearch} size={14} />
        <span className="grow">Search or jump to</span>
        <span className="row row-1" aria-hidden="true">
          <Kbd keys="mod+k" />
        </span>
      </button>
      <ConnectionState />
      <ThemeSwitch />
      <KeyHelp />
    </header>
  );
};
