import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { DeliveryState } from "../../../domain/delivery/delivery-state.tsx";
import { plural } from "../../../lib/formatting.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { usePaused, useSends } from "../queries.ts";
import shared from "../webhooks.module.css";
import { ShortAddress } from "../where-to.tsx";

/** When what waits is sent next, in one unit: the address needs the room. */
const Next = ({ row: { next_attempt_at: at, subscription_id } }: { row: DeliveryRow }) => {
  const now = useNow("real", 1000);
  const sends = useSends();
  const paused = usePaused(subscription_id);
  if (!sends) return "not sent";
  if (paused) return "paused";
  if (at === null || new Date(at).getTime() - now < 1000) return "due now";
  return (
    <>
      <span className="sr">next </span>
      <Time at={at} on="real" />
    </>
  );
};

/** How many attempts it took. That it took one is what one expects; the room goes to what it announces. */
const attemptsOf = ({ status, attempts_made }: DeliveryRow): string | null => {
  if (status === "failed") return `after ${plural(attempts_made, "attempt")}`;
  return status === "delivered" && attempts_made > 1 ? `attempt ${attempts_made}` : null;
};

/** A delivery in the feed: what it announces about what, to whom, and how it stands; when it was made, or is sent next. */
export const FeedRow = ({ row }: { row: DeliveryRow }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="op">{row.event_type}</span>
        <span className="t3" aria-hidden="true">
          →
        </span>
        <span className="sr">to</span>
        <ShortAddress url={row.url} />
      </>
    }
    aside={row.status === "pending" ? <Next row={row} /> : <Time at={row.created_at} as="clock" on="real" />}
    detail={
      <span className={shared.about} title={`${row.label}: ${row.announces}`}>
        {row.label} <span className="m11 t3">{row.announces}</span>
      </span>
    }
    state={
      <>
        <span className="t3">{attemptsOf(row)}</span>
        <DeliveryState of={row} />
      </>
    }
  />
);
