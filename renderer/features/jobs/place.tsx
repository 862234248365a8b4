import { type ReactNode, useState } from "react";
import { useLiveList } from "../../app/live/live-list.ts";
import type { PlaceProps } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { useDirectory } from "../../domain/directory/directory.ts";
import { useAsked } from "../../lib/search-params.ts";
import { useAddress, useFormAddress } from "./address.ts";
import { JobDetail } from "./detail/job-detail.tsx";
import { NewJobDialog } from "./form/new-job.tsx";
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

/** Jobs: all of them as a table; or beside one job with its parts, basket and procurements. */
export const Place = ({ id, tab }: PlaceProps) => {
  const form = useFormAddress("new");
  useKeys("Jobs", [{ keys: ["n"], label: "New job", run: form.open }]);
  return (
    <>
      <JobsFrame selected={id ?? null} onNew={form.open} detail={id && <JobDetail key={id} id={id} tab={tab} />} />
      {form.isNeeded && <NewJobDialog opened={form.opened} onClose={form.close} />}
    </>
  );
};
