import { EmptyState, Stack, Text } from "@mantine/core";
import { IconKeyOff, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { type KeyedCredential, useActAs, useCredentials } from "../../../kernel/credentials/acting.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { policiesQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { useDraft, writeDraft } from "../../../lib/draft.ts";
import { plural } from "../../../lib/formatting.ts";
import { addPartsHref, editHref } from "../address.ts";
import { emptyDraft, toJobDraft } from "../fields.tsx";
import { useDeleteJob } from "../mutations.ts";
import { orderedQuery, useSites } from "../queries.ts";
import { ChangeSide, WithoutIf } from "./change-side.tsx";
import { changeBody, insertBody } from "./job-body.ts";
import {
  type EditDraft,
  editDraft,
  isTyped,
  type NewJobDraft,
  newDraft,
  noEdit,
  parseEditDraft,
  parseNewJob,
} from "./job-draft.ts";
import { JobForm } from "./job-form.tsx";
import { JobInputs, Named } from "./job-inputs.tsx";

/** A new external ID, which every new job needs. */
const freshExternal = (): string => `explorer:${crypto.randomUUID().slice(0, 8)}`;

interface NewProps {
  readonly candidates: readonly KeyedCredential[];
  readonly initial: KeyedCredential;
  readonly onClose: () => void;
}

/** A new job of one of the buyers with a key in the sandbox. */
const NewJobForm = ({ candidates, initial, onClose }: NewProps) => {
  const [, navigate] = useLocation();
  const world = useWorld();
  const [external] = useState(freshExternal);
  const draftState = useDraft<NewJobDraft>(newDraft(world), {
    initial: () => ({}),
    read: parseNewJob,
    isWorth: isTyped,
  });
  // Stores the ID with the first change, so that a reload continues with the same job.
  const set = (change: NewJobDraft) => draftState.change((now) => ({ external, ...now, ...change }));
  const { organizationId = initial.organization_id, ...edits } = draftState.draft;
  const credential =
    organizationId === initial.organization_id
      ? initial
      : (candidates.find((one) => one.organization_id === organizationId) ?? initial);
  const { sites } = useSites(credential);
  const policy = useQuery(policiesQuery(world)).data?.jobs_insert_conflict ?? "reject";
  const draft = { ...emptyDraft, external, ...edits };
  // Default: the first site, because most groups have one.
  const filled = { ...draft, siteId: draft.siteId || (sites[0]?.id ?? "") };
  const body = insertBody(filled);
  const organizations = new Map(candidates.map((one) => [one.organization_id, one.organization_name]));
  return (
    <JobForm
      title="New job"
      button="Insert job"
      credential={credential}
      body={body}
      draftState={draftState}
      onUpdate={(id) => {
        // The identity exists: the draft becomes an update of that job.
        const { external: _external, ...typed } = edits;
        writeDraft(editDraft(world, id), { edits: typed, ifExists: "update" });
        draftState.forget();
        navigate(editHref(id));
      }}
      onSent={({ id, job_number }, isLeft) => {
        notify.done({
          title: `${job_number ?? "Job"} inserted`,
          detail: "1 event: repairer.jobs. Next, add parts.",
          from: { href: addPartsHref(id), world },
          link: isLeft ? { href: addPartsHref(id), label: "Add parts", world } : undefined,
        });
        // Navigation closes the form, which is open only at its address.
        if (!isLeft) navigate(addPartsHref(id));
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <Stack gap="md">
            {organizations.size > 1 && (
              <SelectField
                label="Send as"
                value={credential.organization_id}
                onChange={(next) =>
                  set({ organizationId: next ?? initial.organization_id, siteId: "", providerId: "" })
                }
                options={[...organizations].map(([value, label]) => ({ value, label }))}
                hint="All buyers you have a key for"
              />
            )}
            <JobInputs
              draft={filled}
              onChange={set}
              credential={credential}
              errorAt={errorAt}
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
          </Stack>
          <Stack component="aside" miw={0} aria-label="Request">
            <Text variant="label">Request preview</Text>
            <RequestPreview operation="repairer.jobs.insert" body={body} credential={credential} />
            <Note>
              <Text variant="mono">if_</Text> is omitted. <WithoutIf policy={policy} />
            </Note>
          </Stack>
        </>
      )}
    </JobForm>
  );
};

export const NewJobDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { credential, candidates } = useActAs("repairer");
  return (
    <Dialog opened={opened} onClose={onClose} title="New job" size={940} yOffset="4vh" isInAddress>
      <Read of={useCredentials()} what="the keys">
        {() =>
          credential ? (
            <NewJobForm candidates={candidates} initial={credential} onClose={onClose} />
          ) : (
            <EmptyState icon={<IconKeyOff />} title="No buyer key">
              <EmptyState.Description>
                Only a buyer can insert a job. Install an integration with scope <code>repairer</code> first.
              </EmptyState.Description>
              <LinkButton small href="/install">
                Install an integration
              </LinkButton>
            </EmptyState>
          )
        }
      </Read>
    </Dialog>
  );
};

interface EditProps {
  readonly row: JobRow;
  readonly job: Job;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

/** Edits an existing job through `repairer.jobs.insert`. Fields you haven't edited show other callers' changes. */
const EditJobForm = ({ row, job, credential, onClose }: EditProps) => {
  const world = useWorld();
  const draftState = useDraft<EditDraft>(editDraft(world, job.id), {
    initial: () => noEdit,
    read: parseEditDraft,
    isWorth: ({ edits, ifExists }) => isTyped(edits) || ifExists !== "update",
  });
  const { draft, change } = draftState;
  const body = changeBody(job, draft);
  const word = draft.ifExists === "replace" ? "Replace" : "Update";
  return (
    <JobForm
      title="Edit job"
      button={`${word} job`}
      credential={credential}
      body={body}
      own={job.id}
      draftState={draftState}
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
            draft={{ ...toJobDraft(job), ...draft.edits }}
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

interface DeleteProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

const DeleteJobForm = ({ row, credential, onClose }: DeleteProps) => {
  const [, navigate] = useLocation();
  const world = useWorld();
  const remove = useDeleteJob(row.id, credential, () =>
    notify.done({
      title: `${row.job_number ?? "Job"} deleted`,
      detail: "1 event: repairer.jobs (deleted).",
      from: { href: "/jobs", world },
    }),
  );
  const orders = useQuery(orderedQuery(world, row.id, credential)).data?.items ?? [];
  const live = orders.filter(({ status }) => status !== "cancelled");
  const send = () => {
    if (!remove.isPending) remove.mutate(undefined, { onSuccess: () => navigate("/jobs") });
  };
  return (
    <SendKeyForm keys={["Delete job", "Delete job"]} onSend={send}>
      <Text component="p" variant="note">
        {partnerCalls["repairer.jobs.delete"].summary} This operation is an extension. It lets you test how your system
        handles a deleted job. <Origin of="extension" />
      </Text>
      <RequestPreview operation="repairer.jobs.delete" body={{ identity: { id: row.id } }} credential={credential} />
      <Note>
        Also deletes {plural(row.parts, "part")} and its cancelled orders. Creates 1 repairer.jobs event with
        change_action deleted. <Origin of="assumption" id="D75" />
      </Note>
      {live.length > 0 && (
        <Note>
          This call will be refused with 422, because {live.length === 1 ? "an order is" : "orders are"} not cancelled:{" "}
          {live.map(({ id, reference }) => (
            <span key={id}>
              <TextLink href={hrefs.procurement(id)}>{reference ?? id}</TextLink>{" "}
            </span>
          ))}
          Cancel requested orders first. A job with a confirmed order can’t be deleted.
        </Note>
      )}
      <Refused error={remove.error} />
      <DialogFoot>
        <Text flex={1} miw={0} variant="note">
          You can’t undo this.
        </Text>
        <Button onClick={onClose}>Cancel</Button>
        <Submit look="danger" icon={IconTrash} busy={remove.isPending}>
          Delete job
        </Submit>
      </DialogFoot>
    </SendKeyForm>
  );
};

/** Deletes a job by the extension, after a preview of the request. */
export const DeleteJobDialog = ({ opened, ...rest }: DeleteProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={rest.onClose} title={`Delete ${rest.row.job_number ?? "job"}`} size={640}>
    <DeleteJobForm {...rest} />
  </Dialog>
);
