import { useLocation } from "wouter";
import { Kbd } from "../../../components/kbd.tsx";
import { places } from "../../places.ts";
import { actionsHere, useActions } from "./actions.tsx";
import type { KnownEntry, PaletteGroup } from "./entry.ts";
import { useFound } from "./found.tsx";
import { matchesWords } from "./palette-words.ts";
import { useById, useRecentRequests, useRefusedCalls } from "./recent.tsx";
import { useClockActions, useOtherWorlds, useWorldActions } from "./worlds-found.tsx";

/** What the palette offers for a search, in groups; empty groups are left out. */
export const usePaletteGroups = (
  search: string,
): { readonly groups: readonly PaletteGroup[]; readonly searching: boolean } => {
  const [, go] = useLocation();
  const found = useFound(search, go);
  const recent = useRecentRequests(search);
  const byId = useById(search, go);
  const refused = useRefusedCalls(search);
  const actions = useActions();
  const worlds = useOtherWorlds(go);
  const typed = search.trim() !== "";
  const worldActions = useWorldActions(typed);
  const clockActions = useClockActions(typed);
  const known: KnownEntry[] = places.map((place) => ({
    id: place.name,
    icon: place.icon,
    label: place.title,
    words: "go to",
    aside: <Kbd keys={`g ${place.letter}`} />,
    run: () => go(place.path),
  }));
  const matching = (entries: readonly KnownEntry[]) =>
    entries.filter((entry) => matchesWords(`${entry.label} ${entry.words}`, search));
  const groups: PaletteGroup[] = [
    { title: "Here", entries: matching(actionsHere()) },
    { title: "Go to", entries: matching(known) },
    { title: "Jobs", entries: found.jobs },
    { title: "Procurements", entries: found.procurements },
    { title: "Exchanges", entries: byId.entries.length > 0 ? byId.entries : [...recent, ...refused] },
    { title: "World", entries: matching([...worldActions, ...clockActions, ...(typed ? worlds : worlds.slice(0, 3))]) },
    { title: "Actions", entries: matching(actions) },
  ];
  return { groups: groups.filter((group) => group.entries.length > 0), searching: found.searching || byId.searching };
};
