import { IconAlertTriangle } from "@tabler/icons-react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { changeOutcomes, type WrittenKey } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { useDirectory } from "../../../domain/directory/directory.ts";
import { type JobDraft, valueWords } from "../../../domain/job/fields.tsx";
import { useDraft } from "../../../lib/draft.ts";
import { ChangeSide } from "./change-side.tsx";
import styles from "./form.module.css";
import { changeBody } from "./job-body.ts";
import { changedMeanwhile, type EditDraft, editDraft, editIn, editOf, followed, isEdited } from "./job-draft.ts";
import { JobForm } from "./job-form.tsx";
import { JobInputs, Named } from "./job-inputs.tsx";

/** That somebody else changed the job since the form was opened: what, and whether it is followed or written over. */
const Meanwhile = ({ job, draft, body }: { job: Job; draft: EditDraft; body: JobInsert }) => {
  const { names } = useDirectory();
  const changed = changedMeanwhile(draft, job);
  if (changed.length === 0) return null;
  const outcomes = changeOutcomes(job, body, body.if_?.exists ?? "update");
  const isOver = (key: WrittenKey) =>
    outcomes.some((one) => one.key === key && JSON.stringify(one.before) !== JSON.stringify(one.after));
  return (
    <div className={`${styles.meanwhile} row wait t12`} role="status">
      <Icon of={IconAlertTriangle} size={14} />
      <span>
        <b className="w5">Changed since you opened this form:</b>{" "}
        {changed.map((key, index) => (
          <span key={key}>
            {index > 0 && "; "}
            <span className="m11">{key}</span> is now {valueWords(job[key], names)}
            {isOver(key) ? " (your value will overwrite it)" : " (the form is updated)"}
          </span>
        ))}
        .
      </span>
    </div>
  );
};

interface EditProps {
  readonly row: JobRow;
  readonly job: Job;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

/** A change of a job that exists, through `repairer.jobs.insert`. */
const EditJobForm = ({ row, job, credential, onClose }: EditProps) => {
  const kept = useDraft<EditDraft>(editDraft(useWorld(), job.id), {
    initial: () => editOf(job),
    read: (stored) => editIn(stored, job),
    isWorth: isEdited,
  });
  // What others change meanwhile is followed where the person has typed nothing.
  const draft = followed(kept.draft, job);
  const change = (part: (now: EditDraft) => Partial<EditDraft>) =>
    kept.change((stored) => {
      const now = followed(stored, job);
      return { ...now, ...part(now) };
    });
  const setFields = (part: (now: JobDraft) => Partial<JobDraft>) =>
    change(({ fields }) => ({ fields: { ...fields, ...part(fields) } }));
  const body = changeBody(draft);
  const word = draft.ifExists === "replace" ? "Replace" : "Update";
  return (
    <>
      <Meanwhile job={job} draft={draft} body={body} />
      <JobForm
        keys={["Edit job", "Save changes"]}
        credential={credential}
        body={body}
        kept={kept}
        drop="Drop to add to this job"
        note="Creates 1 repairer.jobs event"
        button={`${word} job`}
        jobId={job.id}
        onPictures={(urls) => setFields(({ images }) => ({ images: [...images, ...urls] }))}
        onSent={({ job_number }, isLeft) => {
          notify.done({ title: `${job_number ?? "Job"} ${word.toLowerCase()}d`, detail: "1 event: repairer.jobs." });
          if (!isLeft) onClose();
        }}
        onClose={onClose}
      >
        {({ uploader, errorAt }) => (
          <>
            <JobInputs
              draft={draft.fields}
              onChange={(fields) => setFields(() => fields)}
              credential={credential}
              uploader={uploader}
              errorAt={errorAt}
              begins
              identity={
                <TextField
                  mono
                  disabled
                  label={<Named field="identity, id">Job</Named>}
                  value={job.id}
                  onChange={() => {}}
                  error={errorAt("external")}
                  hint={
                    row.external_id === null
                      ? "No external ID. You can only set one when you create a job."
                      : `External ID ${row.external_id} (can’t be changed)`
                  }
                />
              }
            />
            <ChangeSide
              job={job}
              draft={draft}
              body={body}
              credential={credential}
              onChange={(part) => change(() => part)}
            />
          </>
        )}
      </JobForm>
    </>
  );
};

export const EditJobDialog = ({ opened, ...rest }: EditProps & { opened: boolean }) => (
  <Dialog
    opened={opened}
    onClose={rest.onClose}
    title={`Edit ${rest.row.job_number ?? "job"}`}
    size={1140}
    yOffset="4vh"
  >
    <EditJobForm {...rest} />
  </Dialog>
);
