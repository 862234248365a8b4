import { List, SegmentedControl, Stack, Text } from "@mantine/core";
import {
  IconChecklist,
  IconDownload,
  IconHandClick,
  IconPlayerPlay,
  IconPlayerStop,
  IconPresentation,
  IconSettingsPause,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Run, ScenarioRow } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { Scenario } from "../../../../sandbox/contract/scenario.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useExportScenario } from "../../../domain/scenario/keeping.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { restoreFocus } from "../../../lib/focus.ts";
import { plural } from "../../../lib/formatting.ts";
import { late } from "../../../lib/late.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useDeleteScenario, useStartRun, useStopRuns } from "../mutations.ts";
import { runQuery, runsQuery, scenarioQuery } from "../queries.ts";
import { isOver } from "../run-words.ts";
import { RunState } from "../scenarios-list.tsx";
import { FilePane } from "./file-pane.tsx";
import { RunForm } from "./run-form.tsx";
import { RunPanel } from "./run-panel.tsx";
import { Steps } from "./steps.tsx";

const tabs = ["run", "file", "story"] as const;
type Tab = (typeof tabs)[number];
/** Returns the tab in an address. */
export const scenarioTab = (name: string | undefined): Tab => tabs.find((tab) => tab === name) ?? "run";

/** Loaded on demand: the player is large and rarely used. */
const Story = late(async () => (await import("../story/presenter.tsx")).Presenter).Part;

type ScenarioFile = ScenarioRow & { readonly scenario: Scenario };

/** The newest run of a scenario. */
const useRun = (name: string) => {
  const all = useQuery(runsQuery());
  const newest = all.data?.find((run) => run.name === name);
  const run = useQuery({ ...runQuery(newest?.id ?? ""), enabled: newest !== undefined });
  return { all, hasRun: newest !== undefined, run: run.data?.id === newest?.id ? run.data : undefined };
};

const Actions = ({ file, run }: { file: ScenarioFile; run: Run | undefined }) => {
  const { name, source, scenario } = file;
  const start = useStartRun(name);
  const stop = useStopRuns();
  const save = useExportScenario();
  const forget = useDeleteScenario();
  const [openDialog, setOpenDialog] = useState<"run" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  const isRunning = run !== undefined && !isOver(run);
  const begin = (mode: "all" | "by_hand") => start.mutate({ mode });
  const wasRunning = useRef(isRunning);
  // The pressed button disappears when the run's state changes.
  useLayoutEffect(() => {
    if (wasRunning.current !== isRunning) restoreFocus(document.querySelector<HTMLElement>("article h2"));
    wasRunning.current = isRunning;
  }, [isRunning]);
  useKeys("Scenarios", [
    { keys: ["a"], label: "Run all steps", acts: true, run: () => begin("all"), enabled: !isRunning },
    { keys: ["b"], label: "Run step by step", acts: true, run: () => begin("by_hand"), enabled: !isRunning },
  ]);
  return (
    <>
      {isRunning ? (
        <Button small icon={IconPlayerStop} busy={stop.isPending} onClick={() => stop.mutate([run.id])}>
          Stop
        </Button>
      ) : (
        <>
          <Button
            small
            look="primary"
            icon={IconPlayerPlay}
            keys="a"
            acts
            busy={start.isPending}
            onClick={() => begin("all")}
          >
            Run
          </Button>
          <Button small icon={IconHandClick} keys="b" acts onClick={() => begin("by_hand")}>
            Step by step
          </Button>
          <Button small icon={IconSettingsPause} onClick={() => setOpenDialog("run")}>
            Run with…
          </Button>
        </>
      )}
      {scenario.steps.some(({ say }) => say !== undefined) && (
        <LinkButton small icon={IconPresentation} href={hrefs.scenario(name, "story")}>
          Play the story
        </LinkButton>
      )}
      <Button small icon={IconDownload} busy={save.isPending} onClick={() => save.mutate({ name, scenario })}>
        Save as file
      </Button>
      {source === "own" && (
        <Button small look="danger" icon={IconTrash} onClick={() => setOpenDialog("delete")}>
          Delete
        </Button>
      )}
      <Dialog opened={openDialog === "run"} onClose={close} title={`Run ${file.title}`} size={560}>
        <RunForm name={name} onDone={close} />
      </Dialog>
      <Dialog opened={openDialog === "delete"} onClose={close} title={`Delete ${file.title}?`} size={440}>
        <Stack gap="md">
          <p>Deletes its file from the data folder. You can undo this for 20 seconds.</p>
          <div className="acts-end">
            <Button icon={IconDownload} onClick={() => save.mutate({ name, scenario })}>
              Save as file
            </Button>
            <Button
              look="danger"
              icon={IconTrash}
              busy={forget.isPending}
              onClick={() => forget.mutate({ name, scenario })}
            >
              Delete
            </Button>
          </div>
        </Stack>
      </Dialog>
    </>
  );
};

/** The source of a recorded or drafted scenario, and parts that could not be recorded. */
const Origins = ({ scenario: { recorded, about, notes = recorded?.notes ?? [] } }: { scenario: Scenario }) => (
  <>
    {about !== undefined && (
      <Text component="p" variant="note" maw="96ch" p="8px 16px">
        {about}
      </Text>
    )}
    {recorded && (
      <Text component="p" variant="note" maw="96ch" p="8px 16px">
        Recorded <Time at={recorded.at} on="real" /> in the world <b>{recorded.world}</b> by Integrations Explorer{" "}
        {recorded.version}. It runs with the {plural(Object.keys(recorded.policies).length, "setting")} and{" "}
        {plural(recorded.faults.length, "fault")} of its file.
      </Text>
    )}
    {notes.length > 0 && (
      <Text component="details" size="sm" maw="96ch" p="8px 16px">
        <summary>{plural(notes.length, "item")} could not be recorded unchanged</summary>
        <List size="sm">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      </Text>
    )}
  </>
);

const OpenScenario = ({ file, tab }: { file: ScenarioFile; tab: Tab }) => {
  const { all, hasRun, run } = useRun(file.name);
  const [, navigate] = useLocation();
  return (
    <Detail
      label={file.title}
      title={file.title}
      hint={file.title}
      beside={
        <>
          <RunState run={run} pill />
          <SegmentedControl
            aria-label="Show"
            data={[
              { value: "run", label: "Steps" },
              { value: "file", label: "File" },
            ]}
            value={tab === "file" ? "file" : "run"}
            onChange={(value) => navigate(hrefs.scenario(file.name, value === "file" ? "file" : undefined))}
          />
        </>
      }
      actions={<Actions file={file} run={run} />}
      side={tab !== "file" && <RunPanel file={file} run={run} hasRun={hasRun} />}
      sideLabel="Run"
    >
      {tab === "file" ? (
        <Stack gap={0} className="scroll" flex={1}>
          <Origins scenario={file.scenario} />
          <FilePane file={file} />
        </Stack>
      ) : (
        <>
          <Origins scenario={file.scenario} />
          <Read of={all} what="its runs" rows={8}>
            {() => <Steps file={file} run={run} />}
          </Read>
          {tab === "story" && <Story name={file.name} title={file.title} />}
        </>
      )}
    </Detail>
  );
};

/** A file that is no longer a valid scenario: the reason, and possible actions. */
const Damaged = ({ name, problem }: { name: string; problem: string }) => {
  const forget = useDeleteScenario();
  return (
    <Detail label={name} title={name} beside={<State of="failed">damaged</State>} scrolls>
      <Stack align="flex-start" className="toned bad" p="10px 16px">
        <p>{problem}</p>
        <p>Fix its file in the data folder, or delete it.</p>
        <Button
          small
          look="danger"
          icon={IconTrash}
          busy={forget.isPending}
          onClick={() => forget.mutate({ name, scenario: undefined })}
        >
          Delete
        </Button>
      </Stack>
    </Detail>
  );
};

/** A scenario with its steps, their results and actions. */
export const ScenarioDetail = ({ name, tab }: { name: string; tab: Tab }) => {
  const query = useQuery({ ...scenarioQuery(name), refetchOnMount: "always" });
  usePageTitle(query.data?.title ?? name, "Scenarios");
  if (query.error instanceof ServiceFailure && query.data === undefined) {
    if (query.error.status === 422) return <Damaged name={name} problem={query.error.message} />;
    if (query.error.status === 404)
      return (
        <Missing
          icon={IconChecklist}
          title={`Scenario ${name} not found`}
          why="It was deleted, or the link comes from another machine."
          href={hrefs.scenarios}
          all="All scenarios"
        />
      );
  }
  return (
    <Read of={query} what="the scenario" rows={8}>
      {(file) => <OpenScenario file={file as ScenarioFile} tab={tab} />}
    </Read>
  );
};
