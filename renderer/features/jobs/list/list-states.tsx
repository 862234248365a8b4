import { IconCar, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { isFiltered } from "./address.ts";
import type { JobRows } from "./use-job-rows.ts";
import type { Names } from "./words.ts";
import { foundWords, noneWords } from "./words.ts";

const NoJobs = ({ onNew }: { onNew: () => void }) => (
  <NothingYet
    icon={IconCar}
    title="No jobs yet"
    actions={
      <Button small icon={IconPlus} keys="n" onClick={onNew}>
        New job
      </Button>
    }
  >
    A job comes through repairer.jobs.insert: from a partner’s program, or from here. It is where an order begins: it
    gets parts, suppliers answer with offers, and chosen offers become procurements.
  </NothingYet>
);

interface StatesProps {
  readonly jobs: JobRows;
  readonly names: Names;
  readonly onNew: () => void;
  readonly onClear: () => void;
  /** The list itself, when there is something in it. */
  readonly children: ReactNode;
}

/** A list of jobs, or what stands in its place: loading, failing, nothing yet, nothing that matches. */
export const ListStates = ({ jobs, names, onNew, onClear, children }: StatesProps) => {
  const { list, rows, asked } = jobs;
  return (
    <Read of={list} what="the jobs" rows={8}>
      {() => {
        if (rows.length > 0) return children;
        if (!isFiltered(asked)) return <NoJobs onNew={onNew} />;
        return (
          <NothingMatches what={noneWords(asked, names)} onClear={onClear}>
            {asked.search !== "" && "Plate, number, claim, external id, chassis and id are searched."}
          </NothingMatches>
        );
      }}
    </Read>
  );
};

/** How many jobs the filter leaves: "46", "500+". */
export const JobCount = ({ jobs: { total, atLeast } }: { jobs: JobRows }) =>
  atLeast ? (
    <>
      <span aria-hidden="true">{formatCount(total)}+</span>
      <span className="sr">at least {formatCount(total)}</span>
    </>
  ) : (
    formatCount(total)
  );

/** What is said of a filter to whoever does not see what it leaves. */
export const ListSays = ({ jobs: { asked, isKnown, total, atLeast } }: { jobs: JobRows }) => (
  <span className="sr" role="status">
    {isFiltered(asked) && isKnown ? foundWords(total, atLeast) : ""}
  </span>
);
