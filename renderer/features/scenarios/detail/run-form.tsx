import { Group, Radio, SimpleGrid } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { policyChoices, policyNames, policyQuestions } from "../../../../sandbox/contract/control/policies.ts";
import type { RunMode } from "../../../../sandbox/contract/control/scenario-operations.ts";
import { Form, Submit } from "../../../components/form.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { wordsFor } from "../../../domain/world/switches.ts";
import { useStartRun } from "../mutations.ts";

/** Options that override a scenario's file: the mode and settings. */
export const RunForm = ({ name, onDone }: { name: string; onDone: () => void }) => {
  const start = useStartRun(name);
  const [mode, setMode] = useState<RunMode>("all");
  const [policies, setPolicies] = useState<Readonly<Record<string, string>>>({});
  const set = (policy: string, value: string | null) => {
    const { [policy]: _, ...others } = policies;
    setPolicies(value === null ? others : { ...others, [policy]: value });
  };
  return (
    <Form onSend={() => start.mutate({ mode, policies }, { onSuccess: onDone })}>
      <Radio.Group label="How" name="mode" value={mode} onChange={setMode}>
        <Group gap="md" wrap="wrap">
          <Radio value="all" label="All at once" />
          <Radio value="by_hand" label="Step by step" />
        </Group>
      </Radio.Group>
      <fieldset className="field">
        <legend className="field-label">Settings for this run</legend>
        <SimpleGrid cols={2} spacing="sm" style={{ alignItems: "end" }}>
          {policyNames.map((policy) => (
            <SelectField
              key={policy}
              label={`${policyQuestions[policy].question} (assumption ${policyQuestions[policy].decision})`}
              placeholder="from the file"
              clearable
              options={policyChoices[policy].map((value) => ({ value, label: wordsFor(policy, value) }))}
              value={policyChoices[policy].find((value) => value === policies[policy]) ?? null}
              onChange={(value) => set(policy, value)}
            />
          ))}
        </SimpleGrid>
      </fieldset>
      <div className="acts-end">
        <Submit icon={IconPlayerPlay} busy={start.isPending}>
          Run
        </Submit>
      </div>
    </Form>
  );
};
