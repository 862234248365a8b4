import { Group, Menu, Text } from "@mantine/core";
import { IconCheck, IconChevronDown, IconClock, IconPlus, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import type { World } from "../../../sandbox/contract/control/rows.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { PinButton } from "../../domain/world/pin-button.tsx";
import {
  idleTime,
  sortWorlds,
  useResetCountdown,
  useResetsSoon,
  useThisWorld,
  worldContents,
} from "../../domain/world/use-worlds.ts";
import { useWorldsUi, type WorldDialog } from "../../domain/world/worlds-ui.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { withoutWire } from "../../kernel/addresses/wire-address.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { type WorldAccess, worldAccess } from "../../lib/world-access.ts";
import { namingWorld, withoutWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { WorldDialogContent } from "./worlds-panel.tsx";

const ResetState = ({ row }: { row: World }) => {
  const left = useResetCountdown(row);
  const ending = useResetsSoon(row);
  return (
    <>
      <Text variant="aside" className={`world-left ${ending ? "st wait" : ""}`} title={idleTime(row)}>
        {ending && <Icon of={IconClock} size={14} />}
        {row.pinned ? "pinned" : left}
      </Text>
      <PinButton row={row} />
    </>
  );
};

const worldQuestion = (dialog: WorldDialog): string => {
  if (dialog.is === "new") return "New world";
  return dialog.is === "copy"
    ? `Copy ${dialog.world}`
    : `${dialog.is === "reset" ? "Reset" : "Delete"} ${dialog.world}?`;
};

const titleOf = (world: string) =>
  world === DEFAULT_WORLD
    ? "Used by calls without x-sandbox-tenant. Never resets automatically."
    : `x-sandbox-tenant: ${world}`;

const scopeWords = { view: "view only", act: "calls and orders", manage: "full access" } as const;

/** The only world that this window's token opens. */
const OnlyWorld = ({ own }: { own: WorldAccess }) => (
  <Group component="span" className="world" title={`Token of ${own.name}. It opens this world only.`}>
    <Icon of={IconWorld} />
    <span className="sr">World </span>
    <Text truncate>{own.world}</Text>
    <Text variant="aside">{scopeWords[own.scope]}</Text>
  </Group>
);

/** A call or a delivery: its identifier differs in each world. */
const singleWorldPath = /^\/(requests|webhooks)\/[0-9a-f]{8}-.*$/;

/** The current address in another world: copies and fresh worlds have the same identifiers (D83). */
const sameInWorld = (world: string) =>
  namingWorld(
    window.location.pathname.replace(singleWorldPath, "/$1") + withoutWire(withoutWorld(window.location.search)),
    world,
  );

/** With this many worlds the list gets a search field. */
const SEARCHABLE_FROM = 8;
/** Shows this many worlds; a search finds the rest. */
const MAX_DRAWN = 60;

/** A link to a world. Its actions are in the place Worlds and the palette. */
const WorldItem = ({ row, here }: { row: World; here: boolean }) => {
  const left = useResetCountdown(row);
  return (
    <Menu.Item
      component={Link}
      href={sameInWorld(row.name)}
      aria-current={here ? "true" : undefined}
      leftSection={<span className="world-tick">{here && <Icon of={IconCheck} size={14} />}</span>}
      rightSection={
        <Text variant="aside" textWrap="nowrap">
          {worldContents(row)}
        </Text>
      }
      styles={{ itemLabel: { minWidth: 0 } }}
    >
      <Group component="span">
        <Text truncate>{row.name}</Text>{" "}
        <Text variant="aside" flex="none">
          {row.pinned ? "pinned" : left}
        </Text>
      </Group>
    </Menu.Item>
  );
};

const WorldItems = ({ onNew }: { onNew: () => void }) => {
  const here = useWorld();
  // No feed reports changes to other worlds.
  const { data = [] } = useQuery({ ...worldsQuery(), refetchOnMount: "always" });
  const [typed, setTyped] = useState("");
  const wanted = typed.trim().toLowerCase();
  const found = sortWorlds(data, here).filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {data.length > SEARCHABLE_FROM && (
        <Menu.Search
          aria-label="Search worlds"
          placeholder="Search worlds"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {found.slice(0, MAX_DRAWN).map((row) => (
        <WorldItem key={row.name} row={row} here={row.name === here} />
      ))}
      {wanted !== "" && found.length === 0 && <Menu.Label>No world matches “{typed.trim()}”</Menu.Label>}
      {found.length > MAX_DRAWN && (
        <Menu.Label>{plural(found.length - MAX_DRAWN, "more world")}. Type to search.</Menu.Label>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<Icon of={IconPlus} size={14} />} onClick={onNew}>
        New world
      </Menu.Item>
      <Menu.Item component={Link} href={hrefs.world(here)} leftSection={<Icon of={IconWorld} size={14} />}>
        Manage worlds
      </Menu.Item>
    </>
  );
};

/** The window's world, how long it is kept, and a menu of the others. */
export const WorldSwitcher = () => {
  const world = useWorld();
  const row = useThisWorld();
  const own = worldAccess();
  const { mode, show } = useWorldsUi();
  const isListed = mode?.is === "list";
  const dialog = mode === null || mode.is === "list" ? null : mode;
  // Keeps the dialog's content while it closes.
  const [last, setLast] = useState(dialog);
  if (dialog !== null && dialog !== last) setLast(dialog);
  const button = useRef<HTMLButtonElement>(null);
  const askForNew = () => {
    // The dialog returns the focus to this button, because the menu is closed by then.
    button.current?.focus();
    show({ is: "new" });
  };
  const toggle = (open: boolean) => {
    if (open) show({ is: "list" });
    // An item of the menu may have opened something else.
    else if (useWorldsUi.getState().mode?.is === "list") show(null);
  };
  return (
    <>
      {own ? (
        <OnlyWorld own={own} />
      ) : (
        <Menu opened={isListed} onChange={toggle} position="bottom-start" width="min(480px, calc(100vw - 16px))">
          <Menu.Target>
            <button ref={button} type="button" className="world" title={titleOf(world)}>
              <Icon of={IconWorld} />
              <span className="sr">World </span>
              <Text truncate>{world}</Text>
              <Icon of={IconChevronDown} size={12} />
            </button>
          </Menu.Target>
          <Menu.Dropdown className="worlds-menu">
            <WorldItems onNew={askForNew} />
          </Menu.Dropdown>
        </Menu>
      )}
      <Dialog opened={dialog !== null} onClose={() => show(null)} title={last && worldQuestion(last)} size={480}>
        {last && <WorldDialogContent {...last} />}
      </Dialog>
      {row && row.name !== DEFAULT_WORLD && <ResetState row={row} />}
    </>
  );
};
