import { Text } from "@mantine/core";
import type { tracesList } from "../../../sandbox/contract/control/operations.ts";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { State } from "../../components/state.tsx";
import { plural } from "../../lib/formatting.ts";

export type TraceCounts = ResponseOf<typeof tracesList>["items"][number];

/** Delivery state of a call's events; `of` is undefined for older traces. */
export const TraceDeliveries = ({ row, of: counts }: { row: RequestRow; of: TraceCounts | undefined }) => {
  if (row.events === 0) return <Text c="dimmed">none</Text>;
  if (counts === undefined) return <Text c="dimmed">–</Text>;
  const { pending, delivered, failed, failed_attempts, to_nobody } = counts;
  const all = pending + delivered + failed;
  if (all === 0)
    return (
      <Text c="dimmed" title="No integration in this world was subscribed when it happened">
        not sent
      </Text>
    );
  const state = failed > 0 ? "failed" : pending > 0 ? "pending" : "delivered";
  const more = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(failed_attempts > 0 ? [`retrying after ${plural(failed_attempts, "failed attempt")}`] : []),
    ...(to_nobody > 0 ? [`${plural(to_nobody, "event")} not sent`] : []),
  ];
  return (
    <State of={state} title={[`${delivered} of ${all} delivered`, ...more].join(", ")}>
      <span className="sr">{state} </span>
      <span>
        {delivered} of {all}
        {to_nobody > 0 && (
          <span aria-hidden="true">
            ,{" "}
            <Text variant="aside" display="block">
              {to_nobody} not sent
            </Text>
          </span>
        )}
      </span>
      {more.length > 0 && <span className="sr">, {more.join(", ")}</span>}
    </State>
  );
};
