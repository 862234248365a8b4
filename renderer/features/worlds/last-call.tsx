import type { World } from "../../../sandbox/contract/control/rows.ts";
import { Time } from "../../components/time.tsx";

/** When a world was last called. What a window reads of it keeps it from its reset (D82), but is no call. */
export const LastCall = ({ row: { last_called_at: at, unavailable } }: { row: World }) => {
  if (unavailable !== null) return null;
  if (at === null) return <span>no recorded calls</span>;
  return (
    <span>
      called <Time at={at} on="real" />
    </span>
  );
};
