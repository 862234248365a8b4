import { Checkbox, Group, Radio, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { useControl } from "../../../kernel/queries/use-act.ts";
import { announce } from "../../../lib/announce.ts";
import { RefusedBox } from "../parts.tsx";
import { type BehaviourForm, behaviourProblems, behaviourSentence, progressText, toBehaviour } from "./behaviour.ts";

/** Form fields of a built-in receiver's behaviour. */
export const BehaviourFields = ({
  form,
  onChange: change,
}: {
  form: BehaviourForm;
  onChange: (part: Partial<BehaviourForm>) => void;
}) => {
  const group = useId();
  const problems = behaviourProblems(form);
  return (
    <>
      <Radio.Group label="Response" name={group} value={form.answer} onChange={(answer) => change({ answer })}>
        <Stack>
          <Radio value="accept" label="Accept" description="returns 200" />
          <Radio value="status" label="Fail" description="returns an error, like a server that is down" />
          <Radio
            value="time_out"
            label="Time out"
            description="sends no response; the sender gives up after 10 seconds"
          />
        </Stack>
      </Radio.Group>
      {form.answer === "status" && (
        <NumberField
          label="Status"
          value={form.status}
          onChange={(status) => change({ status })}
          error={problems.status}
        />
      )}
      {form.answer !== "accept" && (
        <NumberField
          label="Only the first"
          value={form.first}
          onChange={(first) => change({ first })}
          error={problems.first}
          hint="Notifications before it accepts. Leave empty for all."
        />
      )}
      <Checkbox
        label="Reject bad signatures"
        description="and notifications that fail another verification step"
        checked={form.verify}
        onChange={(event) => change({ verify: event.currentTarget.checked })}
      />
    </>
  );
};

export const BehaviourPane = ({ receiver }: { receiver: Receiver }) => {
  /** Edited fields; the others follow other callers' changes. */
  const [edited, setEdited] = useState<Partial<BehaviourForm> | null>(null);
  const set = useControl("receivers.set", { changes: ["receiver"] });
  const form = { ...receiver.behaviour, ...edited };
  const behaviour = toBehaviour(form);
  const progress = progressText(receiver);
  const submit = () => {
    if (behaviour === null || set.isPending) return;
    const onSuccess = (changed: Receiver) => {
      setEdited(null);
      announce(behaviourSentence(changed.behaviour));
    };
    set.mutate({ id: receiver.id, behaviour }, { onSuccess });
  };
  return (
    <Stack component="section" className="hb" px="lg" py={14} aria-label="Behaviour">
      <h3 className="h2">
        Built-in receiver <Origin of="extension" />
      </h3>
      <Text component="p" size="sm">
        {behaviourSentence(receiver.behaviour)} {progress !== null && <Text c="dimmed">{progress}.</Text>}
      </Text>
      <Form onSend={submit}>
        <BehaviourFields form={form} onChange={(part) => setEdited({ ...edited, ...part })} />
        <RefusedBox error={set.error} />
        <Group>
          <Submit busy={set.isPending} disabled={edited === null || behaviour === null}>
            Change behaviour
          </Submit>
          {edited !== null && (
            <Button look="quiet" onClick={() => setEdited(null)}>
              Discard changes
            </Button>
          )}
        </Group>
      </Form>
    </Stack>
  );
};
