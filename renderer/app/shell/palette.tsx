import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import {
  IconArrowsExchange,
  IconCar,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
  IconTerminal2,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { jobsList, procurementsList } from "../../../sandbox/contract/control/operations.ts";
import { Icon, type IconOf } from "../../components/icon.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { Plate } from "../../components/plate.tsx";
import { State } from "../../components/state.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { shortened } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { hasPlace, hrefs, places } from "../places.ts";
import { worldKeys } from "../query-keys.ts";
import { useUi } from "../ui-store.ts";
import { useWorld } from "../world.ts";
import { togglePalette } from "./palette-control.ts";

interface Entry {
  readonly id: string;
  readonly icon: IconOf;
  readonly label: ReactNode;
  readonly words: string;
  readonly aside?: ReactNode;
  readonly run: () => void;
}

const matching = (entries: readonly Entry[], search: string) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => words.every((word) => entry.words.toLowerCase().includes(word)));
};

/** Jobs and procurements that match, asked of the service; nothing while there is nothing to search for. */
const useFound = (search: string) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const enabled = typed.length >= 2;
  const jobs = useQuery({
    queryKey: worldKeys(world).jobs("palette", typed),
    enabled: enabled && hasPlace("jobs"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl(jobsList, { search: typed, limit: 6, world }, { signal }),
  });
  const procurements = useQuery({
    queryKey: worldKeys(world).procurements("palette", typed),
    enabled: enabled && hasPlace("procurements"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl(procurementsList, { search: typed, limit: 6, world }, { signal }),
  });
  return enabled
    ? { jobs: jobs.data?.items ?? [], procurements: procurements.data?.items ?? [] }
    : { jobs: [], procurements: [] };
};

const nameOf = (name: string | null, id: string) => name ?? (shortened(id) ?? [id, ""]).join("…");

/** Ctrl/Cmd+K (and +P): places, jobs, procurements, actions. */
export const Palette = () => {
  const [search, setSearch] = useState("");
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const toggleWire = useUi((state) => state.toggleWire);
  const found = useFound(search);
  useKeys("Everywhere", [{ keys: ["mod+k", "mod+p"], label: "Search or jump to", run: togglePalette }]);

  const groups: ReadonlyArray<readonly [string, readonly Entry[]]> = [
    [
      "Go to",
      matching(
        places.map((place) => ({
          id: place.name,
          icon: place.icon,
          label: place.title,
          words: `go to ${place.title}`,
          aside: <Kbd keys={`g ${place.letter}`} />,
          run: () => navigate(place.path),
        })),
        search,
      ),
    ],
    [
      "Jobs",
      found.jobs.map((job) => ({
        id: job.id,
        icon: IconCar,
        label: nameOf(job.job_number ?? job.external_id, job.id),
        words: "",
        aside: (
          <>
            <Plate plate={job.plate_number} state={job.plate_state} />
            <span className="t12 t3">{job.site.name}</span>
          </>
        ),
        run: () => navigate(hrefs.job(job.id)),
      })),
    ],
    [
      "Procurements",
      found.procurements.map((row) => ({
        id: row.id,
        icon: IconArrowsExchange,
        label: nameOf(row.reference, row.id),
        words: "",
        aside: <State of={row.status} />,
        run: () => navigate(hrefs.procurement(row.id)),
      })),
    ],
    [
      "Actions",
      matching(
        [
          ...(hasPlace("jobs")
            ? [
                {
                  id: "new-job",
                  icon: IconPlus,
                  label: "New job",
                  words: "new job insert",
                  run: () => navigate("/jobs/new"),
                },
              ]
            : []),
          {
            id: "wire",
            icon: IconTerminal2,
            label: "Show or hide the wire",
            words: "wire drawer exchanges requests",
            aside: <Kbd keys="~" />,
            run: toggleWire,
          },
          {
            id: "light",
            icon: IconSun,
            label: "Light theme",
            words: "light theme",
            run: () => setColorScheme("light"),
          },
          { id: "dark", icon: IconMoon, label: "Dark theme", words: "dark theme", run: () => setColorScheme("dark") },
        ],
        search,
      ),
    ],
  ];
  const some = groups.some(([, entries]) => entries.length > 0);
  return (
    <Spotlight.Root
      query={search}
      onQueryChange={setSearch}
      shortcut={null}
      maxHeight={440}
      scrollable
      attributes={{ content: { "aria-label": "Search or jump to" } }}
    >
      <Spotlight.Search
        aria-label="Search or jump to"
        placeholder="A place, a job, a plate, a reference"
        leftSection={<Icon of={IconSearch} />}
        rightSection={<Kbd keys="esc" />}
      />
      <Spotlight.ActionsList>
        {groups.map(
          ([title, entries]) =>
            entries.length > 0 && (
              <Spotlight.ActionsGroup key={title} label={title}>
                {entries.map((entry) => (
                  <Spotlight.Action key={entry.id} onClick={entry.run}>
                    <span className="row palette-row">
                      <Icon of={entry.icon} size={14} />
                      <span className="el">{entry.label}</span>
                      <span className="grow" />
                      {entry.aside}
                    </span>
                  </Spotlight.Action>
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {!some && <Spotlight.Empty>Nothing matches “{search}”</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
};
