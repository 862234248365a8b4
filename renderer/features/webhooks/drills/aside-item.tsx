import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import type { DrillName } from "../../../../sandbox/contract/drills.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Time } from "../../../components/time.tsx";
import { addresses } from "../addresses.ts";
import { Answers, LineWords } from "./answers.tsx";
import { DrillComparison } from "./drill-comparison.tsx";
import { DrillMark } from "./drill-mark.tsx";
import type { Drilling } from "./run-drills.ts";
import type { Line } from "./score.ts";

const Opened = ({
  line,
  running,
  delivery,
  onRun,
}: {
  line: Line;
  running: boolean;
  delivery: Delivery;
  onRun: (() => void) | null;
}) => {
  const { drill, sends, why, latest } = line;
  return (
    <div className="webhooks-drill-open">
      <p className="ink">{sends}</p>
      <p>{why}</p>
      <DrillComparison line={line} running={running} />
      <div className="row row-1 wrap">
        <Button small busy={running} disabled={onRun === null} onClick={() => onRun?.()}>
          {latest ? "Run again" : "Run"}
        </Button>
        <LinkButton small look="quiet" href={addresses.subscription(delivery.subscription_id, drill)}>
          {latest ? "Bytes and code" : "Code that does"}
        </LinkButton>
      </div>
      {latest && (
        <p className="t3">
          <Time at={latest.at} on="real" />, made from{" "}
          {latest.delivery_id === delivery.id ? "this delivery" : `${latest.event_type} ${latest.label}`}
        </p>
      )}
    </div>
  );
};

/** A drill beside a delivery: how it stands, and opened what it sends, why, and what came back. */
export const DrillItem = ({
  line,
  open,
  drilling,
  delivery,
  possible,
  onToggle,
}: {
  line: Line;
  open: boolean;
  drilling: Drilling;
  delivery: Delivery;
  possible: boolean;
  onToggle: (drill: DrillName) => void;
}) => {
  const panel = useId();
  const running = drilling.underWay.has(line.drill);
  const failed = line.latest?.verdict === "failed" && !running;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // One that an address names, or that was just sent, may lie below what is in sight.
    if (open) item.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <li ref={item} className={`webhooks-drill${failed ? " failed" : ""}${open ? " open" : ""}`}>
      <button type="button" aria-expanded={open} aria-controls={panel} onClick={() => onToggle(line.drill)}>
        <DrillMark line={line} running={running} />
        <span className="w5 el">{line.title}</span>
        <span>
          <Answers line={line} />
        </span>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        <span className="webhooks-drill-words">
          <LineWords line={line} running={running} />
        </span>
      </button>
      <div id={panel} hidden={!open}>
        {open && (
          <Opened
            line={line}
            running={running}
            delivery={delivery}
            onRun={possible ? () => drilling.run(line.drill, delivery.id) : null}
          />
        )}
      </div>
    </li>
  );
};
