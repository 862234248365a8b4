import { useCallback, useRef } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { TextField } from "../../../components/fields.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { useInsertJob } from "../mutations.ts";
import { PictureDrop, usePastedPictures } from "../pictures/incoming.tsx";
import { useFormUploader, useUploadList } from "../pictures/use-uploads.ts";
import { ChangeSide } from "./change-side.tsx";
import { editDraftKey } from "./draft-keys.ts";
import { FormFoot } from "./form-foot.tsx";
import { changeBody } from "./job-body.ts";
import { type EditDraft, editIn, editOf, followed, isEdited, type JobDraft } from "./job-draft.ts";
import { JobInputs } from "./job-inputs.tsx";
import { useKeptDraft } from "./kept-draft.ts";
import { Meanwhile } from "./meanwhile.tsx";
import { readRefusal, useFocusOnRefused } from "./refused-form.tsx";
import { sendKeys } from "./send-keys.ts";
import type { FormLeaving } from "./use-leaving.ts";

export interface EditProps {
  readonly row: JobRow;
  readonly job: Job;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

/** A change of a job that exists, through `repairer.jobs.insert`. */
export const EditJobForm = ({ row, job, credential, onClose, leaving }: EditProps & { leaving: FormLeaving }) => {
  const kept = useKeptDraft<EditDraft>(editDraftKey(useWorld(), job.id), {
    initial: () => editOf(job),
    read: (stored) => editIn(stored, job),
    isWorth: isEdited,
  });
  // What others change meanwhile is followed where the person has typed nothing.
  const draft = followed(kept.draft, job);
  const latest = useRef(job);
  latest.current = job;
  const change = useCallback(
    (part: (now: EditDraft) => Partial<EditDraft>) =>
      kept.change((stored) => {
        const now = followed(stored, latest.current);
        return { ...now, ...part(now) };
      }),
    [kept.change],
  );
  const setFields = (part: (now: JobDraft) => Partial<JobDraft>) =>
    change(({ fields }) => ({ fields: { ...fields, ...part(fields) } }));
  const uploader = useFormUploader(credential, (urls) => setFields(({ images }) => ({ images: [...images, ...urls] })));
  const onTheirWay = useUploadList(uploader).filter(({ state }) => state !== "failed").length;
  usePastedPictures(uploader.add, () => true);
  leaving.tell(isEdited(draft) || onTheirWay > 0);
  const insert = useInsertJob(credential);
  const body = changeBody(draft);
  const { refused, errorAt } = readRefusal(insert.error);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnRefused(form, insert.error);
  const word = draft.ifExists === "replace" ? "Replace" : "Update";
  const send = () => {
    if (insert.isPending || onTheirWay > 0) return;
    insert.mutate(body, {
      onSuccess: (changed) => {
        kept.forget();
        notify.done({
          title: `${changed.job_number ?? "Job"} ${word.toLowerCase()}d`,
          detail: "1 event, repairer.jobs.",
        });
        onClose();
      },
    });
  };
  const keys = sendKeys(send);
  useSendKey(form, "Edit job", { label: "Send the change", run: send });
  return (
    <form
      ref={form}
      {...keys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Meanwhile job={job} draft={draft} body={body} />
      <PictureDrop className="jobs-form" words="Drop to add to the body" onFiles={uploader.add}>
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
              label="identity, id"
              value={job.id}
              onChange={() => {}}
              error={errorAt("identity")}
              hint={
                row.external_id === null
                  ? "It has no external id, and gets none by a change"
                  : `Its external id ${row.external_id} stays`
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
      </PictureDrop>
      <FormFoot
        error={insert.error}
        refused={refused}
        jobId={job.id}
        leaving={leaving}
        words={`Your change of ${row.job_number ?? "this job"} was not sent.`}
        kept={kept}
        onClose={onClose}
        onTheirWay={onTheirWay}
        note="A successful change emits one repairer.jobs event"
        button={`${word} job`}
        busy={insert.isPending}
      />
    </form>
  );
};
