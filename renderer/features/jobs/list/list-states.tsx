import { IconCar, IconPlus } from "@tabler/icons-react";
import { Button } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import type { Names } from "../../../domain/directory/directory.ts";
import { pluralTotal, type Total } from "../../../lib/formatting.ts";
import { isFiltered, type JobFilter } from "../address.ts";
import { noneWords } from "./words.ts";

interface NoJobsProps {
  readonly asked: JobFilter;
  readonly names: Names;
  readonly onNew: () => void;
  readonly onClear: () => void;
}

/** In place of an empty list: there is nothing yet, or nothing of what was asked for. */
export const NoJobs = ({ asked, names, onNew, onClear }: NoJobsProps) => {
  if (isFiltered(asked)) {
    return (
      <NothingMatches what={noneWords(asked, names)} onClear={onClear}>
        {asked.search !== "" && "Search covers plate, number, claim, external ID, chassis number and ID."}
      </NothingMatches>
    );
  }
  return (
    <NothingYet
      icon={IconCar}
      title="No jobs yet"
      actions={
        <Button small icon={IconPlus} keys="n" onClick={onNew}>
          New job
        </Button>
      }
    >
      Create a job here, or send repairer.jobs.insert from your own program. Then add parts, choose offers and place
      orders.
    </NothingYet>
  );
};

/** What is said of a filter to whoever does not see what it leaves. */
export const ListSays = ({ asked, counted }: { asked: JobFilter; counted: Total | undefined }) => (
  <span className="sr" role="status">
    {isFiltered(asked) && counted ? `${pluralTotal(counted, "job")} found` : ""}
  </span>
);
