import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Policies } from "../../../../sandbox/contract/control/policies.ts";
import {
  type ConflictStrategy,
  changeOutcomes,
  type KeyOutcome,
  strategyFor,
} from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { policiesQuery } from "../../../app/world-queries.ts";
import { CheckField, RadioField } from "../../../components/choices.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { type Names, useDirectory } from "../../../domain/directory/directory.ts";
import { type OptionalKey, valueWords } from "../../../domain/job/fields.tsx";
import styles from "./form.module.css";
import { keysSent, outcomeWords } from "./job-body.ts";
import { type EditDraft, type IfExists, optionalKeys } from "./job-draft.ts";
import { Named } from "./job-inputs.tsx";

/** `if_`: what is to happen since the job exists, each choice with its meaning. */
const IfExistsField = ({
  value,
  policy,
  onChange,
}: {
  value: IfExists;
  /** What this world does when `if_` is left out. */
  policy: Policies["jobs_insert_conflict"];
  onChange: (value: IfExists) => void;
}) => (
  <RadioField
    label={<Named field="if_, exists">If the job exists</Named>}
    name="if-exists"
    value={value}
    onChange={onChange}
    options={[
      {
        value: "update",
        label: "update",
        hint: (
          <>
            Writes the keys you send. null clears a key; omitted keys keep their value{" "}
            <Origin of="assumption" id="D32" />
          </>
        ),
      },
      {
        value: "replace",
        label: "replace",
        hint: (
          <>
            Omitted keys become null or empty. id, external_id and parts are kept <Origin of="assumption" id="D33" />
          </>
        ),
      },
      {
        value: "none",
        label: "omit if_",
        hint: (
          <>
            {policy === "update" ? "Updates the job in this world" : "Refused in this world, because the job exists"}:
            the setting <span className="m11">jobs_insert_conflict</span> is <span className="m11">{policy}</span>{" "}
            <Origin of="assumption" id="D30" switchable />
          </>
        ),
      },
    ]}
  />
);

interface OutcomeTableProps {
  readonly job: Job;
  readonly body: JobInsert;
  /** What will happen to the body as it is sent; `reject` when nothing will. */
  readonly strategy: ConflictStrategy | "reject";
  readonly sent: ReadonlySet<OptionalKey>;
  readonly onSend: (key: OptionalKey, sent: boolean) => void;
  readonly names: Names;
}

const isOptional = (key: string): key is OptionalKey => optionalKeys.some((one) => one === key);

const Outcome = ({ outcome, names, chosen }: { outcome: KeyOutcome; names: Names; chosen: boolean }) => {
  const { word, changes, loses, why } = outcomeWords(outcome);
  const value = valueWords(outcome.after, names);
  return (
    <td
      className={`${chosen ? styles.chosen : ""} ${loses ? styles.loses : changes ? styles.changes : ""}`}
      title={`${why}: ${value}`}
    >
      <span className="el">{value}</span>
      <small className="el">
        {loses && <Icon of={IconAlertTriangle} size={12} />}
        {word}
      </small>
    </td>
  );
};

const strategies = ["update", "replace"] as const;

/** Key by key, what this body does to this job as an update and as a replace; and which keys are in it. */
const OutcomeTable = ({ job, body, strategy, sent, onSend, names }: OutcomeTableProps) => {
  const [update, replace] = strategies.map((name) => changeOutcomes(job, body, name));
  return (
    <div className={`${styles.outcomes} scroll`}>
      <table>
        <caption className="sr">Effect of this body on the job, with update and with replace</caption>
        <thead>
          <tr>
            <th scope="col">Key (tick to send)</th>
            <th scope="col">Current</th>
            {strategies.map((name) => (
              <th key={name} scope="col" className={strategy === name ? styles.chosen : undefined}>
                {name}
                {strategy === name && <span className="sr">, chosen</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {update?.map((kept, index) => {
            const { key } = kept;
            const replaced = replace?.[index];
            return (
              <tr key={key}>
                <th scope="row">
                  <CheckField
                    label={<span className="m11">{key}</span>}
                    checked={!isOptional(key) || sent.has(key)}
                    disabled={!isOptional(key)}
                    onChange={(checked) => isOptional(key) && onSend(key, checked)}
                  />
                </th>
                <td title={valueWords(kept.before, names)}>
                  <span className="el">{valueWords(kept.before, names)}</span>
                </td>
                <Outcome outcome={kept} names={names} chosen={strategy === "update"} />
                {replaced && <Outcome outcome={replaced} names={names} chosen={strategy === "replace"} />}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

const views = [
  { value: "outcome", label: "Effect" },
  { value: "request", label: "Request" },
] as const;

/** What the chosen way does, in a sentence. */
const Said = ({ strategy }: { strategy: ConflictStrategy | "reject" }) => {
  if (strategy === "reject")
    return (
      <Note>
        This call will be refused with 422, because the job exists. <Origin of="assumption" id="D30" switchable /> The
        columns show the effect of update and replace.
      </Note>
    );
  return (
    <Note>
      <span className="m11">id</span>, <span className="m11">external_id</span> and the parts never change.{" "}
      <Origin of="assumption" id="D33" /> Tick a key to send it. Untick it to omit it.
    </Note>
  );
};

/** Beside the fields of a change: `if_`, what the body does key by key, and the request. */
export const ChangeSide = ({
  job,
  draft,
  body,
  credential,
  onChange,
}: {
  /** As it stands now; what the form began with may be older. */
  job: Job;
  draft: EditDraft;
  body: JobInsert;
  credential: KeyedCredential;
  onChange: (change: Partial<EditDraft>) => void;
}) => {
  const [view, setView] = useState<"outcome" | "request">("outcome");
  const policy = useQuery(policiesQuery(useWorld())).data?.jobs_insert_conflict ?? "reject";
  const { names } = useDirectory();
  const strategy = strategyFor(body, policy);
  const send = (key: OptionalKey, sent: boolean) => onChange({ keys: { ...draft.keys, [key]: sent } });
  return (
    <aside className={`stack ${styles.formSide}`} aria-label="Effect of the change">
      <IfExistsField
        value={draft.ifExists}
        policy={policy}
        // What is sent by itself differs from one to the other: the person's own choices were made for the one before.
        onChange={(ifExists) => onChange({ ifExists, keys: {} })}
      />
      <Segmented label="Show" options={views} value={view} onChange={setView} />
      {view === "request" ? (
        <RequestPreview operation="repairer.jobs.insert" body={body} credential={credential} />
      ) : (
        <>
          <OutcomeTable job={job} body={body} strategy={strategy} sent={keysSent(draft)} onSend={send} names={names} />
          <Said strategy={strategy} />
        </>
      )}
    </aside>
  );
};
