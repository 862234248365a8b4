import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { jsonFile, SaveButton } from "../../../app/file-buttons.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Id } from "../../../components/id.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Section } from "../../../components/section.tsx";
import { formatClock, formatMs } from "../../../lib/formatting.ts";
import jobs from "../jobs.module.css";
import { jobExchangeQuery } from "../queries.ts";

/** The job exactly as the contract answers it, with the request that fetched it. */
export const JsonTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const answer = useQuery(jobExchangeQuery(useWorld(), row.id, credential));
  return (
    <Read of={answer} what="the job" rows={6}>
      {({ status, body, durationMs, requestId, failure }) => (
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
            note={
              <span className="row">
                <HttpStatus status={status} />
                <span title="Measured in this window, from sending the request to reading the whole response">
                  {formatMs(durationMs)} round trip
                </span>
                <span>{formatClock(new Date(answer.dataUpdatedAt).toISOString())}</span>
                {requestId && <Id value={requestId} what="request ID" />}
              </span>
            }
            actions={
              <>
                <SaveButton what="the response" file={() => jsonFile(`job-${row.job_number ?? row.id}`, body)} />
                <Button
                  small
                  look="quiet"
                  icon={IconRefresh}
                  busy={answer.isFetching}
                  onClick={() => void answer.refetch()}
                >
                  Reload
                </Button>
              </>
            }
          >
            <div className={jobs.pad}>
              {failure ? <Refusal failure={failure} /> : <JsonView value={body} label="answer" />}
            </div>
          </Section>
        </div>
      )}
    </Read>
  );
};
