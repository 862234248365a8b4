import { useId, useState } from "react";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { useControl } from "../../../app/use-control.ts";
import { Button } from "../../../components/button.tsx";
import { CheckField, RadioField } from "../../../components/choices.tsx";
import { Form } from "../../../components/form.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Note } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { announce } from "../../../lib/announce.ts";
import { RefusedBox } from "../parts.tsx";
import shared from "../webhooks.module.css";
import {
  type BehaviourForm,
  behaviourOf,
  behaviourSentence,
  formOf,
  presetNames,
  presetOf,
  presets,
  problemsOf,
  progressWords,
} from "./behaviour.ts";

const presetOptions = [
  ...presetNames.map((value) => ({ value, label: presets[value].name })),
  { value: "own" as const, label: "Something else" },
];

/** What a receiver is told to do: one of the usual ways to behave, or each part by itself. */
export const BehaviourFields = ({
  form,
  onChange,
}: {
  form: BehaviourForm;
  onChange: (form: BehaviourForm) => void;
}) => {
  const group = useId();
  const problems = problemsOf(form);
  const behaviour = behaviourOf(form);
  const change = (part: Partial<BehaviourForm>) => onChange({ ...form, ...part });
  return (
    <>
      <SelectField
        label="Behaves like"
        value={(behaviour && presetOf(behaviour)) ?? "own"}
        options={presetOptions}
        onChange={(name) => name && name !== "own" && onChange(formOf(presets[name].behaviour))}
      />
      <RadioField
        label="Answer"
        name={`${group}-answer`}
        value={form.answer}
        onChange={(answer) => change({ answer })}
        options={[
          { value: "accept", label: "Accept", hint: "what the checks below let pass" },
          {
            value: "status",
            label: "Answer a status",
            hint: "without reading the notification, like a server that is down",
          },
          {
            value: "time_out",
            label: "Time out",
            hint: "accept it and send no response; the sender gives up after 10 seconds",
          },
        ]}
      />
      {form.answer !== "accept" && (
        <div className={shared.held}>
          {form.answer === "status" && (
            <NumberField
              label="status"
              value={form.status}
              onChange={(status) => change({ status })}
              error={problems.status}
            />
          )}
          <RadioField
            label="To how many"
            name={`${group}-many`}
            inline
            value={form.always ? "all" : "first"}
            onChange={(many) => change({ always: many === "all" })}
            options={[
              { value: "first", label: "the first few" },
              { value: "all", label: "all" },
            ]}
          />
          {!form.always && (
            <NumberField
              label="first"
              value={form.first}
              onChange={(first) => change({ first })}
              error={problems.first}
            />
          )}
        </div>
      )}
      <CheckField
        label="Verify signatures"
        hint="reject notifications that fail one of the four steps"
        checked={form.verify}
        onChange={(verify) => change({ verify })}
      />
      <CheckField
        label="Deduplicate"
        hint="acknowledge known message_ids without processing them again"
        checked={form.deduplicate}
        onChange={(deduplicate) => change({ deduplicate })}
      />
    </>
  );
};

export const BehaviourPane = ({ receiver }: { receiver: Receiver }) => {
  const [edited, setEdited] = useState<BehaviourForm | null>(null);
  const set = useControl("receivers.set", { changes: ["receiver"] });
  const form = edited ?? formOf(receiver.behaviour);
  const behaviour = behaviourOf(form);
  const progress = progressWords(receiver);
  const submit = () => {
    if (behaviour === null || set.isPending) return;
    const onSuccess = (changed: Receiver) => {
      setEdited(null);
      announce(behaviourSentence(changed.behaviour));
    };
    set.mutate({ id: receiver.id, behaviour }, { onSuccess });
  };
  return (
    <section className={`stack grow scroll ${shared.behaviour}`} aria-labelledby="webhooks-behaviour">
      <h3 className="h2" id="webhooks-behaviour">
        What it does <Origin of="extension" />
      </h3>
      <p>
        {behaviourSentence(receiver.behaviour)} {progress !== null && <span className="t3">{progress}.</span>}
      </p>
      <Form onSend={submit}>
        <BehaviourFields form={form} onChange={setEdited} />
        <RefusedBox error={set.error} />
        <div className="row">
          <Button look="primary" type="submit" busy={set.isPending} disabled={edited === null || behaviour === null}>
            Change what it does
          </Button>
          {edited !== null && (
            <Button look="quiet" onClick={() => setEdited(null)}>
              Discard changes
            </Button>
          )}
        </div>
        <Note>
          The count restarts with each change; received notifications are kept. The retry schedule is a setting of this
          world. <Origin of="assumption" id="D72" switchable />
        </Note>
      </Form>
    </section>
  );
};
