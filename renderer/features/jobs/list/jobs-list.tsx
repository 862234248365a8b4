import { ActionIcon } from "@mantine/core";
import { IconPlus, IconTable } from "@tabler/icons-react";
import { useCallback } from "react";
import { Link } from "wouter";
import type { JobRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../../app/acting.ts";
import type { LiveList } from "../../../app/live/live-list.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Count, List } from "../../../components/list.tsx";
import { ListHead } from "../../../components/split.tsx";
import type { Directory } from "../../../domain/directory/directory.ts";
import type { Address, JobFilter } from "../address.ts";
import { FilterChips, Narrowing } from "./filter-menu.tsx";
import { JobRow } from "./job-row.tsx";
import styles from "./list.module.css";
import { ListSays, NoJobs } from "./list-states.tsx";
import { WhoseLine } from "./whose-line.tsx";

export const keyOf = (job: Row) => job.id;

export interface ListProps {
  /** The rows the filter leaves, as far as they are loaded, and what was asked for. */
  readonly jobs: LiveList<Row> & { readonly asked: JobFilter };
  readonly address: Address;
  readonly directory: Directory;
  readonly onNew: () => void;
}

/** The jobs beside the one that is open, two lines each. */
export const JobsList = ({ jobs, address, directory, onNew, selected }: ListProps & { selected: string }) => {
  const { filter, narrow, clear, hrefOf } = address;
  const actingId = useActAs("repairer").credential?.organization_id;
  const draw = useCallback((job: Row) => <JobRow job={job} mine={job.organization_id === actingId} />, [actingId]);
  return (
    <>
      <ListHead
        title="Jobs"
        count={jobs.counted && <Count of={jobs.counted} />}
        actions={
          <>
            <ActionIcon
              component={Link}
              href="/jobs"
              variant="subtle"
              size="sm"
              aria-label="All jobs as a table"
              title="All jobs as a table"
            >
              <Icon of={IconTable} />
            </ActionIcon>
            <Button small icon={IconPlus} keys="n" onClick={onNew}>
              New
            </Button>
          </>
        }
      >
        <WhoseLine filter={filter} />
        <div className={`row row-1 ${styles.search}`}>
          <Narrowing placeholder="Plate, number, claim…" filter={filter} directory={directory} onNarrow={narrow} />
        </div>
        <FilterChips filter={filter} directory={directory} onNarrow={narrow} />
        <ListSays asked={jobs.asked} counted={jobs.counted} />
      </ListHead>
      <List
        of={jobs}
        label="Jobs"
        what="the jobs"
        empty={<NoJobs asked={jobs.asked} names={directory.names} onNew={onNew} onClear={clear} />}
        keyOf={keyOf}
        hrefOf={hrefOf}
        render={draw}
        selected={selected}
      />
    </>
  );
};
