import { Menu } from "@mantine/core";
import { IconBraces, IconCopy, IconDots, IconLink, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { linkTo } from "../../../app/addresses.tsx";
import { copyText } from "../../../app/copy-text.ts";
import { hrefs } from "../../../app/places.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { Facts } from "../../../components/key-value.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Plate } from "../../../components/plate.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { fieldNames, fieldOf } from "../../../domain/job/fields.tsx";
import { jobName } from "../../../domain/job/job-name.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";
import { DeleteJob } from "./delete-job.tsx";

const MoreMenu = ({ job: { row, credential } }: { job: JobInSight }) => {
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { external_id: external } = row;
  const items = [
    [IconLink, "Copy link for this computer", () => void copyText(linkTo(hrefs.job(row.id)), "the link to the job")],
    [IconCopy, "Copy ID", () => void copyText(row.id, "the job ID")],
    ...(external === null
      ? []
      : [[IconCopy, "Copy external ID", () => void copyText(external, "the external ID")] as const]),
    [IconBraces, "View as JSON", () => navigate(hrefs.job(row.id, "json"))],
  ] as const;
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <IconButton small look="default" icon={IconDots} label="More actions for this job" />
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(([icon, label, run]) => (
            <Menu.Item key={label} leftSection={<Icon of={icon} size={14} />} onClick={run}>
              {label}
            </Menu.Item>
          ))}
          {credential && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<Icon of={IconTrash} size={14} />}
                rightSection={<Origin of="extension" />}
                onClick={() => setDeleting(true)}
              >
                Delete job…
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {credential && (
        <DeleteJob opened={isDeleting} onClose={() => setDeleting(false)} row={row} credential={credential} />
      )}
    </>
  );
};

/** What the head of a job shows beside its name, what can be done with it, and its fields. */
export const useJobHead = (
  { row, credential, knowsKey }: JobInSight,
  onEdit: (() => void) | null,
  isBegun: boolean,
) => {
  const name = useRepairerName(row);
  return {
    title: jobName(row) ?? "No job number",
    hint: jobName(row) ?? undefined,
    beside: (
      <>
        <Plate plate={row.plate_number} state={row.plate_state} />
        <span
          className={`row row-1 t12 t2 ${jobs.of}`}
          title={`This job belongs to ${name}. You read and change it with that organization’s key.`}
        >
          <SideGlyph side="repairer" labelled />
          <span className="el">{name}</span>
        </span>
      </>
    ),
    actions: (
      <>
        {knowsKey && credential === null ? (
          <span className="t12 t3">read only: no key for this buyer</span>
        ) : (
          <Button small icon={IconPencil} keys="e" disabled={onEdit === null} onClick={() => onEdit?.()}>
            {isBegun ? "Edit (unsent)" : "Edit"}
          </Button>
        )}
        <MoreMenu job={{ row, credential, knowsKey }} />
      </>
    ),
    about: (
      <Facts
        rows={[
          ...fieldNames.flatMap((field) => {
            const { fact, words, shown } = fieldOf(field);
            return fact && shown ? [[words, shown(row)] as const] : [];
          }),
          ["ID", <Id key="id" value={row.id} what="job ID" />],
        ]}
      />
    ),
  };
};
