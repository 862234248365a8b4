import {
  IconAdjustments,
  IconApi,
  IconArrowRight,
  IconBan,
  IconBolt,
  IconClock,
  IconHelp,
  IconSettings,
  IconSun,
  IconWorld,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { policyNames, policyQuestions } from "../../../sandbox/contract/control/policies.ts";
import { errorCodes } from "../../../sandbox/contract/errors.ts";
import type { IconOf } from "../../components/icon.tsx";
import { declarationsQuery } from "../../domain/exchange/declarations.ts";
import { requestsHref } from "../../domain/exchange/filter.ts";
import { clockSteps, useMoveClock } from "../../domain/world/move-clock.ts";
import { sortWorlds, worldContents } from "../../domain/world/use-worlds.ts";
import { useWorldsUi } from "../../domain/world/worlds-ui.ts";
import { copyLink } from "../../kernel/addresses/copy-link.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { openPlaces } from "../../kernel/addresses/places.ts";
import { openSettings } from "../../kernel/addresses/settings-list.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { toggleWire, useUi } from "../../kernel/stores/ui-store.ts";
import { useChooseScheme } from "../../kernel/theme/scheme.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { keyGroups, SENDING } from "../../lib/key-bindings.ts";
import { hasScope, worldAccess } from "../../lib/world-access.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { type Entry, type EntryGroup, type Go, matchesWords } from "./entry.ts";

type More = Pick<Entry, "aside" | "keys">;
const entry = (icon: IconOf, label: string, words: string, run: () => void, more: More = {}): Entry => ({
  ...{ id: label, icon, label, words, run },
  ...more,
});

const verbs = { copy: "Copy", reset: "Reset", delete: "Delete" } as const;

const frameGroups = new Set(["Everywhere", "Go to", "Lists"]);

/** The keys of the place as commands, except those that send a form, which need focus in it. */
const actionsHere = (): Entry[] =>
  keyGroups()
    .filter((group) => !frameGroups.has(group.title))
    .flatMap((group) => group.bindings.filter(({ enabled, keys }) => enabled !== false && !keys.includes(SENDING)))
    .map(({ keys: [keys = ""], label, run }) =>
      entry(IconBolt, label, "here", () => run(new KeyboardEvent("keydown")), { keys }),
    );

const placeEntries = (go: Go) =>
  openPlaces().map(({ icon, title, letter, path }) =>
    entry(icon, title, "go to", () => go(path), { keys: `g ${letter}` }),
  );

/** Pages within places that have their own name. */
const pageEntries = (world: string, go: Go) =>
  [
    ["/jobs?form=new", "New job", "insert job form"] as const,
    ["/webhooks/lab", "Signature lab", "verify hmac secret webhooks"] as const,
    ["/webhooks/subscriptions", "Subscriptions and drills", "scorecard test event built-in receiver"] as const,
    [requestsHref({ refused: true }), "Refused calls", "errors failed requests"] as const,
    [hrefs.activity, "Failures of all worlds", "activity errors causes support refused went wrong"] as const,
    [hrefs.importCalls, "Import a call: cURL, HAR", "console paste"] as const,
    [hrefs.faults(world), `Faults of world ${world}`, "arm a fault errors delay hang rate limit"] as const,
    [hrefs.compareWorld(world), `Compare world ${world}`, "difference snapshot"] as const,
  ].map(([href, label, words]) => entry(IconArrowRight, label, words, () => go(href)));

/** Commands for this window's world and its clock. */
const useWorldEntries = (go: Go): Entry[] => {
  const world = useWorld();
  const show = useWorldsUi((state) => state.show);
  const move = useMoveClock({ showsNotice: true });
  const every = world === DEFAULT_WORLD ? (["copy", "reset"] as const) : (["copy", "reset", "delete"] as const);
  const isOperator = worldAccess() === null;
  const dialogs = isOperator ? every : hasScope("manage") ? (["reset"] as const) : [];
  const ofOperator = [
    entry(IconWorld, "Switch world", "worlds list", () => show({ is: "list" }), { keys: "w" }),
    entry(IconWorld, "New world", "tenant create", () => show({ is: "new" })),
  ];
  const moves = [
    ...clockSteps.map(({ label, words, seconds }) =>
      entry(IconClock, `Move clock ahead by ${label}`, `world time ${words}`, () => move.mutate(seconds)),
    ),
    entry(IconClock, "Reset clock to real time", "world", () => move.mutate(null)),
  ];
  return [
    ...(isOperator ? ofOperator.slice(0, 1) : []),
    entry(IconClock, "The world’s clock", "time move ahead", () => go(hrefs.clock(world)), { keys: "t" }),
    ...(isOperator ? ofOperator.slice(1) : []),
    ...dialogs.map((is) => entry(IconWorld, `${verbs[is]} world ${world}`, "tenant", () => show({ is, world }))),
    ...(hasScope("manage") ? moves : []),
  ];
};

/** The other worlds, as of the time the search was opened. */
const useOtherWorlds = (go: Go): Entry[] => {
  const current = useWorld();
  const [rows] = useState(useQuery(worldsQuery()).data ?? []);
  return sortWorlds(rows, current)
    .filter(({ name }) => name !== current)
    .map((row) =>
      entry(IconWorld, `Go to world ${row.name}`, "switch", () => go(namingWorld("/", row.name)), {
        aside: worldContents(row),
      }),
    );
};

/** Commands that work anywhere. */
const useActions = (): Entry[] => {
  const { choose } = useChooseScheme();
  const schemes = { light: "Light theme", dark: "Dark theme", auto: "System theme" } as const;
  return [
    entry(IconBolt, "Show or hide the wire", "drawer calls requests", toggleWire, { keys: "~" }),
    entry(IconBolt, "Copy link to this page", "address url share", copyLink, { keys: "y" }),
    entry(IconHelp, "Help", "documentation guide reference", () => window.open(hrefs.help, "_blank", "noopener")),
    entry(IconBolt, "Shortcuts and terms", "keyboard help", () => useUi.setState({ keysOpen: true }), { keys: "?" }),
    ...(["light", "dark", "auto"] as const).map((id) => entry(IconSun, schemes[id], "colour scheme", () => choose(id))),
  ];
};

/** All settings, and the assumptions that a world can change. */
const settingEntries = (world: string, go: Go): Entry[] => [
  ...openSettings().map(({ id, title, words }) =>
    entry(IconSettings, title, `settings ${words}`, () => go(hrefs.setting(id)), { aside: "Settings" }),
  ),
  ...policyNames.map((name) => {
    const { question, decision } = policyQuestions[name];
    const words = `${name} ${decision} assumption policy`;
    return entry(IconAdjustments, question, words, () => go(hrefs.assumption(world, name)), { aside: name });
  }),
];

/** Calls with an error code. */
const errorCodeEntries = (go: Go): Entry[] =>
  Object.entries(errorCodes).map(([code, { status, meaning }]) =>
    entry(IconBan, `${code}: calls with this error`, `${status} error code`, () => go(requestsHref({ code })), {
      aside: meaning,
    }),
  );

/** All declared operations, in the Console; for a decision's ID ("D24"), the operations that depend on it. */
const useOperationEntries = (search: string, go: Go): Entry[] => {
  const wanted = search.trim().toUpperCase();
  const { data } = useQuery(declarationsQuery());
  return (wanted === "" ? [] : (data ?? [])).map(({ id, title, summary, decisions }) => {
    const decision = decisions.find((one) => one.id === wanted);
    const aside = decision?.text.replaceAll("`", "") ?? (title === id ? summary : id);
    const words = `${id} operation ${decision?.id ?? ""}`;
    return { ...entry(IconApi, title, words, () => go(hrefs.console(id)), { aside }), id: `operation ${id}` };
  });
};

/** Results of a group; a longer text finds the rest. */
const MAX_RESULTS = 12;

/** The commands that need no request, in an order that is fixed while the search is open. */
export const useCommands = (search: string, go: Go): readonly EntryGroup[] => {
  const world = useWorld();
  const [here] = useState(actionsHere);
  const typed = search.trim() !== "";
  const groups = {
    Here: here,
    "Go to": [...placeEntries(go), ...(typed ? pageEntries(world, go) : [])],
    World: [...useWorldEntries(go).slice(0, typed ? MAX_RESULTS : 2), ...useOtherWorlds(go)],
    Actions: useActions(),
    Settings: typed ? settingEntries(world, go) : [],
    "Error codes": typed ? errorCodeEntries(go) : [],
    Operations: useOperationEntries(search, go),
  };
  return Object.entries(groups).map(([title, entries]) => ({
    title,
    entries: entries.filter(({ label, words }) => matchesWords(`${label} ${words}`, search)).slice(0, MAX_RESULTS),
  }));
};
