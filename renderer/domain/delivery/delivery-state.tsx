import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { State } from "../../components/state.tsx";
import { formatCount } from "../../lib/formatting.ts";

const wordsFor = ({ status, attempts_made }: Pick<DeliveryRow, "status" | "attempts_made">): string => {
  if (status === "failed") return "given up";
  return status === "pending" && attempts_made > 0 ? `retrying, ${formatCount(attempts_made)} failed` : status;
};

/** How a delivery stands. What failed and waits is not merely pending; attempts fail, a delivery is given up. */
export const DeliveryState = ({
  of: delivery,
  pill = false,
}: {
  of: Pick<DeliveryRow, "status" | "attempts_made">;
  pill?: boolean;
}) => (
  <State of={delivery.status} pill={pill}>
    {wordsFor(delivery)}
  </State>
);
