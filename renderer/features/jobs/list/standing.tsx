import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { State } from "../../../components/state.tsx";

/** How far the job has come: its procurements by state, or what is missing. */
export const Standing = ({ job }: { job: Row }) => {
  const counted = procurementStatuses.filter((status) => job.procurements[status] > 0);
  if (counted.length === 0) return <span className="t3">{job.parts === 0 ? "no parts yet" : "not ordered"}</span>;
  return counted.map((status) => (
    <State key={status} of={status} title={`${job.procurements[status]} ${status}`}>
      {job.procurements[status]}
      <span className="sr"> {status}</span>
    </State>
  ));
};
