import { type ReactNode, useState } from "react";
import { useLiveList } from "../../../app/live/live-list.ts";
import { useWorld } from "../../../app/world.ts";
import { Split } from "../../../components/split.tsx";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { useAsked } from "../../../lib/search-params.ts";
import { useAddress } from "../address.ts";
import { jobList } from "../queries.ts";
import { JobsList } from "./jobs-list.tsx";
import { JobsTable } from "./jobs-table.tsx";

/** All jobs as a table, or beside the one that is open: the same rows, so that none is read again on the way. */
export const JobsFrame = ({
  selected,
  detail,
  onNew,
}: {
  selected: string | null;
  detail: ReactNode;
  onNew: () => void;
}) => {
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
