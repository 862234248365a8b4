import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Countdown, Time } from "../../../components/time.tsx";
import { useNow } from "../../../lib/world-clock.ts";
import { usePaused, useSends } from "../queries.ts";
import { shortAddress } from "../where-to.tsx";

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
  // That it took one try is what one expects; the room goes to what it announces.
  return row.attempts_made > 1 ? <span className="t3">try {row.attempts_made}</span> : null;
};

/** A delivery in the feed: what it announces about what, to whom, and how it stands. */
export const FeedRow = ({ row }: { row: DeliveryRow }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op webhooks-event">{row.event_type}</span>
        <span className="t12 t3 el" title={row.url}>
          <span aria-hidden="true">→ </span>
          <span className="sr">to </span>
          {shortAddress(row.url)}
        </span>
      </>
    }
    aside={<Time at={row.created_at} as="clock" on="real" />}
    detail={
      <span className="webhooks-about" title={`${row.label}: ${row.announces}`}>
        {row.label} <span className="m11 t3">{row.announces}</span>
      </span>
    }
    state={
      <>
        <Tries row={row} />
        {row.status === "pending" && row.attempts_made > 0 ? (
          <State of="pending">retrying, {row.attempts_made} failed</State>
        ) : (
          <State of={row.status} />
        )}
      </>
    }
  />
);
