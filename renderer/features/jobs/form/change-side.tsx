import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ConflictStrategy, strategyFor } from "../../../../sandbox/contract/job-change.ts";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { policiesQuery } from "../../../app/world-queries.ts";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { useDirectory } from "../list/use-directory.ts";
import { IfExistsField } from "./if-exists.tsx";
import { keysSent } from "./job-body.ts";
import type { EditDraft, OptionalKey } from "./job-draft.ts";
import { OutcomeTable } from "./outcome-table.tsx";

const views = [
  { value: "outcome", label: "What it does" },
  { value: "request", label: "What is sent" },
] as const;

/** What the chosen way does, in a sentence. */
const Said = ({ strategy }: { strategy: ConflictStrategy | "reject" }) => {
  if (strategy === "reject")
    return (
      <Note>
        Sent like this, nothing is written: the answer is 422, because the job exists{" "}
        <Origin of="assumption" id="D30" tight switchable />. The columns show what naming a way would do.
      </Note>
    );
  return (
    <Note>
      <span className="m11">id</span>, <span className="m11">external_id</span> and the parts stay, whatever is sent{" "}
      <Origin of="assumption" id="D33" tight />. Tick a key to send it, untick it to leave it out.
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
    <aside className="jobs-form-side" aria-label="What will happen">
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
