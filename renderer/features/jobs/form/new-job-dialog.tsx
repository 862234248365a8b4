import { Modal } from "@mantine/core";
import { IconKeyOff } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { jobsInsert } from "../../../../sandbox/contract/operations/partner.ts";
import { type KeyedCredential, useActAs } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hasPlace } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { SelectField, TextField } from "../../../components/fields.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useDraft } from "../../../lib/draft.ts";
import { addPartsHref } from "../detail/addresses.ts";
import { useInsertJob } from "../mutations.ts";
import { useSitesOf } from "../queries.ts";
import { emptyDraft, insertBody, type JobDraft } from "./job-form.ts";
import { JobInputs } from "./job-inputs.tsx";
import { RefusedForm, readRefusal, useFocusOnRefused } from "./refused-form.tsx";

/** An identifier nobody has used: a new job needs one of the integration's own. */
const freshExternal = (): string =>
  `explorer:${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

const NoRepairer = () => (
  <NothingYet
    icon={IconKeyOff}
    title="The sandbox holds no repairer’s key"
    actions={
      hasPlace("install") && (
        <LinkButton small href="/install">
          Install an integration
        </LinkButton>
      )
    }
  >
    A job is inserted by a repairer. Install an integration with the scope repairer first.
  </NothingYet>
);

interface FormProps {
  readonly candidates: readonly KeyedCredential[];
  readonly initial: KeyedCredential;
  readonly onClose: () => void;
}

const NewJobForm = ({ candidates, initial, onClose }: FormProps) => {
  const [, navigate] = useLocation();
  const [organizationId, setOrganizationId] = useState(initial.organization_id);
  const [draft, setDraft, forgetDraft] = useDraft<JobDraft>(`new-job.${useWorld()}`, () => ({
    ...emptyDraft,
    external: freshExternal(),
  }));
  const credential =
    candidates.find(
      (one) =>
        one.organization_id === organizationId &&
        (organizationId !== initial.organization_id || one.integration_id === initial.integration_id),
    ) ?? initial;
  const insert = useInsertJob(credential);
  const { sites } = useSitesOf(credential);
  // Until a site is chosen it is the first: most groups have one.
  const filled = { ...draft, siteId: draft.siteId || (sites[0]?.id ?? "") };
  const body = insertBody(filled);
  const { refused, errorAt } = readRefusal(insert.error);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnRefused(form, insert.error);
  const organizations = new Map(candidates.map((one) => [one.organization_id, one.organization_name]));
  const send = () => {
    if (insert.isPending) return;
    insert.mutate(body, {
      onSuccess: (job) => {
        forgetDraft();
        notify.done({
          title: `${job.job_number ?? "Job"} inserted`,
          detail: "1 event, repairer.jobs. Add its parts next.",
        });
        onClose();
        navigate(addPartsHref(job.id));
      },
    });
  };
  useKeys("New job", [{ keys: ["mod+enter"], label: "Insert the job", run: send }]);
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
        {organizations.size > 1 && (
          <div className="jobs-inputs jobs-inputs-first">
            <SelectField
              label="As"
              value={organizationId}
              onChange={(next) => {
                setOrganizationId(next ?? initial.organization_id);
                setDraft({ ...draft, siteId: "", providerId: null });
              }}
              options={[...organizations].map(([value, label]) => ({ value, label }))}
              hint="Every repairer whose key the sandbox holds"
            />
          </div>
        )}
        <JobInputs
          draft={filled}
          onChange={setDraft}
          credential={credential}
          errorAt={errorAt}
          identity={
            <TextField
              mono
              autoFocus
              label="identity, external"
              value={draft.external}
              onChange={(external) => setDraft({ ...draft, external })}
              error={errorAt("identity")}
              hint={
                <>
                  Your own identifier; the service assigns its id itself <Origin of="assumption" id="D31" switchable />
                </>
              }
            />
          }
        />
      </div>
      <aside className="jobs-form-side" aria-label="Request">
        <span className="lbl">What will be sent</span>
        <RequestPreview operation={jobsInsert} body={body} credential={credential} />
      </aside>
      <div className="jobs-form-foot">
        <RefusedForm error={insert.error} refused={refused} onLeave={onClose} />
        <div className="row jobs-dialog-foot">
          <span className="t12 t3 grow">
            A successful insert emits one repairer.jobs event <Origin of="contract" />
          </span>
          <Button
            onClick={() => {
              forgetDraft();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" look="primary" keys="mod+enter" busy={insert.isPending}>
            Insert job
          </Button>
        </div>
      </div>
    </form>
  );
};

/** A new job through `repairer.jobs.insert`. */
export const NewJobDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { credential, candidates, isLoading } = useActAs("repairer");
  return (
    <Modal opened={opened} onClose={onClose} title="New job" size={880} yOffset="6vh">
      {credential ? (
        <NewJobForm candidates={candidates} initial={credential} onClose={onClose} />
      ) : isLoading ? (
        <Loading what="the form" />
      ) : (
        <NoRepairer />
      )}
    </Modal>
  );
};
