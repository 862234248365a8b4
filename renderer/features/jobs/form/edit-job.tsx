import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/fields.tsx";
import { useDraft } from "../../../lib/draft.ts";
import { editHref } from "../address.ts";
import { draftOf } from "../fields.tsx";
import { ChangeSide } from "./change-side.tsx";
import { changeBody } from "./job-body.ts";
import { type EditDraft, editDraft, editIn, isTyped, noEdit } from "./job-draft.ts";
import { JobForm } from "./job-form.tsx";
import { JobInputs, Named } from "./job-inputs.tsx";

interface EditProps {
  readonly row: JobRow;
  readonly job: Job;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

/** A change of a job that exists, through `repairer.jobs.insert`. What others change meanwhile is in the fields nobody typed in. */
const EditJobForm = ({ row, job, credential, onClose }: EditProps) => {
  const world = useWorld();
  const kept = useDraft<EditDraft>(editDraft(world, job.id), {
    initial: () => noEdit,
    read: editIn,
    isWorth: ({ edits, ifExists }) => isTyped(edits) || ifExists !== "update",
  });
  const { draft, change } = kept;
  const body = changeBody(job, draft);
  const word = draft.ifExists === "replace" ? "Replace" : "Update";
  return (
    <JobForm
      title="Edit job"
      button={`${word} job`}
      credential={credential}
      body={body}
      own={job.id}
      kept={kept}
      link={{ href: editHref(job.id), label: "Open form", world }}
      onSent={({ job_number }, isLeft) => {
        notify.done({
          title: `${job_number ?? "Job"} ${word.toLowerCase()}d`,
          detail: "1 event: repairer.jobs.",
          from: { href: hrefs.job(job.id), world },
        });
        if (!isLeft) onClose();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <JobInputs
            draft={{ ...draftOf(job), ...draft.edits }}
            onChange={(edits) => change((now) => ({ ...now, edits: { ...now.edits, ...edits } }))}
            credential={credential}
            errorAt={errorAt}
            begins
            identity={
              <TextField
                mono
                disabled
                label={<Named field="identity, id">Job</Named>}
                value={job.id}
                onChange={() => {}}
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
            ifExists={draft.ifExists}
            body={body}
            credential={credential}
            onIfExists={(ifExists) => change((now) => ({ ...now, ifExists }))}
          />
        </>
      )}
    </JobForm>
  );
};

export const EditJobDialog = ({ opened, ...rest }: EditProps & { opened: boolean }) => (
  <Dialog
    opened={opened}
    onClose={rest.onClose}
    title={`Edit ${rest.row.job_number ?? "job"}`}
    size={1140}
    yOffset="4vh"
    isInAddress
  >
    <EditJobForm {...rest} />
  </Dialog>
);
