import type { World } from "../../../sandbox/contract/control/rows.ts";
import { Time } from "../../components/time.tsx";

/** Time of a world's last call. Reads by a window postpone the reset (D82), but don't count as calls. */
export const LastCall = ({ row: { last_called_at: at, unavailable } }: { row: World }) => {
  if (unavailable !== null) return null;
  if (at === null) return <span>no recorded calls</span>;
  return (
    <span>
      called <Time at={at} on="real" />
    </span>
  );
};
