import type { DeliveryRow } from "../../../sandbox/contract/control/rows.ts";
import { State } from "../../components/state.tsx";
import { plural } from "../../lib/formatting.ts";
import { endedByRestore } from "./verdict.ts";

type StateSource = Pick<DeliveryRow, "status" | "attempts_made" | "last_error">;

const wordsFor = (delivery: StateSource): string => {
  const { status, attempts_made } = delivery;
  if (status === "failed") return endedByRestore(delivery) ? "ended by a restore" : "failed";
  return status === "pending" && attempts_made > 0
    ? `retrying after ${plural(attempts_made, "failed attempt")}`
    : status;
};

/** State of a delivery. Distinguishes a retry after a failure from a first attempt. */
export const DeliveryState = ({ of: delivery, pill = false }: { of: StateSource; pill?: boolean }) => (
  <State of={delivery.status} pill={pill}>
    {wordsFor(delivery)}
  </State>
);
