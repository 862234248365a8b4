import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconBolt, IconCar, IconMoon, IconSun, IconTerminal2 } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { jobsList, procurementsList } from "../../../sandbox/contract/control/operations.ts";
import type { JobRow, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import type { IconOf } from "../../components/icon.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { Plate } from "../../components/plate.tsx";
import { State } from "../../components/state.tsx";
import { shortened } from "../../lib/formatting.ts";
import { keyGroups } from "../../lib/key-registry.ts";
import { callControl } from "../../lib/service-client.ts";
import { hasPlace, hrefs, places } from "../places.ts";
import { worldKeys } from "../query-keys.ts";
import { useUi } from "../ui-store.ts";
import { useWorld } from "../world.ts";
import { matchesWords } from "./palette-words.ts";

export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: string;
  readonly aside?: ReactNode;
  readonly run: () => void;
}
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}
interface Known extends PaletteEntry {
  /** What it is found by, beside its label. */
  readonly words: string;
}

const MOST_FOUND = 6;

/** Jobs and procurements that match, asked of the service; nothing while there is nothing to search for. */
const useFound = (search: string) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const enabled = typed.length >= 2 && search.trim().length >= 2;
  const jobs = useQuery({
    queryKey: worldKeys(world).jobs("palette", typed),
    enabled: enabled && hasPlace("jobs"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl(jobsList, { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  const procurements = useQuery({
    queryKey: worldKeys(world).procurements("palette", typed),
    enabled: enabled && hasPlace("procurements"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl(procurementsList, { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  return {
    jobs: (enabled && jobs.data?.items) || [],
    procurements: (enabled && procurements.data?.items) || [],
    searching: enabled && (jobs.isFetching || procurements.isFetching || typed !== search.trim()),
  };
};

const nameOf = (name: string | null, id: string) => name ?? (shortened(id) ?? [id, ""]).join("…");

const jobEntry = (job: JobRow, go: (href: string) => void): PaletteEntry => ({
  id: job.id,
  icon: IconCar,
  label: nameOf(job.job_number ?? job.external_id, job.id),
  aside: (
    <>
      <span className="t12 t3 el">{job.site.name}</span>
      <Plate plate={job.plate_number} state={job.plate_state} />
    </>
  ),
  run: () => go(hrefs.job(job.id)),
});

const procurementEntry = (row: ProcurementRow, go: (href: string) => void): PaletteEntry => ({
  id: row.id,
  icon: IconArrowsExchange,
  label: nameOf(row.reference, row.id),
  aside: (
    <>
      <span className="t12 t3 el">{row.supplier.name}</span>
      {row.plate_number && <Plate plate={row.plate_number} />}
      <State of={row.status} />
    </>
  ),
  run: () => go(hrefs.procurement(row.id)),
});

const useActions = (): Known[] => {
  const { setColorScheme } = useMantineColorScheme();
  const toggleWire = useUi((state) => state.toggleWire);
  return [
    {
      id: "wire",
      icon: IconTerminal2,
      label: "Show or hide the wire",
      words: "drawer exchanges requests",
      aside: <Kbd keys="~" />,
      run: toggleWire,
    },
    { id: "light", icon: IconSun, label: "Light theme", words: "colour scheme", run: () => setColorScheme("light") },
    { id: "dark", icon: IconMoon, label: "Dark theme", words: "colour scheme", run: () => setColorScheme("dark") },
    {
      id: "auto",
      icon: IconMoon,
      label: "Theme as the system",
      words: "colour scheme auto",
      run: () => setColorScheme("auto"),
    },
  ];
};

const ofTheFrame = new Set(["Everywhere", "Go to", "Lists"]);

/** What the place in sight binds to keys can be done from here too. */
const actionsHere = (): Known[] =>
  keyGroups()
    .filter((group) => !ofTheFrame.has(group.title))
    .flatMap((group) => group.bindings.filter((binding) => binding.enabled !== false))
    .map((binding) => ({
      id: `here-${binding.keys[0]}`,
      icon: IconBolt,
      label: binding.label,
      words: "here",
      aside: <Kbd keys={binding.keys[0] ?? ""} />,
      run: () => binding.run(new KeyboardEvent("keydown")),
    }));

/** What the palette offers for a search, in groups; empty groups are left out. */
export const usePaletteGroups = (
  search: string,
): { readonly groups: readonly PaletteGroup[]; readonly searching: boolean } => {
  const [, go] = useLocation();
  const found = useFound(search);
  const actions = useActions();
  const known: Known[] = places.map((place) => ({
    id: place.name,
    icon: place.icon,
    label: place.title,
    words: "go to",
    aside: <Kbd keys={`g ${place.letter}`} />,
    run: () => go(place.path),
  }));
  const matching = (entries: readonly Known[]) =>
    entries.filter((entry) => matchesWords(`${entry.label} ${entry.words}`, search));
  const groups: PaletteGroup[] = [
    { title: "Here", entries: matching(actionsHere()) },
    { title: "Go to", entries: matching(known) },
    { title: "Jobs", entries: found.jobs.map((job) => jobEntry(job, go)) },
    { title: "Procurements", entries: found.procurements.map((row) => procurementEntry(row, go)) },
    { title: "Actions", entries: matching(actions) },
  ];
  return { groups: groups.filter((group) => group.entries.length > 0), searching: found.searching };
};
