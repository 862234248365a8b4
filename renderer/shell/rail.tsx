import { Group, Stack, Text } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link, useLocation } from "wouter";
import { INTERFACE_VERSION } from "../../sandbox/contract/operation.ts";
import { Icon } from "../components/icon.tsx";
import { KeyHint } from "../components/key-hint.tsx";
import { useKeys } from "../components/use-keys.ts";
import { hrefs } from "../kernel/addresses/hrefs.ts";
import { openPlaces, type PlaceEntry } from "../kernel/addresses/places.ts";
import { serviceInfoQuery, worldSummaryQuery } from "../kernel/queries/world-queries.ts";
import { useWorld } from "../kernel/world/world.ts";
import { formatTotal, type Total } from "../lib/formatting.ts";

/** The app's mark: the two sides. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 18 18" aria-hidden="true">
    <path d="M8 2H5a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h3v-4.2H6.4V6.2H8z" fill="var(--buyer)" />
    <path d="M10 2h3a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-3v-4.2h1.6V6.2H10z" fill="var(--supplier)" />
  </svg>
);

const isAt = (location: string, { path }: PlaceEntry) =>
  location === path || (path !== "/" && location.startsWith(`${path}/`));

/**
 * The places. Below 1360 px their names are under the icons and the counts are in tooltips; in narrow windows the names
 * too.
 */
export const Rail = () => {
  const [location, navigate] = useLocation();
  const places = openPlaces();
  const { data: summary } = useQuery(worldSummaryQuery(useWorld()));
  /** Counts by place name; some places have none. */
  const counts: Readonly<Record<string, Total | undefined>> = {
    jobs: summary?.jobs,
    procurements: summary?.procurements,
  };
  const { data: info } = useQuery(serviceInfoQuery());
  useKeys(
    "Go to",
    places.map((place) => ({ keys: [`g ${place.letter}`], label: place.title, run: () => navigate(place.path) })),
  );
  return (
    <Stack component="nav" gap={0} className="rail" aria-label="Places">
      <Group className="brand">
        <Mark />
        <span>Explorer</span>
      </Group>
      {places.map((place, index) => {
        const count = counts[place.name];
        const begins = places[index - 1]?.group !== place.group;
        return (
          <Fragment key={place.name}>
            {begins && index > 0 && <hr />}
            <Link
              href={place.path}
              aria-current={isAt(location, place) ? "page" : undefined}
              title={count === undefined ? place.title : `${place.title}, ${formatTotal(count)}`}
            >
              <Icon of={place.icon} />
              <span className="rail-name">{place.title}</span>
              {count === undefined ? (
                <span className="rail-keys" aria-hidden="true">
                  <KeyHint keys={`g ${place.letter}`} />
                </span>
              ) : (
                <Text size="xs" c="dimmed" className="n">
                  {formatTotal(count)}
                </Text>
              )}
            </Link>
          </Fragment>
        );
      })}
      <hr />
      <a href={hrefs.help} target="_blank" rel="noopener" title="Help, in a new tab">
        <Icon of={IconHelp} />
        <span className="rail-name">Help</span>
      </a>
      <Text
        component="div"
        size="xs"
        c="dimmed"
        className="foot"
        title={info ? `Service ${info.version}, ${info.mode} mode` : undefined}
      >
        {INTERFACE_VERSION} · contract 1.0.0
      </Text>
    </Stack>
  );
};
