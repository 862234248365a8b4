import { IconKeyOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type KeyedCredential, useActAs } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { policiesQuery } from "../../../app/world-queries.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { emptyDraft, type JobDraft } from "../../../domain/job/fields.tsx";
import { useDraft, writeDraft } from "../../../lib/draft.ts";
import { addPartsHref, editHref } from "../address.ts";
import { jobQuery, useSitesOf } from "../queries.ts";
import styles from "./form.module.css";
import { insertBody } from "./job-body.ts";
import { editDraft, editFrom, fieldsIn, isFilled, newDraft } from "./job-draft.ts";
import { JobForm } from "./job-form.tsx";
import { JobInputs, Named } from "./job-inputs.tsx";

/** An identifier nobody has used: a new job needs one of the integration's own. */
const freshExternal = (): string =>
  `explorer:${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

const begin = (): JobDraft => ({ ...emptyDraft, external: freshExternal() });
const read = (stored: unknown): JobDraft => fieldsIn(stored, begin());

/** What the contract leaves open about an identity that is taken. */
const Conflict = () => {
  const policy = useQuery(policiesQuery(useWorld())).data?.jobs_insert_conflict ?? "reject";
  return (
    <Note>
      <span className="m11">if_</span> is omitted. If the identity already exists, this world{" "}
      {policy === "reject" ? "refuses the call with 422" : "updates that job"}: the setting{" "}
      <span className="m11">jobs_insert_conflict</span> is <span className="m11">{policy}</span>{" "}
      <Origin of="assumption" id="D30" switchable />
    </Note>
  );
};

interface FormProps {
  readonly candidates: readonly KeyedCredential[];
  readonly initial: KeyedCredential;
  readonly onClose: () => void;
}

/** A new job, as one of the repairers whose key the sandbox holds. */
const NewJobForm = ({ candidates, initial, onClose }: FormProps) => {
  const [, navigate] = useLocation();
  const world = useWorld();
  const client = useQueryClient();
  const [organizationId, setOrganizationId] = useState(initial.organization_id);
  const kept = useDraft<JobDraft>(newDraft(world), { initial: begin, read, isWorth: isFilled });
  const { draft } = kept;
  const set = (change: Partial<JobDraft>) => kept.change((now) => ({ ...now, ...change }));
  const credential =
    candidates.find(
      (one) =>
        one.organization_id === organizationId &&
        (organizationId !== initial.organization_id || one.integration_id === initial.integration_id),
    ) ?? initial;
  const { sites } = useSitesOf(credential);
  // Until a site is chosen it is the first: most groups have one.
  const filled = { ...draft, siteId: draft.siteId || (sites[0]?.id ?? "") };
  const body = insertBody(filled);
  const organizations = new Map(candidates.map((one) => [one.organization_id, one.organization_name]));
  /** The identity is taken: what was typed becomes a change of the job that has it. */
  const update = async (id: string) => {
    const job = await client.fetchQuery({ ...jobQuery(world, id, credential), staleTime: 0 });
    writeDraft(editDraft(world, id), editFrom(draft, job));
    kept.forget();
    navigate(editHref(id));
  };
  return (
    <JobForm
      keys={["New job", "Insert job"]}
      credential={credential}
      body={body}
      kept={kept}
      drop="Drop to add to the new job"
      note="Creates 1 repairer.jobs event"
      button="Insert job"
      onUpdate={update}
      onPictures={(urls) => kept.change((now) => ({ ...now, images: [...now.images, ...urls] }))}
      onSent={({ id, job_number }, isLeft) => {
        notify.done({
          title: `${job_number ?? "Job"} inserted`,
          detail: "1 event: repairer.jobs. Next, add parts.",
          link: isLeft ? { href: addPartsHref(id), label: "Add parts", world } : undefined,
        });
        // This leaves the form behind: it is open at the address only.
        if (!isLeft) navigate(addPartsHref(id));
      }}
      onClose={onClose}
    >
      {({ uploader, errorAt }) => (
        <>
          <div>
            {organizations.size > 1 && (
              <div className={`${styles.inputs} ${styles.inputsFirst}`}>
                <SelectField
                  label="Send as"
                  value={organizationId}
                  onChange={(next) => {
                    setOrganizationId(next ?? initial.organization_id);
                    set({ siteId: "", providerId: "" });
                  }}
                  options={[...organizations].map(([value, label]) => ({ value, label }))}
                  hint="All buyers you have a key for"
                />
              </div>
            )}
            <JobInputs
              draft={filled}
              onChange={set}
              credential={credential}
              uploader={uploader}
              errorAt={errorAt}
              begins={false}
              identity={
                <TextField
                  mono
                  autoFocus
                  label={<Named field="identity, external">Client-generated ID</Named>}
                  value={draft.external}
                  onChange={(external) => set({ external })}
                  error={errorAt("external")}
                  hint={
                    <>
                      Your system’s ID for the job. The service adds its own ID{" "}
                      <Origin of="assumption" id="D31" switchable />
                    </>
                  }
                />
              }
            />
          </div>
          <aside className={`stack ${styles.formSide}`} aria-label="Request">
            <span className="lbl">Request preview</span>
            <RequestPreview operation="repairer.jobs.insert" body={body} credential={credential} />
            <Conflict />
          </aside>
        </>
      )}
    </JobForm>
  );
};

const NoRepairer = () => (
  <NothingYet icon={IconKeyOff} title="No buyer key" link={["/install", "Install an integration"]}>
    Only a buyer can insert a job. Install an integration with scope <code>repairer</code> first.
  </NothingYet>
);

export const NewJobDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { credential, candidates, isLoading } = useActAs("repairer");
  return (
    <Dialog opened={opened} onClose={onClose} title="New job" size={940} yOffset="4vh">
      {credential ? (
        <NewJobForm candidates={candidates} initial={credential} onClose={onClose} />
      ) : isLoading ? (
        <Loading what="the form" />
      ) : (
        <NoRepairer />
      )}
    </Dialog>
  );
};
