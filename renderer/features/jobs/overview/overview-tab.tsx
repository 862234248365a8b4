import { useQuery } from "@tanstack/react-query";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { Read } from "../../../components/read.tsx";
import { isBehindDialog } from "../behind-dialog.ts";
import type { JobInSight } from "../detail/use-job.ts";
import { usePictureDesk } from "../pictures/desks.ts";
import { PictureDrop, usePastedPictures } from "../pictures/incoming.tsx";
import type { PictureDesk } from "../pictures/picture-desk.ts";
import { jobQuery } from "../queries.ts";
import { Exchanges } from "./exchanges.tsx";
import { JobFields } from "./job-fields.tsx";
import { Pictures } from "./pictures.tsx";
import { Progress } from "./progress.tsx";

const Body = ({ job, stored, desk }: { job: JobInSight; stored: Job | null; desk: PictureDesk | null }) => (
  <div className="scroll jobs-panel">
    <Progress job={job} />
    <div className="jobs-overview">
      <JobFields row={job.row} job={stored} />
      <Pictures images={stored?.images ?? null} desk={desk} />
    </div>
    <Exchanges jobId={job.row.id} />
  </div>
);

/** A job whose pictures can be added to: dropped anywhere on it, or pasted. */
const WithDesk = ({ job, stored, credential }: { job: JobInSight; stored: Job; credential: KeyedCredential }) => {
  const desk = usePictureDesk(job.row.id, credential);
  const add = desk.uploader.add;
  usePastedPictures(add, () => !isBehindDialog());
  return (
    <PictureDrop
      className="jobs-overview-drop"
      words={`Drop to add to ${job.row.job_number ?? "this job"}`}
      onFiles={add}
    >
      <Body job={job} stored={stored} desk={desk} />
    </PictureDrop>
  );
};

/** Everything a job is: how far it has come, its fields, its pictures, and what was said about it on the wire. */
export const OverviewTab = ({ job }: { job: JobInSight }) => {
  const { row, credential } = job;
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  if (credential === null) return <Body job={job} stored={null} desk={null} />;
  return (
    <Read of={stored} what="the job" rows={6}>
      {(known) => <WithDesk job={job} stored={known} credential={credential} />}
    </Read>
  );
};
