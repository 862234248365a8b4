import { Group, Text } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { Facts } from "../../../components/key-value.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Plate } from "../../../domain/job/plate.tsx";
import { CopyLink } from "../../../kernel/addresses/copy-link.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { late, useNeeded } from "../../../lib/late.ts";
import { fieldNames, jobField } from "../fields.tsx";
import { jobName } from "../job-name.ts";
import { type OpenedJob, useRepairerName } from "../open-job.ts";

const DeleteJobDialog = late(async () => (await import("../late.ts")).DeleteJobDialog).Part;

const DeleteButton = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const [opened, setOpened] = useState(false);
  const isNeeded = useNeeded(opened);
  return (
    <>
      <IconButton
        small
        look="default"
        icon={IconTrash}
        label="Delete job"
        verb="Delete"
        onClick={() => setOpened(true)}
      />
      {isNeeded && (
        <DeleteJobDialog opened={opened} onClose={() => setOpened(false)} row={row} credential={credential} />
      )}
    </>
  );
};

/** Content of a job's heading: label, actions and fields. */
export const useJobHead = ({ row, credential, knowsKey }: OpenedJob, onEdit: (() => void) | null, isBegun: boolean) => {
  const name = useRepairerName(row);
  return {
    title: jobName(row) ?? "No job number",
    hint: jobName(row) ?? undefined,
    beside: (
      <>
        <Plate plate={row.plate_number} state={row.plate_state} />
        <Group
          component="span"
          gap="xs"
          variant="note"
          style={{ flexShrink: 4 }}
          title={`This job belongs to ${name}. You read and change it with that organization’s key.`}
        >
          <SideGlyph side="repairer" labelled />
          <Text truncate>{name}</Text>
        </Group>
      </>
    ),
    actions: (
      <>
        {knowsKey && credential === null ? (
          <Text variant="aside">read only: no key for this buyer</Text>
        ) : (
          <Button small needs="act" icon={IconPencil} keys="e" disabled={onEdit === null} onClick={() => onEdit?.()}>
            {isBegun ? "Edit (unsent)" : "Edit"}
          </Button>
        )}
        <CopyLink place="Job" href={hrefs.job(row.id)} what="this job" />
        {credential && <DeleteButton row={row} credential={credential} />}
      </>
    ),
    about: (
      <Facts
        rows={[
          ...fieldNames.flatMap((field) => {
            const { fact, words, shown } = jobField(field);
            return fact && shown ? [[words, shown(row)] as const] : [];
          }),
          ["ID", <Id key="id" value={row.id} what="job ID" />],
        ]}
      />
    ),
  };
};
