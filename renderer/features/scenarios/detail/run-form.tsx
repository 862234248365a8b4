import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { policyChoices, policyNames, policyQuestions } from "../../../../sandbox/contract/control/policies.ts";
import type { RunMode } from "../../../../sandbox/contract/control/scenario-operations.ts";
import { useWorld } from "../../../app/world.ts";
import { worldsQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { CheckField, RadioField } from "../../../components/choices.tsx";
import { Form } from "../../../components/form.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { wordsFor } from "../../../domain/world/switches.ts";
import { useStartRun } from "../mutations.ts";
import styles from "../scenarios.module.css";

/** How a scenario is run where that is not as its file says: how, in which world, with which policies. */
export const RunForm = ({
  kept: { name, reproduction },
  onDone,
}: {
  kept: { readonly name: string; readonly reproduction: boolean };
  onDone: () => void;
}) => {
  const here = useWorld();
  const start = useStartRun(name);
  const [mode, setMode] = useState<RunMode>("all");
  const [where, setWhere] = useState<"fresh" | "here">("fresh");
  const [keeps, setKeeps] = useState(false);
  const [like, setLike] = useState<string | null>(null);
  const worlds = useQuery({ ...worldsQuery(), refetchOnMount: "always" });
  const [policies, setPolicies] = useState<Readonly<Record<string, string>>>({});
  const set = (policy: string, value: string | null) => {
    const { [policy]: _, ...others } = policies;
    setPolicies(value === null ? others : { ...others, [policy]: value });
  };
  return (
    <Form
      className={styles.form}
      onSend={() =>
        start.mutate(
          {
            mode,
            ...(where === "here" ? { in_world: here } : {}),
            ...(keeps ? { worlds_after: "kept" } : {}),
            ...(like === null ? {} : { policies_of: like }),
            ...(Object.keys(policies).length > 0 ? { policies } : {}),
          },
          { onSuccess: onDone },
        )
      }
    >
      <RadioField
        label="How"
        name="mode"
        inline
        options={[
          { value: "all", label: "All at once" },
          { value: "by_hand", label: "By hand, step by step" },
        ]}
        value={mode}
        onChange={setMode}
      />
      <RadioField
        label="Where"
        name="where"
        options={[
          { value: "fresh", label: "In a fresh world", hint: "deleted at the end, unless a step differs" },
          {
            value: "here",
            label: `In ${here}`,
            hint: reproduction
              ? `${here} becomes the world of the file: what is in it now is kept as a checkpoint, which Worlds goes back to`
              : "what the steps change stays in it",
          },
        ]}
        value={where}
        onChange={setWhere}
      />
      {where === "fresh" && <CheckField label="Keep its world in any case" checked={keeps} onChange={setKeeps} />}
      <fieldset className="fieldset">
        <legend className="field-label">Policies, whatever the file says</legend>
        <SelectField
          label="All as a world has them"
          placeholder="no world’s"
          clearable
          options={(worlds.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          value={like}
          onChange={setLike}
        />
        <div className={styles.policies}>
          {policyNames.map((policy) => (
            <SelectField
              key={policy}
              label={`${policyQuestions[policy].question} (assumption ${policyQuestions[policy].decision})`}
              placeholder={like === null ? "as the file says" : `as in ${like}`}
              clearable
              options={policyChoices[policy].map((value) => ({ value, label: wordsFor(policy, value) }))}
              value={policyChoices[policy].find((value) => value === policies[policy]) ?? null}
              onChange={(value) => set(policy, value)}
            />
          ))}
        </div>
      </fieldset>
      <div className="row">
        <Button type="submit" look="primary" icon={IconPlayerPlay} busy={start.isPending}>
          Run
        </Button>
      </div>
    </Form>
  );
};
