import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { NoKey } from "./no-key.tsx";
import type { SideSeen } from "./two-sides.ts";

/** Whether there is no answer of this side to lay beside the other's. */
export const isUnseen = (seen: SideSeen<unknown>): boolean => seen.view === null;

/** Why a side's view is not there: on its way, nobody here may ask, or the service said no. */
export const Unseen = ({ of: seen }: { of: SideSeen<unknown> }) => {
  if (seen.isLoading) return <Loading what={`${seen.name}’s view`} rows={5} />;
  if (seen.error === null) return <NoKey of={seen} />;
  return (
    <div className="procurements-unseen">
      <b className="w5">{seen.operation} did not answer</b>
      {seen.error instanceof ServiceFailure ? (
        <Refusal failure={seen.error} />
      ) : (
        <p className="t12">{seen.error.message}</p>
      )}
      <p>
        <Button small onClick={seen.retry}>
          Ask again
        </Button>
      </p>
    </div>
  );
};

/** The same as one cell beside all lines of the other side. */
export const UnseenCell = ({ of: seen, lines }: { of: SideSeen<unknown>; lines: number }) => (
  <td rowSpan={Math.max(1, lines)} className="procurements-unseen-cell">
    <Unseen of={seen} />
  </td>
);
