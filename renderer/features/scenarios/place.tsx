import { type QueryClient, useQuery } from "@tanstack/react-query";
import { scenariosQuery } from "../../domain/scenario/keeping.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { ScenarioDetail, scenarioTab } from "./detail/scenario-detail.tsx";
import { runsQuery } from "./queries.ts";
import { bySource, ScenariosList } from "./scenarios-list.tsx";

/** The place Scenarios: guided flows with real checks, and reproductions. Without a choice, shows the first. */
export const Place = ({ id, tab }: PlaceProps) => {
  const { data } = useQuery(scenariosQuery());
  const shown = id ?? data?.toSorted(bySource)[0]?.name;
  return (
    <ListBesideDetail
      name="scenarios"
      label="Scenarios"
      initial={352}
      least={240}
      list={<ScenariosList selected={id ?? null} shown={shown ?? null} />}
      detail={shown && <ScenarioDetail key={shown} name={shown} tab={scenarioTab(tab)} />}
    />
  );
};

/** Loads the list before the page is drawn. */
export const prefetch = (client: QueryClient) => [
  client.prefetchQuery(scenariosQuery()),
  client.prefetchQuery(runsQuery()),
];
