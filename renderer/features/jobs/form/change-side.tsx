import { Radio, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Policies } from "../../../../sandbox/contract/control/policies.ts";
import { strategyFor } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { Note } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { policiesQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { jobValueText } from "../fields.tsx";
import { changeOutcomes, type KeyOutcome, outcomeText } from "./job-body.ts";
import type { IfExists } from "./job-draft.ts";
import { Named } from "./job-inputs.tsx";

/** Explains what this world does with a body without `if_`, and links to the setting. */
export const WithoutIf = ({ policy }: { policy: Policies["jobs_insert_conflict"] }) => (
  <>
    If the job exists, the call {policy === "update" ? "updates it" : "fails with 422"}, because the setting{" "}
    <Text variant="mono">jobs_insert_conflict</Text> is <Text variant="mono">{policy}</Text>.{" "}
    <Origin of="assumption" id="D30" switchable />
  </>
);

interface ChangeSideProps {
  /** The current job. */
  readonly job: Job;
  readonly ifExists: IfExists;
  readonly body: JobInsert;
  readonly credential: KeyedCredential;
  readonly onIfExists: (ifExists: IfExists) => void;
}

/** Beside the fields of an update: `if_`, the body's effect on each key, and the request. */
export const ChangeSide = ({ job, ifExists, body, credential, onIfExists }: ChangeSideProps) => {
  const [view, setView] = useState<"outcome" | "request">("outcome");
  const policy = useQuery(policiesQuery(useWorld())).data?.jobs_insert_conflict ?? "reject";
  const { names } = useDirectory();
  const chosen = strategyFor(body, policy);
  const update = changeOutcomes(job, body, "update");
  const replace = changeOutcomes(job, body, "replace");
  const headOf = (name: "update" | "replace") => (chosen === name ? `${name} (chosen)` : name);
  const outcome = (one: KeyOutcome) => {
    const { word, changes, loses, why } = outcomeText(one);
    const value = jobValueText(one.after, names);
    return (
      <Stack gap={0} title={`${why}: ${value}`}>
        <Text truncate {...(changes ? { fw: 500 } : { c: "dimmed" })}>
          {value}
        </Text>
        <Text size="xs" c={loses ? "var(--bad-text)" : "dimmed"}>
          {word}
        </Text>
      </Stack>
    );
  };
  return (
    <Stack component="aside" miw={0} aria-label="Effect of the change">
      <Radio.Group
        label={<Named field="if_, exists">If the job exists</Named>}
        name="if-exists"
        value={ifExists}
        onChange={onIfExists}
      >
        <Stack>
          <Radio
            value="update"
            label="update"
            description={
              <>
                Writes the keys you send. null clears a key; omitted keys keep their value{" "}
                <Origin of="assumption" id="D32" />
              </>
            }
          />
          <Radio
            value="replace"
            label="replace"
            description={
              <>
                Omitted keys become null or empty. id, external_id and parts are kept{" "}
                <Origin of="assumption" id="D33" />
              </>
            }
          />
          <Radio value="none" label="omit if_" description={<WithoutIf policy={policy} />} />
        </Stack>
      </Radio.Group>
      <SegmentedControl
        aria-label="Show"
        data={[
          { value: "outcome", label: "Effect" },
          { value: "request", label: "Request" },
        ]}
        value={view}
        onChange={setView}
      />
      {view === "request" ? (
        <RequestPreview operation="repairer.jobs.insert" body={body} credential={credential} />
      ) : (
        <>
          <ShortTable
            label="Effect of this body on the job, with update and with replace"
            rows={update}
            keyOf={({ key }) => key}
            columns={[
              { head: "Key", width: 136, cell: ({ key }) => <Text variant="mono">{key}</Text> },
              { head: "Current", cell: ({ before }) => <Text c="dimmed">{jobValueText(before, names)}</Text> },
              { head: headOf("update"), cell: outcome },
              {
                head: headOf("replace"),
                cell: (current) => {
                  const replaced = replace.find(({ key }) => key === current.key);
                  return replaced && outcome(replaced);
                },
              },
            ]}
          />
          <Note>
            {chosen === "reject"
              ? "This call will be refused with 422, because the job exists. The columns show the effect of update and replace."
              : "id, external_id and the parts never change."}{" "}
            <Origin of="assumption" id={chosen === "reject" ? "D30" : "D33"} />
          </Note>
        </>
      )}
    </Stack>
  );
};
