import { IconTargetArrow, IconUnlink } from "@tabler/icons-react";
import { type ReactNode, useCallback } from "react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { hrefs } from "../../../app/places.ts";
import { NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { List } from "../../../components/list.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { addresses } from "../addresses.ts";
import { Panes, RefusedBox } from "../parts.tsx";
import shared from "../webhooks.module.css";
import { DrillResult } from "./drill-result.tsx";
import styles from "./drills.module.css";
import { useDrills } from "./run-drills.ts";
import type { Card, Line } from "./score.ts";
import { Answers, DrillMark, LineWords, ReadinessLink, RunAll, Score } from "./score-parts.tsx";
import { Snippet } from "./snippet.tsx";

const keyOf = (line: Line) => line.drill;

const render = (line: Line) => (
  <ListRow
    title={
      <>
        <DrillMark line={line} />
        <span className="el">{drills[line.drill].title}</span>
      </>
    }
    aside={line.running ? "running" : <Answers line={line} />}
    detail={
      <span
        className={`${shared.about}${line.latest?.verdict === "failed" && !line.running ? ` ${shared.failed}` : ""}`}
      >
        <LineWords line={line} />
      </span>
    }
  />
);

/** When the results that are shown were had, and what they were made from; nothing before the first. */
const LastRun = ({ card }: { card: Card }) => {
  const ran = card.items.flatMap(({ latest }) => latest ?? []);
  const last = ran.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1);
  if (!last) return null;
  return (
    <>
      Last run <Time at={last.at} on="real" />, made from{" "}
      <TextLink href={hrefs.delivery(last.delivery_id)}>
        {last.event_type} {last.label}
      </TextLink>
      {ran.some(({ delivery_id }) => delivery_id !== last.delivery_id) && "; some results are of earlier runs"}.{" "}
    </>
  );
};

/** A subscription's result of every drill, and one of them, or what to mend, beside them. */
export const Scorecard = ({
  subscription,
  drill,
  overview,
}: {
  subscription: Subscription;
  drill: DrillName | null;
  /** What stands in the place of a result while none is chosen. */
  overview: ReactNode;
}) => {
  const { id } = subscription;
  const drilling = useDrills(id);
  const { why, canRun } = drilling;
  const hrefOf = useCallback((line: Line) => hrefs.subscription(id, line.drill), [id]);
  const shown = (card: Card) => {
    const newest = card.newest_delivery;
    const line = card.items.find((item) => item.drill === drill);
    return (
      <Panes
        label="Drills"
        open={drill}
        list={
          <>
            <div className="head">
              <div className="row">
                <h3 className="h2">Drills</h3>
                <Origin of="extension" />
                <span className="grow" />
                <RunAll drilling={drilling} />
              </div>
              <Score card={card} />
              <p className="t12 t2">
                {why ??
                  (newest === null ? (
                    <>
                      No deliveries yet. A drill repeats a delivery: send a test event, or{" "}
                      <TextLink href="/jobs">change a job or place an order</TextLink> that it hears of. Then run them.
                    </>
                  ) : (
                    <>
                      <LastRun card={card} />
                      The next run is made from the newest notification,{" "}
                      <TextLink href={hrefs.delivery(newest.id)}>
                        {newest.event_type} {newest.label}
                      </TextLink>
                      . Drills are sent once and never affect deliveries.
                    </>
                  ))}
              </p>
              <ReadinessLink of={subscription} />
              <RefusedBox error={drilling.error} />
            </div>
            <List
              of={{ items: card.items, name: id }}
              label="Drills"
              what="the drills"
              empty={null}
              keyOf={keyOf}
              hrefOf={hrefOf}
              render={render}
              selected={drill}
            />
          </>
        }
        detail={
          line ? (
            <DrillResult key={line.drill} line={line} drilling={drilling} />
          ) : (
            <div className="grow scroll">
              {card.run === 0 && (
                <NothingYet
                  icon={IconTargetArrow}
                  title="Not tested yet"
                  link={
                    canRun
                      ? [hrefs.subscription(id, card.items[0]?.drill ?? null), "Look at the first drill"]
                      : undefined
                  }
                >
                  A drill sends a notification again, repeated or with one deliberate mistake, and checks the response.
                  Run all nine, or choose one.
                </NothingYet>
              )}
              {overview}
              <section className={`stack hl ${styles.mending}`} aria-label="Code that passes them">
                <h3 className="h2">Code that passes them</h3>
                <p className="t12 t2">
                  One function per language, without dependencies, tested with every drill. It doesn’t deduplicate:
                  acknowledge a <span className="m11">message_id</span> that was accepted before, and do nothing else.
                </p>
                <Snippet />
              </section>
              <div className={`stack hl ${shared.notes}`}>
                <Note>
                  A good notification is acknowledged with 200 alone; a bad one is refused with any 4xx.{" "}
                  <Origin of="contract" /> <Origin of="assumption" id="D78" />
                </Note>
              </div>
            </div>
          )
        }
      />
    );
  };
  return (
    <Read of={drilling.read} what="the scorecard" rows={9}>
      {(card) =>
        card === null ? (
          <NothingYet
            icon={IconUnlink}
            title="This subscription has ended"
            link={[addresses.subscriptions, "All subscriptions"]}
          >
            What was delivered to it stays in the feed.
          </NothingYet>
        ) : (
          shown(card)
        )
      }
    </Read>
  );
};
