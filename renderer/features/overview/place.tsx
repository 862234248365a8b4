import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Button, LinkButton } from "../../components/button.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { useDrawn } from "../../components/use-drawn.ts";
import { STEP_MS } from "../../domain/story/pace.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { worldSummaryQuery } from "../../kernel/queries/world-queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { formatSpan } from "../../lib/formatting.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { LatestTraces } from "./latest-traces.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";
import styles from "./overview.module.css";
import { lifecycleQuery, sentenceCountQuery } from "./queries.ts";

/** Loads the map before the page is drawn. */
export const prefetch = (client: QueryClient, world: string) => [
  client.prefetchQuery(worldSummaryQuery(world)),
  client.prefetchQuery(lifecycleQuery(world)),
];

/** The duration of the story at normal speed, and that it changes nothing here. */
const StoryLength = () => {
  const { data: sentenceCount } = useQuery(sentenceCountQuery());
  return sentenceCount ? <small>{formatSpan(sentenceCount * STEP_MS)}, in its own world</small> : null;
};

export const Place = () => {
  usePageTitle("Overview");
  const { stepsHidden, hideSteps } = useUi();
  const isMapDrawn = useDrawn();
  return (
    <div className={`place ${styles.place}`}>
      <header className={styles.hero}>
        <div>
          <h1 className="sr">Overview</h1>
          <p className={styles.sentence}>
            <b className="buyer">
              <SideGlyph side="repairer" />
              Repairers
            </b>{" "}
            buy parts for damaged cars from{" "}
            <b className="supplier">
              <SideGlyph side="supplier" />
              suppliers
            </b>
            , who confirm each order.
          </p>
          <p className={styles.facts}>
            Blue is the buyer’s side, magenta the supplier’s. This sandbox plays both and shows every call, order and
            webhook between them.
          </p>
        </div>
        {worldAccess() === null && (
          <LinkButton look="primary" icon={IconPlayerPlayFilled} href={hrefs.story}>
            Play the story
            <StoryLength />
          </LinkButton>
        )}
      </header>
      <LifecycleMap />
      {isMapDrawn && (
        <>
          {stepsHidden ? <div /> : <FirstSteps />}
          <LatestTraces>
            <Health />
            {stepsHidden && (
              <Button look="quiet" small onClick={() => hideSteps(false)}>
                First steps
              </Button>
            )}
          </LatestTraces>
        </>
      )}
    </div>
  );
};
