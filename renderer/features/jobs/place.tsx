import { type ReactNode, useState } from "react";
import { useLiveList } from "../../app/live/live-list.ts";
import type { PlaceProps } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { DialogComing } from "../../components/dialog.tsx";
import { loading } from "../../components/loading.tsx";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { useDirectory } from "../../domain/directory/directory.ts";
import { late } from "../../lib/late.ts";
import { useAsked } from "../../lib/search-params.ts";
import { useAddress, useFormAddress } from "./address.ts";
import { JobsList } from "./list/jobs-list.tsx";
import { JobsTable } from "./list/jobs-table.tsx";
import { jobList } from "./queries.ts";

/** All jobs as a table, or beside the one that is open: the same rows, so that none is read again on the way. */
const JobsFrame = ({ selected, detail, onNew }: { selected: string | null; detail: ReactNode; onNew: () => void }) => {
  const address = useAddress();
  const directory = useDirectory();
  const asked = useAsked(address.filter);
  const jobs = { ...useLiveList(jobList(useWorld(), asked)), asked };
  const [last, setLast] = useState(selected);
  if (selected !== null && selected !== last) setLast(selected);
  const props = { jobs, address, directory, onNew };
  if (selected === null) return <JobsTable {...props} from={last} />;
  return <Split name="jobs" label="Jobs" list={<JobsList {...props} selected={selected} />} detail={detail} />;
};

const detail = late(async () => (await import("./detail/job-detail.tsx")).JobDetail, loading("the job", 5));
// Drawn without a wait where a job is what the window begins with.
if (window.location.pathname.startsWith("/jobs/")) await detail.preload();
const newJob = late(
  async () => (await import("./form/new-job.tsx")).NewJobDialog,
  ({ opened }) => <DialogComing opened={opened} title="New job" size={940} />,
);

/** Jobs: all of them as a table; or beside one job with its parts, basket and procurements. */
export const Place = ({ id, tab }: PlaceProps) => {
  const form = useFormAddress("new");
  useKeys("Jobs", [{ keys: ["n"], label: "New job", run: form.open }]);
  return (
    <>
      <JobsFrame selected={id ?? null} onNew={form.open} detail={id && <detail.Part key={id} id={id} tab={tab} />} />
      {form.isNeeded && <newJob.Part opened={form.opened} onClose={form.close} />}
    </>
  );
};
