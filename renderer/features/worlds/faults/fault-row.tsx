import { IconBolt, IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { faultsFirings } from "../../../../sandbox/contract/control/fault-operations.ts";
import type { Fault } from "../../../../sandbox/contract/control/fault-rows.ts";
import type { ResponseOf } from "../../../../sandbox/contract/operation.ts";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Time } from "../../../components/time.tsx";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { firedWords, leftOfFault } from "../../../domain/fault/faults.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { useNowText } from "../../../lib/world-clock.ts";
import styles from "./faults.module.css";

type FiringRow = ResponseOf<typeof faultsFirings>["items"][number];

/** What it met: a call's trace is the call's, an attempt's stands with its delivery. */
const metBy = ({ operation, attempt, trace_id }: FiringRow): readonly [name: string, href: string] =>
  attempt === undefined
    ? [operationTitle(operation ?? ""), hrefs.request(trace_id, "trace")]
    : [`attempt ${attempt.number} of ${attempt.event_type}`, hrefs.delivery(attempt.delivery_id)];

const FiringLine = ({ firing }: { firing: FiringRow }) => {
  const [name, href] = metBy(firing);
  return (
    <li>
      <Time at={firing.at} as="clock" on="real" />
      <p>
        <TextLink href={href}>{name}</TextLink> <span className="t2">{firing.sentence}</span>
      </p>
    </li>
  );
};

/** When it fired; those that are listed no more are counted. */
const Firings = ({ fault, firings }: { fault: Fault; firings: readonly FiringRow[] }) => {
  if (fault.fired === 0) return null;
  return (
    <details className={styles.firings}>
      <summary>
        {firedWords(fault.fired)}
        {fault.last_fired_at !== null && (
          <>
            , last <Time at={fault.last_fired_at} on="real" />
          </>
        )}
      </summary>
      <ul aria-label="When it fired">
        {firings.map((firing) => (
          <FiringLine key={firing.number} firing={firing} />
        ))}
        {fault.fired > firings.length && <li>{formatCount(fault.fired - firings.length)} earlier</li>}
      </ul>
    </details>
  );
};

/** How much of what it may fire is used. */
const Used = ({ fired, left }: Fault) => {
  const all = fired + (left ?? 0);
  if (left === null || all > 10) return null;
  return (
    <span className={styles.pips} aria-hidden="true">
      {Array.from({ length: all }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one is as the other
        <span key={index} data-used={index < fired || undefined} />
      ))}
    </span>
  );
};

interface RowProps {
  readonly fault: Fault;
  /** The sentence, with the name of the integration it is about. */
  readonly sentence: string;
  readonly firings: readonly FiringRow[];
  readonly actions: ReactNode;
}

const Row = ({ fault, sentence, firings, actions, armed }: RowProps & { armed: boolean }) => {
  const left = useNowText("real", (now) => leftOfFault(fault, now));
  return (
    <li className={styles.fault} data-armed={armed || undefined}>
      <Icon of={armed ? IconBolt : IconCheck} size={16} />
      <div>
        <p>
          {fault.name !== null && <b>{fault.name}. </b>}
          <span className={fault.name === null ? "w5" : "t2"}>{sentence}</span>
        </p>
        <div className={`row wrap ${styles.left}`}>
          <Used {...fault} />
          <span>{armed ? left : fault.state === "used_up" ? "used up" : "its time is over"}</span>
        </div>
        <Firings fault={fault} firings={firings} />
      </div>
      <span className={styles.acts}>{actions}</span>
    </li>
  );
};

/** A fault that calls or attempts still meet. */
export const ArmedRow = ({ onClear, ...props }: Omit<RowProps, "actions"> & { onClear: () => void }) => (
  <Row
    {...props}
    armed
    actions={
      <Button small onClick={onClear}>
        Clear<span className="sr"> {props.fault.name ?? props.sentence}</span>
      </Button>
    }
  />
);

/** One that is over, and can be armed once more as it was. */
export const OverRow = ({
  onAgain,
  onClear,
  ...props
}: Omit<RowProps, "actions"> & { onAgain: () => void; onClear: () => void }) => (
  <Row
    {...props}
    armed={false}
    actions={
      <>
        <Button small onClick={onAgain}>
          Arm again<span className="sr"> {props.fault.name ?? props.sentence}</span>
        </Button>
        <Button small look="quiet" onClick={onClear}>
          Forget<span className="sr"> {props.fault.name ?? props.sentence}</span>
        </Button>
      </>
    }
  />
);
