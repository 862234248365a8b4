import { ActionIcon, Menu } from "@mantine/core";
import { IconBraces, IconCopy, IconDots, IconLink, IconPencil } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { linkTo } from "../../../app/addresses.tsx";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { Facts } from "../../../components/key-value.tsx";
import { Plate } from "../../../components/plate.tsx";
import { copyText } from "../../../lib/announce.ts";
import type { JobInSight } from "./use-job.ts";

const none = (word: string) => <span className="t3">{word}</span>;
const mono = (text: string | null) => (text === null ? none("none") : <span className="m">{text}</span>);

const MoreMenu = ({ job: { row } }: { job: JobInSight }) => {
  const [, navigate] = useLocation();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size="xs" aria-label="More for this job">
          <Icon of={IconDots} size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon of={IconLink} size={14} />}
          onClick={() => void copyText(linkTo(hrefs.job(row.id)), "the job’s address")}
        >
          Copy link
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconCopy} size={14} />} onClick={() => void copyText(row.id, "the job id")}>
          Copy id
        </Menu.Item>
        {row.external_id !== null && (
          <Menu.Item
            leftSection={<Icon of={IconCopy} size={14} />}
            onClick={() => void copyText(row.external_id ?? "", "the external id")}
          >
            Copy external id
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon of={IconBraces} size={14} />} onClick={() => navigate(hrefs.job(row.id, "json"))}>
          Show as JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** What a job is known by. */
export const JobHead = ({
  job,
  onEdit,
  isBegun,
}: {
  job: JobInSight;
  onEdit: (() => void) | null;
  /** Whether a change of it was begun and not sent. */
  isBegun: boolean;
}) => {
  const { row, credential, knowsKey } = job;
  return (
    <header className="jobs-head">
      <div className="row">
        <h2 className="t15 el">{row.job_number ?? "No job number"}</h2>
        <Plate plate={row.plate_number} state={row.plate_state} />
        <span className="grow" />
        {knowsKey && credential === null ? (
          <span className="t12 t3">read only: no key of its repairer</span>
        ) : (
          <Button small icon={IconPencil} keys="e" disabled={onEdit === null} onClick={() => onEdit?.()}>
            {isBegun ? "Edit, unsent" : "Edit"}
          </Button>
        )}
        <MoreMenu job={job} />
      </div>
      <Facts
        rows={[
          ["Site", row.site.name],
          ["Work provider", row.work_provider?.name ?? none("none")],
          ["Claim", mono(row.claim_number)],
          ["External id", mono(row.external_id)],
          ["Chassis", mono(row.chassis_number)],
          ["Id", <Id key="id" value={row.id} what="job id" />],
        ]}
      />
    </header>
  );
};
