import { IconSearch } from "@tabler/icons-react";
import { Icon } from "../../components/icon.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { useUi } from "../ui-store.ts";
import { WorldClock } from "./clock/world-clock.tsx";
import { ConnectionState } from "./connection/connection-state.tsx";
import { KeyHelp } from "./key-help.tsx";
import { NoticesButton } from "./notices/notices-button.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { WorldSwitcher } from "./worlds/world-switcher.tsx";

/** The world and its clock, search, connection, notices, theme, keys. */
export const TopBar = () => {
  const showPalette = useUi((state) => state.showPalette);
  return (
    <header className="top">
      <WorldSwitcher />
      <WorldClock />
      <span className="grow" />
      <button type="button" className="palette-button" onClick={() => showPalette(true)}>
        <Icon of={IconSearch} size={14} />
        <span className="grow palette-words">Search or jump to</span>
        <span className="row row-1 palette-keys" aria-hidden="true">
          <Kbd keys="mod+k" />
        </span>
      </button>
      <ConnectionState />
      <NoticesButton />
      <ThemeSwitch />
      <KeyHelp />
    </header>
  );
};
