import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { DrillName } from "../../../../sandbox/contract/drills.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { TextLink } from "../../../components/link.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { VirtualList } from "../../../components/virtual-list.tsx";
import { addresses } from "../addresses.ts";
import { Answers, LineWords } from "./answers.tsx";
import { DrillMark } from "./drill-mark.tsx";
import { newestDeliveryQuery } from "./queries.ts";
import type { Drilling } from "./run-drills.ts";
import { type Line, markOf } from "./score.ts";

const keyOf = (line: Line) => line.drill;

const DrillRow = ({ line, running }: { line: Line; running: boolean }) => (
  <ListRow
    title={
      <>
        <DrillMark line={line} running={running} />
        <span className="el">{line.title}</span>
      </>
    }
    aside={running ? "running" : <Answers line={line} />}
    detail={
      <span className={`webhooks-about${markOf(line) === "failed" && !running ? " webhooks-failed" : ""}`}>
        <LineWords line={line} running={running} />
      </span>
    }
  />
);

/** What drills are made from; or that there is nothing yet, with what to do. */
export const Source = ({ subscriptionId }: { subscriptionId: string }) => {
  const { data: newest } = useQuery(newestDeliveryQuery(useWorld(), subscriptionId));
  if (newest === undefined) return null;
  if (newest === null)
    return (
      <>
        Nothing was notified to this subscription yet. Drills are made from a notification:{" "}
        {hasPlace("jobs") ? <TextLink href="/jobs">change a job or place an order</TextLink> : "change a job"} that it
        hears of, then run them.
      </>
    );
  return (
    <>
      Made from the newest notification,{" "}
      <TextLink href={hrefs.delivery(newest.id)}>
        {newest.event_type} {newest.label}
      </TextLink>
      . A drill is no delivery: it changes none and is tried once.
    </>
  );
};

/** The drills as a list, each with how it stands. */
export const Lines = ({
  drilling,
  subscriptionId,
  drill,
}: {
  drilling: Drilling;
  subscriptionId: string;
  drill: DrillName | null;
}) => {
  const { card, underWay } = drilling;
  const hrefOf = useCallback((line: Line) => addresses.subscription(subscriptionId, line.drill), [subscriptionId]);
  const render = (line: Line) => <DrillRow line={line} running={underWay.has(line.drill)} />;
  const items = useMemo(() => card?.items ?? [], [card]);
  return <VirtualList label="Drills" items={items} keyOf={keyOf} hrefOf={hrefOf} render={render} selected={drill} />;
};
