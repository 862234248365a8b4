import { Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run, ScenarioRow } from "../../../../sandbox/contract/control/scenario-operations.ts";
import { scenarioFileName } from "../../../../sandbox/contract/scenario-name.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { useStopRuns } from "../mutations.ts";
import { commandFor, isOver, parseServiceAddress } from "../run-words.ts";
import { RunState } from "../scenarios-list.tsx";

const worldLink = (world: string) => <TextLink href={namingWorld(hrefs.world(world), world)}>{world}</TextLink>;

const changes = (policies: Readonly<Record<string, string>> | null) =>
  Object.entries(policies ?? {}).map(([name, value]) => `${name} ${value}`);

const Shown = ({ run }: { run: Run }) => {
  const stop = useStopRuns();
  const over = isOver(run);
  // The world of a story may still exist after its run has ended.
  const { data: worlds = [] } = useQuery(worldsQuery());
  const isThere = !over || run.worlds.includes(run.world) || worlds.some(({ name }) => name === run.world);
  const policies = changes(run.policies);
  return (
    <Section title="This run" actions={<RunState run={run} />} ruled={false}>
      <Stack align="flex-start" px="lg" pb="md">
        <p>
          <Text component="b" fz={20} fw={600}>
            {run.held}
          </Text>{" "}
          of {run.steps} steps passed
        </p>
        <progress
          max={run.steps}
          value={run.held}
          style={{ accentColor: `var(--${["differs", "failed"].includes(run.state) ? "bad" : "ok"})` }}
          aria-label="Passed steps"
        />
        {run.problem !== null && (
          <Text component="p" size="sm">
            {run.problem}
          </Text>
        )}
        <KeyValue
          rows={[
            ["How", run.mode === "all" ? "all at once" : "step by step"],
            ["Began", <Time key="at" at={run.started_at} on="real" />],
            run.ended_at === null ? null : ["Ended", <Time key="at" at={run.ended_at} on="real" />],
            ["World", isThere ? worldLink(run.world) : "a new world, deleted since"],
            policies.length === 0 ? null : ["Changed settings", policies.join(", ")],
          ]}
        />
        {over && run.worlds.length > 0 && (
          <Button small icon={IconTrash} busy={stop.isPending} onClick={() => stop.mutate([run.id])}>
            Delete its {run.worlds.length === 1 ? "world" : "worlds"}
          </Button>
        )}
      </Stack>
    </Section>
  );
};

/** The command of the same run for scripts. */
const InScript = ({ file: { name, reproduction }, run }: Pick<PanelProps, "file" | "run">) => {
  const [url, setUrl] = useState("");
  const isUrl = parseServiceAddress(url) !== null;
  const file = scenarioFileName(name, reproduction);
  const command = commandFor(file, run?.policies ?? null, parseServiceAddress(url));
  return (
    <Section title="Run in CI" actions={<CopyButton text={command} what="command" />}>
      <Stack px="lg" pb="md">
        <Text component="p" variant="note">
          Save the file, then run this command in the project’s folder. Replace {file} with its path. The exit code is 1
          on the first failure.
        </Text>
        <TextField
          label="At another address"
          hint="Used by the command only. Leave empty to start a temporary service."
          placeholder="https://api.example.com"
          mono
          value={url}
          onChange={setUrl}
          error={url.trim() !== "" && !isUrl ? "Enter an http or https URL." : null}
        />
        <Text component="pre" variant="mono" className="wirebox code wrapped">
          {command}
        </Text>
      </Stack>
    </Section>
  );
};

interface PanelProps {
  readonly file: Pick<ScenarioRow, "name" | "reproduction">;
  readonly run: Run | undefined;
  /** True if there is a run, which may still be loading. */
  readonly hasRun: boolean;
}

/** The newest run, and its command. */
export const RunPanel = ({ file, run, hasRun }: PanelProps) => (
  <>
    {run ? (
      <Shown run={run} />
    ) : (
      <Text component="p" variant="note" p="12px 16px">
        {hasRun
          ? "Loading …"
          : "Not run since the service started. A run creates a fresh world and deletes it if every step passes. Step by step keeps it."}
      </Text>
    )}
    <InScript file={file} run={run} />
  </>
);
