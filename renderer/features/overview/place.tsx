import { IconServer } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { usePageTitle } from "../../app/titles.ts";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { serviceInfoQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { State } from "../../components/state.tsx";
import { formatCount } from "../../lib/formatting.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LatestTraces } from "./latest-traces.tsx";
import { LifecycleMap } from "./lifecycle-map.tsx";
import "./overview.css";
import { subscriptionsQuery } from "./queries.ts";

const Health = () => {
  const { data: info } = useQuery(serviceInfoQuery());
  const { data: subscriptions } = useQuery(subscriptionsQuery(useWorld()));
  if (!info) return null;
  return (
    <>
      <span className="overview-fact">
        <Icon of={IconServer} size={14} />
        <b>{info.base_url.replace(/^https?:\/\//, "")}</b>
        <CopyButton text={info.base_url} what="the base address" />
      </span>
      <span className="overview-fact">
        Version <b>{info.version}</b>
      </span>
      {subscriptions && (
        <span className="overview-fact">
          Subscriptions <b>{formatCount(subscriptions.length)}</b>
        </span>
      )}
      {info.deliveries ? (
        <State of="done">Deliveries on</State>
      ) : (
        <State of="skipped" title="Notifications stay visible, nothing is sent">
          Deliveries off
        </State>
      )}
    </>
  );
};

export const Place = () => {
  usePageTitle("Overview");
  const { stepsHidden, hideSteps } = useUi();
  return (
    <div className="place overview">
      <PlaceHead title="Overview">
        <Health />
        {stepsHidden && (
          <Button look="quiet" small onClick={() => hideSteps(false)}>
            First steps
          </Button>
        )}
      </PlaceHead>
      <LifecycleMap />
      <div className={`overview-low${stepsHidden ? " alone" : ""}`}>
        {!stepsHidden && <FirstSteps />}
        <LatestTraces />
      </div>
    </div>
  );
};
