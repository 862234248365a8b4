import { useQuery } from "@tanstack/react-query";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { useWorld } from "../../../app/world.ts";
import { Failing } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import type { JobInSight } from "../detail/use-job.ts";
import { jobQuery } from "../queries.ts";
import { Exchanges } from "./exchanges.tsx";
import { JobFields } from "./job-fields.tsx";
import { Pictures } from "./pictures.tsx";
import { Progress } from "./progress.tsx";

const Body = ({ job, stored }: { job: JobInSight; stored: Job | null }) => (
  <div className="scroll jobs-panel">
    <Progress job={job} />
    <div className="jobs-overview">
      <JobFields row={job.row} job={stored} />
      <Pictures images={stored?.images ?? null} />
    </div>
    <Section title="Last exchanges about it" note="anyone’s calls, newest first">
      <Exchanges jobId={job.row.id} />
    </Section>
  </div>
);

/** Everything a job is: how far it has come, its fields, its pictures, and what was said about it on the wire. */
export const OverviewTab = ({ job }: { job: JobInSight }) => {
  const { row, credential } = job;
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  if (credential === null) return <Body job={job} stored={null} />;
  if (stored.error) return <Failing what="The job" error={stored.error} onRetry={() => void stored.refetch()} />;
  return stored.data ? <Body job={job} stored={stored.data} /> : <Loading what="the job" rows={6} />;
};
