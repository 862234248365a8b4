import { IconAlertTriangle } from "@tabler/icons-react";
import { type ConflictStrategy, changeOutcomes, type KeyOutcome } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { type OptionalKey, optionalKeys } from "./job-draft.ts";
import { type Names, outcomeWords, valueWords } from "./value-words.ts";

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
      className={`${chosen ? "chosen " : ""}${loses ? "loses" : changes ? "changes" : ""}`}
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

const strategies = [
  { name: "update", id: "D32" },
  { name: "replace", id: "D33" },
] as const;

/** Key by key, what this body does to this job as an update and as a replace; and which keys are in it. */
export const OutcomeTable = ({ job, body, strategy, sent, onSend, names }: OutcomeTableProps) => {
  const [update, replace] = strategies.map(({ name }) => changeOutcomes(job, body, name));
  return (
    <div className="jobs-outcomes scroll">
      <table>
        <caption className="sr">What this body does to this job, as an update and as a replace</caption>
        <thead>
          <tr>
            <th scope="col">Key, when sent</th>
            <th scope="col">Now</th>
            {strategies.map(({ name, id }) => (
              <th key={name} scope="col" className={strategy === name ? "chosen" : undefined}>
                {name} <Origin of="assumption" id={id} tight />
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
                  <label className="choice">
                    <input
                      type="checkbox"
                      className="ck-in"
                      checked={!isOptional(key) || sent.has(key)}
                      disabled={!isOptional(key)}
                      onChange={(event) => isOptional(key) && onSend(key, event.currentTarget.checked)}
                    />
                    <span className="m11">{key}</span>
                  </label>
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
