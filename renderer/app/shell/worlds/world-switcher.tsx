import { Group, Text } from "@mantine/core";
import { IconChevronDown, IconClock, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PinButton } from "../../../domain/world/pin-button.tsx";
import { useIsEnding, useLeftWords, useThisWorld } from "../../../domain/world/use-worlds.ts";
import { useWorldsUi, type WorldAsked } from "../../../domain/world/worlds-ui.ts";
import { type Confined, confinedTo } from "../../../lib/confined.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { useWorld } from "../../world.ts";
import { BarPopover } from "../bar-popover.tsx";
import { AskedOfWorld, WorldList } from "./worlds-panel.tsx";

const Kept = ({ row }: { row: World }) => {
  const left = useLeftWords(row);
  const ending = useIsEnding(row);
  return (
    <>
      <Text
        variant="aside"
        className={`world-left ${ending ? "st wait" : ""}`}
        title="A world resets 60 minutes after its last call or view, in real time (assumption D82)"
      >
        {ending && <Icon of={IconClock} size={14} />}
        {row.pinned ? "pinned" : left}
      </Text>
      <PinButton row={row} />
    </>
  );
};

const worldQuestion = (asked: WorldAsked): string => {
  if (asked.is === "new") return "New world";
  return asked.is === "copy" ? `Copy ${asked.world}` : `${asked.is === "reset" ? "Reset" : "Delete"} ${asked.world}?`;
};

const titleOf = (world: string) =>
  world === DEFAULT_WORLD
    ? "Used by calls without x-sandbox-tenant. Never resets automatically (assumption D80)."
    : `x-sandbox-tenant: ${world}`;

const scopeWords = { view: "view only", act: "calls and orders", manage: "full access" } as const;

/** The one world that this window's token opens. */
const OnlyWorld = ({ own }: { own: Confined }) => (
  <Group component="span" className="world" title={`Token of ${own.name}. It opens this world only.`}>
    <Icon of={IconWorld} />
    <span className="sr">World </span>
    <Text truncate>{own.world}</Text>
    <Text variant="aside">{scopeWords[own.scope]}</Text>
  </Group>
);

/** Which world this window looks at, how long it is kept, and the way to the others. */
export const WorldSwitcher = () => {
  const world = useWorld();
  const row = useThisWorld();
  const own = confinedTo();
  const { mode, show } = useWorldsUi();
  const isListed = mode?.is === "list";
  const asked = mode === null || mode.is === "list" ? null : mode;
  // While its dialog closes, what was asked stays in it.
  const [last, setLast] = useState(asked);
  if (asked !== null && asked !== last) setLast(asked);
  const toggle = (open: boolean) => show(open ? { is: "list" } : null);
  return (
    <>
      {own ? (
        <OnlyWorld own={own} />
      ) : (
        <BarPopover
          label="Worlds"
          width={480}
          open={isListed}
          onChange={toggle}
          button={
            <button
              type="button"
              className="world"
              title={titleOf(world)}
              aria-haspopup="dialog"
              aria-expanded={isListed}
              onClick={() => toggle(!isListed)}
            >
              <Icon of={IconWorld} />
              <span className="sr">World </span>
              <Text truncate>{world}</Text>
              <Icon of={IconChevronDown} size={12} />
            </button>
          }
        >
          {isListed && <WorldList />}
        </BarPopover>
      )}
      <Dialog opened={asked !== null} onClose={() => show(null)} title={last && worldQuestion(last)} size={480}>
        {last && <AskedOfWorld {...last} />}
      </Dialog>
      {row && row.name !== DEFAULT_WORLD && <Kept row={row} />}
    </>
  );
};
