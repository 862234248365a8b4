import { IconPlayerPlay } from "@tabler/icons-react";
import type { QueryClient } from "@tanstack/react-query";
import { hrefs } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useUi } from "../../app/ui-store.ts";
import { worldSummaryQuery } from "../../app/world-queries.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { useDrawn } from "../../components/use-drawn.ts";
import { confinedTo } from "../../lib/confined.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { LatestTraces } from "./latest-traces.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";
import styles from "./overview.module.css";

/** What its map shows first. */
export const readFirst = (client: QueryClient, world: string) => [client.prefetchQuery(worldSummaryQuery(world))];

export const Place = () => {
  usePageTitle("Overview");
  const { stepsHidden, hideSteps } = useUi();
  const isMapDrawn = useDrawn();
  return (
    <div className={`place ${styles.place}`}>
      <PlaceHead title="Overview">
        <Health />
        {confinedTo() === null && (
          <LinkButton look="primary" icon={IconPlayerPlay} href={hrefs.story}>
            Play the story
          </LinkButton>
        )}
        {stepsHidden && (
          <Button look="quiet" small onClick={() => hideSteps(false)}>
            First steps
          </Button>
        )}
      </PlaceHead>
      <LifecycleMap />
      {isMapDrawn && (
        <div className={styles.low}>
          {!stepsHidden && <FirstSteps />}
          <LatestTraces />
        </div>
      )}
    </div>
  );
};
