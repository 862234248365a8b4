import { IconFilter, IconFilterFilled, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { lateMenu } from "../../../components/late-menu.tsx";
import { ListHead } from "../../../components/split.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { type Shown, type StatusFilter, useFeedFilter } from "../addresses.ts";
import { useFeedCounts, useSends } from "../queries.ts";
import { useWebhooks } from "../webhooks-store.ts";
import { PlaceNav } from "./place-nav.tsx";
import { SubscriptionLines } from "./subscription-lines.tsx";

const FilterMenu = lateMenu(async () => (await import("./feed-filter.tsx")).FeedFilterMenu);

const counted = (word: string, count: number | undefined) => (
  <>
    {word}
    {count !== undefined && count > 0 && <span className="n">{formatCount(count)}</span>}
  </>
);

/** Over the feed: the pages of the place, its subscriptions, and which deliveries are shown. */
export const FeedHead = ({ shown }: { shown: Shown["page"] }) => {
  const setSubscribing = useWebhooks((state) => state.setSubscribing);
  const { filter, narrow } = useFeedFilter();
  const counts = useFeedCounts(filter.subscription);
  const sends = useSends();
  const isNarrowed = filter.subscription !== null;
  const options: ReadonlyArray<{ value: StatusFilter; label: ReactNode }> = [
    { value: "all", label: "All" },
    { value: "pending", label: counted("Pending", counts?.pending) },
    { value: "failed", label: counted("Given up", counts?.failed) },
  ];
  return (
    <ListHead
      title="Webhooks"
      actions={
        <Button small icon={IconPlus} onClick={() => setSubscribing(true)}>
          Subscribe
        </Button>
      }
    >
      <PlaceNav shown={shown} />
      <SubscriptionLines />
      {!sends && (
        <State of="skipped" title="The service was started with --deliveries off">
          deliveries are off: nothing is sent
        </State>
      )}
      <div className="row">
        <Segmented
          label="Which deliveries"
          options={options}
          value={filter.status}
          onChange={(status) => narrow({ status })}
        />
        <span className="grow" />
        <FilterMenu
          small
          icon={isNarrowed ? IconFilterFilled : IconFilter}
          label={isNarrowed ? "Filter: one subscription" : "Filter by subscription"}
        />
      </div>
    </ListHead>
  );
};
