import { IconAlertTriangle } from "@tabler/icons-react";
import { changeOutcomes, type WrittenKey } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { Icon } from "../../../components/icon.tsx";
import { useDirectory } from "../list/use-directory.ts";
import { changedMeanwhile, type EditDraft } from "./job-draft.ts";
import { valueWords } from "./value-words.ts";

/** That somebody else changed the job since the form was opened: what, and whether it is followed or written over. */
export const Meanwhile = ({ job, draft, body }: { job: Job; draft: EditDraft; body: JobInsert }) => {
  const { names } = useDirectory();
  const changed = changedMeanwhile(draft, job);
  if (changed.length === 0) return null;
  const outcomes = changeOutcomes(job, body, body.if_?.exists ?? "update");
  const isOver = (key: WrittenKey) =>
    outcomes.some((one) => one.key === key && JSON.stringify(one.before) !== JSON.stringify(one.after));
  return (
    <div className="jobs-meanwhile row wait t12" role="status">
      <Icon of={IconAlertTriangle} size={14} />
      <span>
        <b className="w5">Changed by someone else since you began:</b>{" "}
        {changed.map((key, index) => (
          <span key={key}>
            {index > 0 && "; "}
            <span className="m11">{key}</span> is now {valueWords(job[key], names)}
            {isOver(key) ? ", and yours is written over it" : ", which the form follows"}
          </span>
        ))}
        .
      </span>
    </div>
  );
};
