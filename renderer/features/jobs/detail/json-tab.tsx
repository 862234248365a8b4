import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { jsonFile, SaveButton } from "../../../app/file-buttons.tsx";
import { useWorld } from "../../../app/world.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Section } from "../../../components/section.tsx";
import jobs from "../jobs.module.css";
import { jobQuery } from "../queries.ts";

/** The job exactly as the contract answers it, with the request that would fetch it. Reading it here records no call. */
export const JsonTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  return (
    <Read of={stored} what="the job" rows={6}>
      {(job) => (
        <div className={`scroll ${jobs.panel}`}>
          <Section
            ruled={false}
            title="Request"
            note={`as ${credential.organization_name}`}
            actions={<Origin of="contract" />}
          >
            <div className={jobs.pad}>
              <RequestPreview
                operation="repairer.jobs.get"
                body={{ identity: { id: row.id } }}
                credential={credential}
              />
            </div>
          </Section>
          <Section
            title="Response"
            actions={<SaveButton what="the response" file={() => jsonFile(`job-${row.job_number ?? row.id}`, job)} />}
          >
            <div className={jobs.pad}>
              <JsonView value={job} label="answer" />
            </div>
          </Section>
        </div>
      )}
    </Read>
  );
};
