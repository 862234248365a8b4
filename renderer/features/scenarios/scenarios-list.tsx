import { Box, EmptyState, Flex, Text } from "@mantine/core";
import { IconChecklist, IconFileImport, IconPlayerPlay, IconPlayerRecord, IconPlayerStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { RunRow, ScenarioRow } from "../../../sandbox/contract/control/scenario-operations.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { ListRow } from "../../components/list-row.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { scenariosQuery } from "../../domain/scenario/keeping.ts";
import { RecordDialog } from "../../domain/scenario/record-dialog.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { ListPlace, useListFilter } from "../../kernel/lists/list-place.tsx";
import { plural } from "../../lib/formatting.ts";
import { searchParams, text } from "../../lib/search-params.ts";
import { useOpenScenario, useStartRuns, useStopRuns } from "./mutations.ts";
import { runsQuery } from "./queries.ts";
import { isOver, runState } from "./run-words.ts";

const params = searchParams({ search: text });

interface Listed {
  readonly row: ScenarioRow;
  /** The newest stored run. */
  readonly run: RunRow | undefined;
}

/** The state of a run, or a note that there is none. */
export const RunState = ({ run, pill = false }: { run: RunRow | undefined; pill?: boolean }) => {
  if (run === undefined) return <span data-variant="aside">not run</span>;
  const { of, words } = runState(run);
  return (
    <State of={of} pill={pill} {...(run.problem === null ? {} : { title: run.problem })}>
      {words}
    </State>
  );
};

const Lines = ({ row, run }: Listed) => (
  <ListRow
    title={<span className="cut">{row.title}</span>}
    aside={run && <Time at={run.started_at} on="real" />}
    detail={
      row.problem === null
        ? `${row.reproduction ? "reproduction, " : ""}${plural(row.steps, "step")}${row.notes > 0 ? `, ${plural(row.notes, "note")}` : ""}`
        : "its file isn’t a valid scenario"
    }
    state={row.problem === null ? <RunState run={run} /> : <State of="failed">damaged</State>}
  />
);

const render = (one: Listed) => <Lines {...one} />;
const rowKey = ({ row }: Listed) => row.name;
const rowHref = ({ row }: Listed) => hrefs.scenario(row.name);
const rowGroup = ({ row }: Listed) => row.source;
const groupNames: Readonly<Record<string, string>> = { own: "Yours", shipped: "Shipped" };
const groupLabel = (group: string) => groupNames[group];

export const bySource = (one: ScenarioRow, other: ScenarioRow): number => one.source.localeCompare(other.source);

/** Totals of the newest runs in the list; with a stop button while some are running. */
const Sum = ({ listed }: { listed: readonly Listed[] }) => {
  const stop = useStopRuns();
  const runs = listed.flatMap(({ run }) => run ?? []);
  const under = runs.filter((run) => !isOver(run));
  const counted = (state: RunRow["state"]) => runs.filter((run) => run.state === state).length;
  const [held, differ, stopped, failed] = [counted("held"), counted("differs"), counted("stopped"), counted("failed")];
  return (
    <Flex
      fz="sm"
      lh="sm"
      className="hl"
      component="p"
      wrap="wrap"
      columnGap="md"
      rowGap="xs"
      align="center"
      flex="none"
      mih={40}
      py="xs"
      px="md"
      role="status"
    >
      <State of={held > 0 ? "passed" : "skipped"}>{held} passed</State>
      <State of={differ > 0 ? "refused" : "skipped"}>{differ} failed</State>
      {stopped > 0 && <State of="skipped">{stopped} stopped</State>}
      {failed > 0 && <State of="failed">{failed} couldn’t run</State>}
      <Box component="span" flex={1} />
      {under.length > 0 ? (
        <Button
          small
          icon={IconPlayerStop}
          busy={stop.isPending}
          onClick={() => stop.mutate(under.map(({ id }) => id))}
        >
          Stop {plural(under.length, "run")}
        </Button>
      ) : (
        <Text c="secondary" textWrap="nowrap">
          {listed.length - runs.length} not run
        </Text>
      )}
    </Flex>
  );
};

/** All shipped and saved scenarios with their newest runs. */
export const ScenariosList = ({ selected, shown }: { selected: string | null; shown: string | null }) => {
  const scenarios = useQuery({ ...scenariosQuery(), refetchOnMount: "always" });
  const runs = useQuery(runsQuery());
  const state = useListFilter(params, "scenarios");
  const start = useStartRuns();
  const [, navigate] = useLocation();
  const [recording, record] = useState(false);
  const open = useOpenScenario();
  const wanted = state.filter.search.trim().toLowerCase();
  const listed = useMemo(
    () =>
      (scenarios.data ?? [])
        .filter(({ name, title, about }) => `${name} ${title} ${about ?? ""}`.toLowerCase().includes(wanted))
        .toSorted(bySource)
        .map((row): Listed => ({ row, run: runs.data?.find((run) => run.name === row.name) })),
    [scenarios.data, runs.data, wanted],
  );
  const openFirst = () => {
    if (listed[0]) navigate(rowHref(listed[0]));
  };
  const runnable = listed.filter(({ row }) => row.problem === null).map(({ row }) => row.name);
  return (
    <>
      <ListPlace
        of={{ items: listed, name: wanted, read: scenarios }}
        title="Scenarios"
        nouns={["scenario", "scenarios"]}
        search={["Search scenarios", "Name, what it shows"]}
        onEnter={openFirst}
        state={state}
        actions={
          <>
            <IconButton
              small
              icon={IconFileImport}
              label="Open a file: a scenario or reproduction"
              verb="Open"
              disabled={open.isPending}
              onClick={() => open.mutate()}
            />
            <IconButton
              small
              icon={IconPlayerRecord}
              label="Record every call since this world was created or reset"
              verb="Record"
              onClick={() => record(true)}
            />
            <Button
              small
              icon={IconPlayerPlay}
              busy={start.isPending}
              disabled={runnable.length === 0 || runs.data === undefined}
              title="Run all listed scenarios, each in a fresh world"
              onClick={() => start.mutate(runnable)}
            >
              Run all
            </Button>
          </>
        }
        empty={<EmptyState icon={<IconChecklist />} title="No scenarios" />}
        keyOf={rowKey}
        hrefOf={rowHref}
        selected={selected}
        marked={shown}
        groupOf={rowGroup}
        renderGroup={groupLabel}
        render={render}
      />
      {runs.data !== undefined && <Sum listed={listed} />}
      <RecordDialog opened={recording} onClose={() => record(false)} calls={null} />
    </>
  );
};
