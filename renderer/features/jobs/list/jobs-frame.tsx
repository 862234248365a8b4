import type { ReactNode } from "react";
import { Split } from "../../../components/split.tsx";
import { JobsList } from "./jobs-list.tsx";
import { JobsTable } from "./jobs-table.tsx";
import { useAddress } from "./use-address.ts";
import { useDirectory } from "./use-directory.ts";
import { useJobRows } from "./use-job-rows.ts";

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
  const jobs = useJobRows(address.filter);
  const props = { jobs, address, directory, onNew };
  if (selected === null) return <JobsTable {...props} />;
  return <Split name="jobs" label="Jobs" list={<JobsList {...props} selected={selected} />} detail={detail} />;
};
