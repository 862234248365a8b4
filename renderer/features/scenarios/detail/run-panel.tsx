import { Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Run, RunRow } from "../../../../sandbox/contract/control/scenario-operations.ts";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { namingWorld } from "../../../lib/world-address.ts";
import { useStopRuns } from "../mutations.ts";
import { addressOf, commandFor, isOver } from "../run-words.ts";
import styles from "../scenarios.module.css";
import { RunState } from "../scenarios-list.tsx";

const worldLink = (world: string) => <TextLink href={namingWorld(hrefs.world(world), world)}>{world}</TextLink>;

const changes = (policies: Readonly<Record<string, string>> | null) =>
  Object.entries(policies ?? {}).map(([name, value]) => `${name} ${value}`);

const Shown = ({ run }: { run: Run }) => {
  const stop = useStopRuns();
  const over = isOver(run);
  const policies = changes(run.policies);
  return (
    <Section title="This run" actions={<RunState run={run} />} ruled={false}>
      <div className={styles.panel}>
        <p>
          <b className={styles.count}>{run.held}</b> of {run.steps} steps passed
        </p>
        <progress max={run.steps} value={run.held} data-state={run.state} aria-label="Passed steps" />
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
            ["World", over && !run.worlds.includes(run.world) ? "a new world, deleted since" : worldLink(run.world)],
            policies.length === 0 ? null : ["Changed settings", policies.join(", ")],
          ]}
        />
        {over && run.worlds.length > 0 && (
          <Button small icon={IconTrash} busy={stop.isPending} onClick={() => stop.mutate([run.id])}>
            Delete its {run.worlds.length === 1 ? "world" : "worlds"}
          </Button>
        )}
      </div>
    </Section>
  );
};

/** The command that runs the same in a script. */
const InScript = ({ kept: { name }, run }: Pick<PanelProps, "kept" | "run">) => {
  const [url, setUrl] = useState("");
  const isUrl = addressOf(url) !== null;
  const command = commandFor(`${name}.json`, run?.policies ?? null, addressOf(url));
  return (
    <Section title="Run in CI" actions={<CopyButton text={command} what="command" />}>
      <div className={styles.panel}>
        <Text component="p" variant="note">
          Save the file, then run this command in the project’s folder. Replace {name}.json with its path. The exit code
          is 1 on the first failure.
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
        <Text component="pre" variant="mono" className="wirebox">
          {command}
        </Text>
      </div>
    </Section>
  );
};

interface PanelProps {
  readonly kept: { readonly name: string };
  readonly run: Run | undefined;
  /** Of this scenario, newest first. */
  readonly runs: readonly RunRow[];
  readonly onShow: (id: string) => void;
}

/** The run that is looked at, the same for a script, and the runs before it. */
export const RunPanel = ({ kept, run, runs, onShow }: PanelProps) => (
  <aside className={styles.aside} aria-label="Run">
    {run ? (
      <Shown run={run} />
    ) : (
      <Text component="p" variant="note" className={styles.panel}>
        {runs.length === 0
          ? "Not run since the service started. A run creates a fresh world and deletes it if every step passes."
          : "Loading …"}
      </Text>
    )}
    <InScript kept={kept} run={run} />
    {runs.length > 1 && (
      <Section title="Runs of it" note="since the service started">
        <ul className={styles.runs}>
          {runs.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className="lnk"
                aria-current={one.id === run?.id ? "true" : undefined}
                onClick={() => onShow(one.id)}
              >
                <Time at={one.started_at} as="clock" on="real" />
              </button>
              <Text variant="aside" truncate>
                {changes(one.policies).join(", ")}
              </Text>
              <RunState run={one} />
            </li>
          ))}
        </ul>
      </Section>
    )}
  </aside>
);
