import { Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Note } from "../../../components/section.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { useDeleteJob } from "../mutations.ts";
import { orderedQuery } from "../queries.ts";

interface DeleteProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

const Sending = ({ row, credential, onClose }: DeleteProps) => {
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
export const DeleteJob = ({ opened, ...rest }: DeleteProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={rest.onClose} title={`Delete ${rest.row.job_number ?? "job"}`} size={640}>
    <Sending {...rest} />
  </Dialog>
);
