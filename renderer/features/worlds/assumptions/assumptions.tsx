import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import {
  type Policies,
  type PolicyName,
  policyChoices,
  policyNames,
  policyQuestions,
} from "../../../../sandbox/contract/control/policies.ts";
import { useWorld } from "../../../app/world.ts";
import { switchesQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { RadioField } from "../../../components/choices.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { useSetPolicies, wordsFor } from "../../../domain/world/switches.ts";
import styles from "./assumptions.module.css";

const usual = Object.fromEntries(policyNames.map((name) => [name, policyChoices[name][0]])) as Policies;

interface AssumptionProps {
  readonly name: PolicyName;
  readonly value: string;
  readonly changedAt: string | null;
  readonly onSet: (policies: Partial<Policies>) => void;
}

/** One assumption: what the contract says of it and what not, with both answers. */
const Assumption = ({ name, value, changedAt, onSet }: AssumptionProps) => {
  const heading = useId();
  const { question, decision, says, silent } = policyQuestions[name];
  return (
    <section className={styles.one} aria-labelledby={heading} data-changed={value === usual[name] ? undefined : true}>
      <div>
        <h3 id={heading}>{question}</h3>
        <p className={styles.name}>
          <span className="m11 t3">{name}</span>
          <Origin of="assumption" id={decision} switchable />
          {changedAt !== null && (
            <span className={value === usual[name] ? "t12 t3" : "st wait"}>
              changed <Time at={changedAt} on="real" />
            </span>
          )}
        </p>
        <p className="t12 t2">
          {says} {silent}
        </p>
      </div>
      <RadioField
        label={<span className="sr">{question}</span>}
        name={name}
        options={policyChoices[name].map((choice) => ({
          value: choice,
          label: wordsFor(name, choice),
          hint: choice === usual[name] ? `${choice}, as usual` : choice,
        }))}
        value={policyChoices[name].find((choice) => choice === value) ?? null}
        onChange={(choice) => onSet({ [name]: choice })}
      />
    </section>
  );
};

/** What the sandbox assumes where the contract is silent, as far as this window's world may decide otherwise. */
export const Assumptions = () => {
  const query = useQuery(switchesQuery(useWorld()));
  const set = useSetPolicies();
  return (
    <Read of={query} what="the assumptions" rows={6}>
      {({ policies, changed_at }) => {
        const changed = policyNames.filter((name) => policies[name] !== usual[name]).length;
        return (
          <Section
            title="Assumptions"
            note="a switch holds for calls from now on"
            actions={
              <>
                {changed > 0 && (
                  <span className="st wait">
                    {changed} of {policyNames.length} changed
                  </span>
                )}
                <Button small disabled={changed === 0} busy={set.isPending} onClick={() => set.mutate(usual)}>
                  All as usual
                </Button>
              </>
            }
          >
            {policyNames.map((name) => (
              <Assumption
                key={name}
                name={name}
                value={policies[name]}
                changedAt={changed_at[name]}
                onSet={(policy) => set.mutate(policy)}
              />
            ))}
          </Section>
        );
      }}
    </Read>
  );
};
