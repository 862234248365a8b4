import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { Plate } from "../../../components/plate.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { jobName } from "../../../domain/job/job-name.ts";

/** How far the job has come: its procurements by state, or what is missing. */
export const Standing = ({ job }: { job: Row }) => {
  const counted = procurementStatuses.filter((status) => job.procurements[status] > 0);
  if (counted.length === 0) return <span className="t3">{job.parts === 0 ? "no parts" : "not ordered"}</span>;
  return counted.map((status) => (
    <State key={status} of={status} title={`${job.procurements[status]} ${status}`}>
      {job.procurements[status]}
      <span className="sr"> {status}</span>
    </State>
  ));
};

/** "Tarn & Rowe, Penrose" → "Penrose": beside the group's other sites the last words are enough. */
const shortSite = (name: string): string => name.split(", ").at(-1) ?? name;

/**
 * A job in the list: what it is known by and when it last changed, where and for whom, how far it has come. Of a job of
 * the organization one acts as the site's last words are enough; of another's they would not tell whose it is.
 */
export const JobRow = ({ job, mine }: { job: Row; mine: boolean }) => (
  <ListRow
    title={
      <>
        {jobName(job) === null ? <span className="t3 nw">no number</span> : <span className="el">{jobName(job)}</span>}
        <Plate plate={job.plate_number} state={job.plate_state} />
      </>
    }
    aside={<Time at={job.updated_at} />}
    detail={[mine ? shortSite(job.site.name) : job.site.name, job.work_provider?.name].filter(Boolean).join(", ")}
    state={<Standing job={job} />}
  />
);
