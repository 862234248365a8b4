import { type QueryClient, useQuery } from "@tanstack/react-query";
import { scenariosQuery } from "../../domain/scenario/keeping.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { ScenarioDetail, scenarioTab } from "./detail/scenario-detail.tsx";
import { runsQuery } from "./queries.ts";
import { bySource, ScenariosList } from "./scenarios-list.tsx";

/**
 * Scenarios: guided flows with a check on what really happened, and reproductions of what happened elsewhere. Until one
 * is opened, the first of them is shown.
 */
const ScenariosPlace = ({ id, tab }: PlaceProps) => {
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

/** What its list shows first. */
export const prefetch = (client: QueryClient) => [
  client.prefetchQuery(scenariosQuery()),
  client.prefetchQuery(runsQuery()),
];

export { ScenariosPlace as Place };
