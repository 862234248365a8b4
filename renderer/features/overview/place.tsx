import type { QueryClient } from "@tanstack/react-query";
import { usePageTitle } from "../../app/titles.ts";
import { useUi } from "../../app/ui-store.ts";
import {
  organizationsQuery,
  recentChangesQuery,
  recentRefusalsQuery,
  worldSummaryQuery,
} from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { LatestTraces } from "./latest-traces.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";
import styles from "./overview.module.css";

/** What its map and its latest calls show first. */
export const readFirst = (client: QueryClient, world: string) => [
  client.prefetchQuery(worldSummaryQuery(world)),
  client.prefetchQuery(organizationsQuery(world)),
  client.prefetchQuery(recentChangesQuery(world)),
  client.prefetchQuery(recentRefusalsQuery(world)),
];

export const Place = () => {
  usePageTitle("Overview");
  const { stepsHidden, hideSteps } = useUi();
  return (
    <div className={`place ${styles.place}`}>
      <PlaceHead title="Overview">
        <Health />
        {stepsHidden && (
          <Button look="quiet" small onClick={() => hideSteps(false)}>
            First steps
          </Button>
        )}
      </PlaceHead>
      <LifecycleMap />
      <div className={styles.low}>
        {!stepsHidden && <FirstSteps />}
        <LatestTraces />
      </div>
    </div>
  );
};
