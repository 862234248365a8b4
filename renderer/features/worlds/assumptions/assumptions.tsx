import { queryOptions, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import {
  type Policies,
  type PolicyName,
  policyChoices,
  policyNames,
  policyQuestions,
} from "../../../../sandbox/contract/control/policies.ts";
import type { PolicyExample } from "../../../../sandbox/contract/control/policy-examples.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { switchesQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { RadioField } from "../../../components/choices.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { useShown } from "../../../components/use-shown.ts";
import { useSetPolicies, wordsFor } from "../../../domain/world/switches.ts";
import { formatMs, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import styles from "./assumptions.module.css";

interface Effect {
  /** What is tried with the example, to be read behind its label. */
  readonly shows: string;
  /** What a world without an example lacks. */
  readonly needs: string;
  /** What the switch changes in other places. */
  readonly elsewhere: string;
}

/** How each switch is shown in a world, and how far it reaches. */
const policyEffects: { readonly [N in PolicyName]: Effect } = {
  jobs_insert_conflict: {
    shows: "inserted again, without if_",
    needs: "Insert a job to see it here.",
    elsewhere: "An update makes an event, so subscribers of jobs are told.",
  },
  jobs_insert_unknown_id: {
    shows: "inserted with an id that nobody gave out",
    needs: "Insert a job to see it here.",
    elsewhere: "A job made so is in Jobs like any other, and subscribers are told.",
  },
  part_ordered_on: {
    shows: "waits for its supplier and counts as",
    needs: "Place an order, without confirming it, to see it here.",
    elsewhere: "It decides what a job’s parts say in Jobs. Parts that are there change with their next order.",
  },
  confirm_when_confirmed: {
    shows: "confirmed again",
    needs: "Confirm an order to see it here.",
    elsewhere: "Neither answer makes an event or changes the order.",
  },
  confirm_when_cancelled: {
    shows: "confirmed although it is cancelled",
    needs: "Cancel an order to see it here.",
    elsewhere: "Neither answer makes an event or changes the order.",
  },
  webhook_retries: {
    shows: "was not acknowledged; it is sent again",
    needs: "Let a receiver refuse a notification to see it here.",
    elsewhere: "In Webhooks it decides how long a delivery stays pending before it has failed.",
  },
};

const usual = Object.fromEntries(policyNames.map((name) => [name, policyChoices[name][0]])) as Policies;

/** What the switches decide in this world now; nothing in it is changed to find out. */
const examplesQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).policies("examples"),
    queryFn: async ({ signal }) => (await callControl("policies.examples", { world }, { signal })).items,
    // Whatever happens in the world may make another one.
    staleTime: 0,
  });

type Answer = PolicyExample["answers"][number];

/** What one value of a switch comes to. */
const Came = ({ answer }: { answer: Answer }) => {
  if ("wait_ms" in answer) return answer.wait_ms === null ? "never again" : `in ${formatMs(answer.wait_ms)}`;
  if ("part_status" in answer) return answer.part_status;
  return (
    <>
      <HttpStatus status={answer.status} />{" "}
      {answer.code ?? (answer.events === 0 ? "makes no event" : `makes ${plural(answer.events, "event")}`)}
    </>
  );
};

/** Both answers on something that is in this world, or what it lacks. */
const Example = ({ name, value, example }: { name: PolicyName; value: string; example: PolicyExample | null }) => {
  const { shows, needs } = policyEffects[name];
  if (example === null) return <p className="t12 t3">{needs}</p>;
  const { label, job_id, procurement_id, answers } = example;
  const [first] = answers;
  const href = procurement_id === null ? hrefs.job(job_id) : hrefs.procurement(procurement_id);
  return (
    <div className={styles.example}>
      <p className="t12 t2">
        <TextLink href={href}>{label}</TextLink>
        {first && "part" in first && `, ${first.part}`} {shows}
      </p>
      <dl>
        {answers.map((answer) => (
          <div key={answer.choice} data-now={answer.choice === value ? true : undefined}>
            <dt>{answer.choice === value ? "now" : "would be"}</dt>
            <dd>
              <Came answer={answer} /> <span className="t12 t3">{wordsFor(name, answer.choice)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

interface AssumptionProps {
  readonly name: PolicyName;
  /** Undefined while it is read. */
  readonly example: PolicyExample | null | undefined;
  readonly value: string;
  readonly changedAt: string | null;
  /** Whether it is the one that was asked for. */
  readonly isShown: boolean;
  readonly onSet: (policies: Partial<Policies>) => void;
}

/** One assumption: what the contract says of it and what not, with both answers. */
const Assumption = ({ name, example, value, changedAt, isShown, onSet }: AssumptionProps) => {
  const heading = useId();
  const head = useShown(isShown);
  const { question, decision, says, silent } = policyQuestions[name];
  return (
    <section className={styles.one} aria-labelledby={heading} data-changed={value === usual[name] ? undefined : true}>
      <div>
        <h3 id={heading} ref={head} tabIndex={-1}>
          {question}
        </h3>
        <p className={`row wrap ${styles.name}`}>
          <span className="m11 t3">{name}</span>
          <Origin of="assumption" id={decision} switchable />
          {changedAt !== null && (
            <span className={value === usual[name] ? "t12 t3" : "st wait"}>
              changed <Time at={changedAt} on="real" />
            </span>
          )}
        </p>
        <p className="t12 t2">
          {says} {silent} {policyEffects[name].elsewhere}
        </p>
        {example !== undefined && <Example name={name} value={value} example={example} />}
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

/**
 * What the sandbox assumes where the contract is silent, as far as this window's world may decide otherwise.
 *
 * @param props.shown the one that was asked for, by its switch or by its decision
 */
export const Assumptions = ({ shown }: { shown: string | undefined }) => {
  const world = useWorld();
  const query = useQuery(switchesQuery(world));
  const examples = useQuery(examplesQuery(world));
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
                example={examples.data && (examples.data.find(({ policy }) => policy === name) ?? null)}
                value={policies[name]}
                changedAt={changed_at[name]}
                // Not before the examples are there, which make room below it.
                isShown={!examples.isPending && (shown === name || shown === policyQuestions[name].decision)}
                onSet={(policy) => set.mutate(policy)}
              />
            ))}
          </Section>
        );
      }}
    </Read>
  );
};
