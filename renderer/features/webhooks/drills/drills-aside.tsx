import { Stack } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { hrefs } from "../../../app/places.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { usePageParams } from "../addresses.ts";
import { RefusedBox } from "../parts.tsx";
import { ShortAddress } from "../where-to.tsx";
import styles from "./drills.module.css";
import type { Drilling } from "./run-drills.ts";
import type { Line } from "./score.ts";
import { Answers, DrillMark, DrillWords, LineWords, ReadinessLink, RunAll, Score } from "./score-parts.tsx";

/** A drill beside a delivery: how it stands, and opened what it sends, why, and what came back. */
const DrillItem = ({
  line,
  drilling,
  subscriptionId,
  open,
  onToggle,
}: {
  line: Line;
  drilling: Drilling;
  subscriptionId: string;
  open: boolean;
  onToggle: () => void;
}) => {
  const { drill, latest, running } = line;
  const panel = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // One that an address names, or that was just sent, may lie below what is in sight.
    if (open) row.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <li ref={row} className={`${styles.drill} ${latest?.verdict === "failed" && !running ? styles.failed : ""}`}>
      <button type="button" className="hov" aria-expanded={open} aria-controls={panel} onClick={onToggle}>
        <DrillMark line={line} />
        <span className="w5 el">{drills[drill].title}</span>
        <span>
          <Answers line={line} />
        </span>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        <span className={`t12 t2 ${styles.drillWords}`}>
          <LineWords line={line} />
        </span>
      </button>
      <div id={panel} hidden={!open}>
        {open && (
          <Stack className="t12 t2" gap="sm" pt={2} pr="lg" pb="md" pl={38}>
            <DrillWords line={line} />
            <div className="row row-1 wrap">
              <Button small busy={running} disabled={!drilling.canRun} onClick={() => drilling.run(drill)}>
                {latest ? "Run again" : "Run"}
              </Button>
              <LinkButton small look="quiet" href={hrefs.subscription(subscriptionId, drill)}>
                {latest ? "Bytes and code" : "Code that does"}
              </LinkButton>
            </div>
          </Stack>
        )}
      </div>
    </li>
  );
};

/** The drills of a delivery's subscription, each made from this very delivery when it is run here. */
export const DrillsAside = ({ delivery, drilling }: { delivery: Delivery; drilling: Drilling }) => {
  const { values, change } = usePageParams();
  const open = values.drill;
  const { why } = drilling;
  if (!drilling.card && why !== null)
    return (
      <div className={`stack ${styles.drillsHead}`}>
        <Note>{why}</Note>
      </div>
    );
  return (
    <Read of={drilling.read} what="the drills" rows={9}>
      {(card) =>
        card && (
          <section aria-label="Drills on its receiver">
            <div className={`stack ${styles.drillsHead}`}>
              <div className="row">
                <TextLink
                  href={hrefs.subscription(delivery.subscription_id, open)}
                  title={`The scorecard of ${delivery.url}`}
                >
                  <ShortAddress url={delivery.url} />
                </TextLink>
                <span className="grow" />
                <RunAll drilling={drilling} />
              </div>
              <Score card={card} />
              {why !== null && <Note>{why}</Note>}
              <RefusedBox error={drilling.error} />
            </div>
            <ul className="hl">
              {card.items.map((line) => (
                <DrillItem
                  key={line.drill}
                  line={line}
                  open={open === line.drill}
                  drilling={drilling}
                  subscriptionId={delivery.subscription_id}
                  onToggle={() => change({ drill: open === line.drill ? null : line.drill })}
                />
              ))}
            </ul>
            <div className={`stack ${styles.drillsHead}`}>
              <ReadinessLink of={delivery} />
            </div>
          </section>
        )
      }
    </Read>
  );
};
