import { Box } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { jsonFile, SaveButton } from "../../../kernel/notices/file-buttons.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import { jobQuery } from "../queries.ts";

/** The contract's response for the job, with its request. Reading it here is not recorded. */
export const JsonTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  return (
    <Read of={stored} what="the job" rows={6}>
      {(job) => (
        <Box className="scroll" flex={1}>
          <Section
            ruled={false}
            title="Request"
            note={`as ${credential.organization_name}`}
            actions={<Origin of="contract" />}
          >
            <Box px="lg" pb="lg">
              <RequestPreview
                operation="repairer.jobs.get"
                body={{ identity: { id: row.id } }}
                credential={credential}
              />
            </Box>
          </Section>
          <Section
            title="Response"
            actions={<SaveButton what="the response" file={() => jsonFile(`job-${row.job_number ?? row.id}`, job)} />}
          >
            <Box px="lg" pb="lg">
              <JsonView value={job} label="response" />
            </Box>
          </Section>
        </Box>
      )}
    </Read>
  );
};
