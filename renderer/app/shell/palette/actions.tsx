import { Text } from "@mantine/core";
import {
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
import type { IconOf } from "../../../components/icon.tsx";
import { Kbd } from "../../../components/kbd.tsx";
import { usePinWorld } from "../../../domain/world/mutations.ts";
import { contentsOf, inOrder, useThisWorld } from "../../../domain/world/use-worlds.ts";
import { useWorldsUi } from "../../../domain/world/worlds-ui.ts";
import { keyGroups, SENDING } from "../../../lib/key-registry.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { aheadBy, useMoveClock } from "../../move-clock.ts";
import { hrefs } from "../../places.ts";
import { useChooseScheme } from "../../theme/scheme.ts";
import { toggleWire, useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { clockQuery, worldsQuery } from "../../world-queries.ts";
import { copyLink } from "../copy-link.ts";
import { type Go, type KnownEntry, known } from "./entry.ts";

const hint = (keys: string) => <Kbd keys={keys} />;

/** What can be done anywhere. */
export const useActions = (go: Go): KnownEntry[] => {
  const { choose } = useChooseScheme();
  const scheme = (id: "light" | "dark" | "auto", icon: IconOf, label: string) =>
    known(id, icon, label, `colour scheme ${id}`, () => choose(id));
  return [
    known("wire", IconTerminal2, "Show or hide the wire", "drawer calls exchanges requests", toggleWire, hint("~")),
    known("link", IconLink, "Copy link to this page", "address url share", () => void copyLink(), hint("y")),
    known(
      "keys",
      IconHelp,
      "Shortcuts and terms",
      "all keyboard shortcuts help guide contract assumption extension trace drill",
      () => useUi.setState({ keysOpen: true }),
      hint("?"),
    ),
    known("import", IconFileImport, "Import a call: cURL, HAR", "console paste", () => go(hrefs.importCall)),
    scheme("light", IconSun, "Light theme"),
    scheme("dark", IconMoon, "Dark theme"),
    scheme("auto", IconDeviceDesktop, "System theme"),
  ];
};

const ofTheFrame = new Set(["Everywhere", "Go to", "Lists"]);

/** What the place in sight binds to keys can be done from here too, but for what sends a form: that is done in the form. */
export const actionsHere = (): KnownEntry[] =>
  keyGroups()
    .filter((group) => !ofTheFrame.has(group.title))
    .flatMap((group) => group.bindings.filter(({ enabled, keys }) => enabled !== false && !keys.includes(SENDING)))
    .map(({ keys: [keys = ""], label, run }) =>
      known(`here-${keys}`, IconBolt, label, "here", () => run(new KeyboardEvent("keydown")), hint(keys)),
    );

const MOST_WORLDS = 8;

/** The other worlds, to go to. */
export const useOtherWorlds = (go: Go): KnownEntry[] => {
  const current = useWorld();
  const { data } = useQuery(worldsQuery());
  return inOrder(data ?? [], current)
    .filter(({ name }) => name !== current)
    .slice(0, MOST_WORLDS)
    .map((row) => ({
      id: `world-${row.name}`,
      icon: IconWorld,
      label: `Go to world ${row.name}`,
      words: "switch",
      aside: (
        <Text variant="aside" truncate>
          {contentsOf(row)}
        </Text>
      ),
      run: () => go(namingWorld("/", row.name)),
    }));
};

/** What can be done with this window's world; what is meant by few is shown once something is typed. */
export const useWorldActions = (typed: boolean): KnownEntry[] => {
  const world = useWorld();
  const pinned = useThisWorld()?.pinned ?? false;
  const pin = usePinWorld();
  const show = useWorldsUi((state) => state.show);
  const act = (id: string, icon: IconOf, label: string, run: () => void) =>
    known(`world-act-${id}`, icon, label, "world tenant", run);
  const asked = (is: "copy" | "reset" | "delete", icon: IconOf, verb: string) =>
    act(is, icon, `${verb} world ${world}`, () => show({ is, world }));
  return [
    known("worlds", IconWorld, "Switch world", "worlds list", () => show({ is: "list" }), hint("w")),
    ...(typed
      ? [
          act("new", IconPlus, "New world", () => show({ is: "new" })),
          asked("copy", IconCopy, "Copy"),
          asked("reset", IconRestore, "Reset"),
        ]
      : []),
    ...(typed && world !== DEFAULT_WORLD
      ? [
          act("pin", IconPin, `${pinned ? "Unpin" : "Pin"} world ${world}`, () =>
            pin.mutate({ world, pinned: !pinned }),
          ),
          asked("delete", IconTrash, "Delete"),
        ]
      : []),
  ];
};

/** The world's clock, moved from here. */
export const useClockActions = (typed: boolean, go: Go): KnownEntry[] => {
  const world = useWorld();
  const { data: clock } = useQuery(clockQuery(world));
  const move = useMoveClock({ tells: true });
  const back = known("clock-back", IconClock, "Reset clock to real time", "world time reset real", () =>
    move.mutate(null),
  );
  return [
    known("clock", IconClock, "The world’s clock", "time move ahead", () => go(hrefs.clock(world)), hint("t")),
    ...(typed
      ? aheadBy.map(({ id, label, words, seconds }) =>
          known(`clock-${id}`, IconClockPlay, `Move clock ahead by ${label}`, `world time ${words}`, () =>
            move.mutate(seconds),
          ),
        )
      : []),
    ...(typed && clock && clock.offset_seconds > 0 ? [back] : []),
  ];
};
