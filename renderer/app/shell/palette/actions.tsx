import {
  IconBell,
  IconBolt,
  IconClock,
  IconClockPlay,
  IconCopy,
  IconDeviceDesktop,
  IconFileImport,
  IconHelp,
  IconLink,
  IconMoon,
  IconPin,
  IconPlus,
  IconRestore,
  IconSun,
  IconTerminal2,
  IconTrash,
  IconWorld,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Kbd } from "../../../components/kbd.tsx";
import { usePinWorld } from "../../../domain/world/mutations.ts";
import { contentsOf, inOrder, useThisWorld } from "../../../domain/world/use-worlds.ts";
import { useWorldsUi } from "../../../domain/world/worlds-ui.ts";
import { keyGroups, SENDING } from "../../../lib/key-registry.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { useMoveClock } from "../../move-clock.ts";
import { useNotices } from "../../notices-store.ts";
import { hrefs } from "../../places.ts";
import { useChooseScheme } from "../../theme/scheme.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { clockQuery, worldsQuery } from "../../world-queries.ts";
import { copyLink } from "../copy-link.ts";
import { useClockUi } from "../world-clock.tsx";
import type { KnownEntry } from "./entry.ts";

/** What can be done anywhere. */
export const useActions = (go: (href: string) => void): KnownEntry[] => {
  const { choose } = useChooseScheme();
  const toggleWire = useUi((state) => state.toggleWire);
  const showKeys = useUi((state) => state.showKeys);
  const showNotices = useNotices((state) => state.showList);
  return [
    {
      id: "wire",
      icon: IconTerminal2,
      label: "Show or hide the wire",
      words: "drawer calls exchanges requests",
      aside: <Kbd keys="~" />,
      run: toggleWire,
    },
    {
      id: "link",
      icon: IconLink,
      label: "Copy the link to what is in sight",
      words: "address url share",
      aside: <Kbd keys="y" />,
      run: copyLink,
    },
    {
      id: "notices",
      icon: IconBell,
      label: "Notices",
      words: "toasts messages history errors",
      aside: <Kbd keys="g n" />,
      run: () => showNotices(true),
    },
    {
      id: "keys",
      icon: IconHelp,
      label: "All keys",
      words: "keyboard shortcuts help",
      aside: <Kbd keys="?" />,
      run: () => showKeys(true),
    },
    {
      id: "import",
      icon: IconFileImport,
      label: "Import a call: cURL, PowerShell, HAR, HTTP file",
      words: "console paste curl har http rest",
      run: () => go(hrefs.importCall),
    },
    { id: "light", icon: IconSun, label: "Light theme", words: "colour scheme", run: () => choose("light") },
    { id: "dark", icon: IconMoon, label: "Dark theme", words: "colour scheme", run: () => choose("dark") },
    {
      id: "auto",
      icon: IconDeviceDesktop,
      label: "Theme as the system",
      words: "colour scheme auto",
      run: () => choose("auto"),
    },
  ];
};

const ofTheFrame = new Set(["Everywhere", "Go to", "Lists"]);

/** Whether it means something only in the place in sight. */
export const isOfPlace = ({ id }: Pick<KnownEntry, "id">): boolean => id.startsWith("here-");

/** What the place in sight binds to keys can be done from here too, but for what sends a form: that is done in the form. */
export const actionsHere = (): KnownEntry[] =>
  keyGroups()
    .filter((group) => !ofTheFrame.has(group.title))
    .flatMap((group) => group.bindings.filter(({ enabled, keys }) => enabled !== false && !keys.includes(SENDING)))
    .map((binding) => ({
      id: `here-${binding.keys[0]}`,
      icon: IconBolt,
      label: binding.label,
      words: "here",
      aside: <Kbd keys={binding.keys[0] ?? ""} />,
      run: () => binding.run(new KeyboardEvent("keydown")),
    }));

const MOST_WORLDS = 8;

/** The other worlds, to go to. */
export const useOtherWorlds = (go: (href: string) => void): KnownEntry[] => {
  const current = useWorld();
  const { data } = useQuery(worldsQuery());
  return inOrder(data ?? [], current)
    .filter(({ name }) => name !== current)
    .slice(0, MOST_WORLDS)
    .map((row) => ({
      id: `world-${row.name}`,
      icon: IconWorld,
      label: `Go to the world ${row.name}`,
      words: `switch ${row.name}`,
      aside: <span className="t12 t3 el">{contentsOf(row)}</span>,
      run: () => go(namingWorld("/", row.name)),
    }));
};

/** What can be done with this window's world; what is meant by few is shown once something is typed. */
export const useWorldActions = (typed: boolean): KnownEntry[] => {
  const world = useWorld();
  const row = useThisWorld();
  const pin = usePinWorld();
  const show = useWorldsUi((state) => state.show);
  const pinned = row?.pinned ?? false;
  const open: KnownEntry = {
    id: "worlds",
    icon: IconWorld,
    label: "Switch the world",
    words: "worlds list",
    aside: <Kbd keys="w" />,
    run: () => show({ is: "list" }),
  };
  const act = (id: string, icon: typeof IconCopy, label: string, run: () => void): KnownEntry => ({
    id: `world-act-${id}`,
    icon,
    label,
    words: "world tenant",
    run,
  });
  if (!typed) return [open];
  return [
    open,
    act("new", IconPlus, "New world", () => show({ is: "new" })),
    act("copy", IconCopy, `Copy the world ${world}`, () => show({ is: "copy", world })),
    ...(world === DEFAULT_WORLD
      ? []
      : [
          act("pin", IconPin, pinned ? `Unpin the world ${world}` : `Pin the world ${world}`, () =>
            pin.mutate({ world, pinned: !pinned }),
          ),
        ]),
    act("reset", IconRestore, `Reset the world ${world}`, () => show({ is: "reset", world })),
    ...(world === DEFAULT_WORLD
      ? []
      : [act("delete", IconTrash, `Delete the world ${world}`, () => show({ is: "delete", world }))]),
  ];
};

const steps = [
  { id: "quarter", label: "15 min", words: "minutes quarter", seconds: 900 },
  { id: "hour", label: "1 h", words: "hour", seconds: 3600 },
  { id: "day", label: "1 day", words: "24 hours", seconds: 86_400 },
] as const;

/** The world's clock, moved from here. */
export const useClockActions = (typed: boolean): KnownEntry[] => {
  const { data: clock } = useQuery(clockQuery(useWorld()));
  const show = useClockUi((state) => state.show);
  const move = useMoveClock({ tells: true });
  const open: KnownEntry = {
    id: "clock",
    icon: IconClock,
    label: "The world’s clock",
    words: "time move ahead",
    aside: <Kbd keys="t" />,
    run: () => show(true),
  };
  if (!typed) return [open];
  return [
    open,
    ...steps.map(({ id, label, words, seconds }) => ({
      id: `clock-${id}`,
      icon: IconClockPlay,
      label: `Move the clock ahead by ${label}`,
      words: `world time ${words}`,
      run: () => move.mutate(seconds),
    })),
    ...(clock && clock.offset_seconds > 0
      ? [
          {
            id: "clock-back",
            icon: IconClock,
            label: "Set the clock back to now",
            words: "world time reset real",
            run: () => move.mutate(null),
          },
        ]
      : []),
  ];
};
