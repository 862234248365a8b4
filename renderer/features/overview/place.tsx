import { usePageTitle } from "../../app/titles.ts";
import { useUi } from "../../app/ui-store.ts";
import { Button } from "../../components/button.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { LatestTraces } from "./latest-traces.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";
import styles from "./overview.module.css";

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
