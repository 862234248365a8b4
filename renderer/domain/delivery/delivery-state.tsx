import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { State } from "../../components/state.tsx";
import { formatCount } from "../../lib/formatting.ts";

/** How a delivery stands. What failed and waits is not merely pending. */
export const DeliveryState = ({
  of: { status, attempts_made },
  pill = false,
}: {
  of: Pick<DeliveryRow, "status" | "attempts_made">;
  pill?: boolean;
}) => (
  <State of={status} pill={pill}>
    {status === "pending" && attempts_made > 0 ? `retrying, ${formatCount(attempts_made)} failed` : status}
  </State>
);
