import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { Plate } from "../../../components/plate.tsx";
import { Time } from "../../../components/time.tsx";
import { shortSite } from "./site-names.ts";
import { Standing } from "./standing.tsx";

/**
 * A job in the list: what it is known by and when it last changed, where and for whom, how far it has come. Of a job of
 * the organization one acts as the site's last words are enough; of another's they would not tell whose it is.
 */
export const JobRow = ({ job, mine }: { job: Row; mine: boolean }) => (
  <ListRow
    title={
      <>
        {job.job_number ? <span className="el">{job.job_number}</span> : <span className="t3 nw">no number</span>}
        <Plate plate={job.plate_number} state={job.plate_state} />
      </>
    }
    aside={<Time at={job.updated_at} />}
    detail={[mine ? shortSite(job.site.name) : job.site.name, job.work_provider?.name].filter(Boolean).join(", ")}
    state={<Standing job={job} />}
  />
);
