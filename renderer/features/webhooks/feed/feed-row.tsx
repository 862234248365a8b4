import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Countdown, Time } from "../../../components/time.tsx";
import { useNow } from "../../../lib/world-clock.ts";
import { usePaused, useSends } from "../queries.ts";

const NextTry = ({ row }: { row: DeliveryRow }) => {
  const now = useNow("real", 1000);
  const sends = useSends();
  const paused = usePaused(row.subscription_id);
  const at = row.next_attempt_at;
  const number = row.attempts_made + 1;
  if (!sends) return <span className="t3">not sent</span>;
  if (paused) return <span className="t3">paused</span>;
  if (at === null || new Date(at).getTime() <= now) return <span className="t3">try {number} now</span>;
  return (
    <span className="t3">
      try {number} in <Countdown to={at} as="span" on="real" />
    </span>
  );
};

/** How often it was tried, and how that stands. */
export const Tries = ({ row }: { row: DeliveryRow }) => {
  if (row.status === "pending") return <NextTry row={row} />;
  if (row.status === "failed") return <span className="t3">gave up, try {row.attempts_made}</span>;
  return <span className="t3">try {row.attempts_made}</span>;
};

/** A delivery in the feed: what it announces, about what, and how it stands. */
export const FeedRow = ({ row }: { row: DeliveryRow }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op el">{row.event_type}</span>
      </>
    }
    aside={<Time at={row.created_at} as="clock" on="real" />}
    detail={
      <span className="webhooks-about" title={`${row.label}: ${row.announces}`}>
        {row.label}
      </span>
    }
    state={
      <>
        <Tries row={row} />
        <State of={row.status} />
      </>
    }
  />
);
