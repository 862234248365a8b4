import { Group, Stack, Text } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import type { RunStep } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { Step } from "../../../../sandbox/contract/scenario.ts";
import { Button } from "../../../components/button.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { expectedStatus } from "../../../domain/scenario/step-words.ts";
import { BranchButton, type BranchPoint } from "../../../domain/world/branch.tsx";
import { writtenJson } from "../../../lib/parsed-json.ts";
import styles from "../scenarios.module.css";

interface WholeStepProps {
  readonly step: Step;
  /** The point before the step. */
  readonly branch: BranchPoint;
  readonly result: RunStep | undefined;
  readonly onExpect: ((status: number) => void) | undefined;
}

const Part = ({ title, value }: { title: string; value: unknown }) => (
  <div>
    <Text size="sm" fw={500}>
      {title}
    </Text>
    {typeof value === "string" ? (
      <Text component="pre" variant="mono" className="wirebox code wrapped">
        {value}
      </Text>
    ) : (
      <JsonView value={value} label={title.toLowerCase()} lineNumbers={false} foldFrom={4} />
    )}
  </div>
);

const ExpectStatus = ({ step, onExpect }: { step: Step; onExpect: (status: number) => void }) => {
  const [status, change] = useState<number | null>(expectedStatus(step));
  const [isEdited, edit] = useState(false);
  const isStatus = status !== null && status >= 100 && status <= 599;
  const save = () => {
    if (!isStatus) return;
    onExpect(status);
    edit(false);
  };
  if (!isEdited)
    return (
      <Button small look="quiet" icon={IconPencil} onClick={() => edit(true)}>
        Edit expected status
      </Button>
    );
  return (
    <Form onSend={save}>
      <NumberField
        label="Expected status"
        hint="Replaces every check of this step. To check the body too, edit the file."
        value={status}
        onChange={change}
        autoFocus
      />
      <Group>
        <Submit small disabled={!isStatus}>
          Save status
        </Submit>
        <Button small onClick={() => edit(false)}>
          Cancel
        </Button>
      </Group>
    </Form>
  );
};

/** A step as in its file; after a run, also its response. */
export const WholeStep = ({ step: { came, ...step }, branch, result, onExpect }: WholeStepProps) => (
  <Stack className={styles.below}>
    {/* Placed above content that may exceed the window. */}
    <Group align="flex-start">
      <BranchButton look="words" of={branch} />
      {(step.call ?? step.control) && onExpect && <ExpectStatus step={step} onExpect={onExpect} />}
    </Group>
    <Part title="Step" value={step} />
    {came && <Part title="Recorded response" value={came.body} />}
    {result && result.answer !== null && (
      <Part
        title={result.answer.length >= 2_000 ? "Current response, beginning" : "Current response"}
        value={writtenJson(result.answer) ?? result.answer}
      />
    )}
  </Stack>
);
