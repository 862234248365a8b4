import { useId } from "react";
import { CheckField, RadioField } from "../../../components/choices.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { type BehaviourForm, behaviourOf, formOf, presetNames, presetOf, presets, problemsOf } from "./behaviour.ts";

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
            hint: "without a look at the notification, as a server that is down",
          },
          {
            value: "time_out",
            label: "Time out",
            hint: "take it and answer nothing; the sender gives up after 10 seconds",
          },
        ]}
      />
      {form.answer !== "accept" && (
        <div className="webhooks-held">
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
        hint="refuse what fails one of the four steps"
        checked={form.verify}
        onChange={(verify) => change({ verify })}
      />
      <CheckField
        label="Deduplicate"
        hint="acknowledge a message_id that was accepted before, and do nothing else"
        checked={form.deduplicate}
        onChange={(deduplicate) => change({ deduplicate })}
      />
    </>
  );
};
