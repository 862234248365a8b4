import { Refusal } from "../../../components/failing.tsx";
import { ServiceFailure, ServiceUnreachable } from "../../../lib/service-failure.ts";
import type { Move } from "../mutations.ts";

/** Why a step that was sent did not move it, in the service's words; nothing while it is on its way or went well. */
export const StepRefusal = ({ move }: { move: Move }) => {
  const failure = move.data?.failure ?? (move.error instanceof ServiceFailure ? move.error : null);
  if (!failure || move.isPending) return null;
  return (
    <Refusal failure={failure}>
      {failure instanceof ServiceUnreachable && (
        <span className="t12 t2">Whether it was carried out shows here once the connection is back.</span>
      )}
    </Refusal>
  );
};
