import { Modal } from "@mantine/core";
import { useRef, useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { jobsInsert } from "../../../../sandbox/contract/operations/partner.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { Button } from "../../../components/button.tsx";
import { CheckField } from "../../../components/choices.tsx";
import { DiffView } from "../../../components/diff-view.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { plural } from "../../../lib/formatting.ts";
import { useInsertJob } from "../mutations.ts";
import { IfExistsField } from "./if-exists.tsx";
import { changeBody, draftOf, type IfExists, predictedJob } from "./job-form.ts";
import { JobInputs } from "./job-inputs.tsx";
import { RefusedForm, readRefusal, useFocusOnRefused } from "./refused-form.tsx";

interface EditProps {
  readonly row: JobRow;
  readonly job: Job;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

const EditJobForm = ({ row, job, credential, onClose }: EditProps) => {
  // What the form began with: what others change meanwhile must not change under the person's hands.
  const [began] = useState(job);
  const [draft, setDraft] = useState(() => draftOf(job));
  const [ifExists, setIfExists] = useState<IfExists>("update");
  const [withImages, setWithImages] = useState(true);
  const insert = useInsertJob(credential);
  const body = changeBody(began, draft, ifExists, withImages);
  const { refused, errorAt } = readRefusal(insert.error);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnRefused(form, insert.error);
  const send = () => {
    if (insert.isPending) return;
    insert.mutate(body, {
      onSuccess: (changed) => {
        notify.done({
          title: `${changed.job_number ?? "Job"} ${ifExists === "replace" ? "replaced" : "updated"}`,
          detail: "1 event, repairer.jobs.",
        });
        onClose();
      },
    });
  };
  useKeys("Edit job", [{ keys: ["mod+enter"], label: "Send the change", run: send }]);
  const moved = JSON.stringify(began) !== JSON.stringify(job);
  return (
    <form
      ref={form}
      className="jobs-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div>
        <JobInputs
          draft={draft}
          onChange={setDraft}
          credential={credential}
          errorAt={errorAt}
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
      </div>
      <aside className="jobs-form-side" aria-label="What will happen">
        <IfExistsField value={ifExists} onChange={setIfExists} />
        {ifExists === "replace" && job.images.length > 0 && (
          <CheckField
            label={`Send the ${plural(job.images.length, "picture")} along`}
            hint="Left out, a replace takes them away"
            checked={withImages}
            onChange={setWithImages}
          />
        )}
        <span className="lbl">What will change, by these rules {ifExists === "none" && "if the world lets it"}</span>
        <DiffView before={began} after={predictedJob(began, body)} />
        <span className="lbl">What will be sent</span>
        <RequestPreview operation={jobsInsert} body={body} credential={credential} />
        {moved && <Note>The job was changed by someone else since you began. What you send is written over that.</Note>}
      </aside>
      <div className="jobs-form-foot">
        <RefusedForm error={insert.error} refused={refused} onLeave={onClose} jobId={job.id} />
        <div className="row jobs-dialog-foot">
          <span className="t12 t3 grow">
            A successful change emits one repairer.jobs event <Origin of="contract" />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" keys="mod+enter" busy={insert.isPending}>
            {ifExists === "replace" ? "Replace job" : "Update job"}
          </Button>
        </div>
      </div>
    </form>
  );
};

/** A change of a job through `repairer.jobs.insert`. */
export const EditJobDialog = ({ opened, ...rest }: EditProps & { opened: boolean }) => (
  <Modal opened={opened} onClose={rest.onClose} title={`Edit ${rest.row.job_number ?? "job"}`} size={960} yOffset="6vh">
    <EditJobForm {...rest} />
  </Modal>
);
