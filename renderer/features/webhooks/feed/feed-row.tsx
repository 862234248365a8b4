import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Countdown, Time } from "../../../components/time.tsx";
import { DeliveryState } from "../../../domain/delivery/delivery-state.tsx";
import { plural } from "../../../lib/formatting.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { usePaused, useSends } from "../queries.ts";
import { shortAddress } from "../where-to.tsx";

/** When what waits is sent next. */
const Next = ({ row }: { row: DeliveryRow }) => {
  const now = useNow("real", 1000);
  const sends = useSends();
  const paused = usePaused(row.subscription_id);
  const at = row.next_attempt_at;
  if (!sends) return <span className="t3">not sent</span>;
  if (paused) return <span className="t3">paused</span>;
  if (at === null || new Date(at).getTime() <= now) return <span className="t3">due now</span>;
  return (
    <span className="t3">
      <span className="sr">next </span>in <Countdown to={at} as="span" on="real" />
    </span>
  );
};

/** How many attempts it took. That it took one is what one expects; the room goes to what it announces. */
const Attempts = ({ row }: { row: DeliveryRow }) => {
  if (row.status === "pending") return <Next row={row} />;
  if (row.status === "failed") return <span className="t3">after {plural(row.attempts_made, "attempt")}</span>;
  return row.attempts_made > 1 ? <span className="t3">attempt {row.attempts_made}</span> : null;
};

/** Where it goes. The end of the address stays in sight: on one server it alone tells two receivers apart. */
const To = ({ url }: { url: string }) => {
  const [start, end] = shortAddress(url);
  return (
    <span className="t12 t3 webhooks-address" title={url}>
      <span className="el">
        <span aria-hidden="true">→ </span>
        <span className="sr">to </span>
        {start}
      </span>
      <span className="el">{end}</span>
    </span>
  );
};

/** A delivery in the feed: what it announces about what, to whom, and how it stands. */
export const FeedRow = ({ row }: { row: DeliveryRow }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op webhooks-event">{row.event_type}</span>
        <To url={row.url} />
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
        <Attempts row={row} />
        <DeliveryState of={row} />
      </>
    }
  />
);
