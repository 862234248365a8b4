import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { SendKeyForm } from "../../../components/form.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { plural } from "../../../lib/formatting.ts";
import jobs from "../jobs.module.css";
import { useDeleteJob } from "../mutations.ts";
import { orderedQuery } from "../queries.ts";

interface DeleteProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly onClose: () => void;
}

const Orders = ({ of }: { of: readonly BuyerProcurement[] }) =>
  of.map(({ id, reference, status }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <TextLink href={hrefs.procurement(id)}>{reference ?? id}</TextLink> <State of={status} />
    </span>
  ));

const WAYS_ON = "Cancel requested orders first. A job with a confirmed order can’t be deleted.";

/** The orders that keep a job: none of them may be left that is not cancelled. Once it was refused, the one that is named is first. */
const Kept = ({ row, credential, error }: Pick<DeleteProps, "row" | "credential"> & { error: Error | null }) => {
  const orders = useQuery(orderedQuery(useWorld(), row.id, credential)).data?.items ?? [];
  const live = orders.filter(({ status }) => status !== "cancelled");
  // The service names an order by its reference, else by the head of its id.
  const named = live.find(({ id, reference }) => error?.message.includes(` ${reference ?? id.slice(0, 8)} `));
  if (named)
    return (
      <div className="t12" role="alert">
        <Note>
          {live.length === 1 ? (
            <>
              Not deleted, because its order <Orders of={live} /> isn’t cancelled.
            </>
          ) : (
            <>
              Not deleted, because {live.length} orders aren’t cancelled:{" "}
              <Orders of={[named, ...live.filter((one) => one !== named)]} />.
            </>
          )}{" "}
          {WAYS_ON}
        </Note>
        <details>
          <summary>Response</summary>
          <Refused error={error} />
        </details>
      </div>
    );
  if (error || live.length === 0) return <Refused error={error} />;
  return (
    <Note>
      This call will be refused with 422, because {live.length === 1 ? "an order is" : `${live.length} orders are`} not
      cancelled: <Orders of={live} />. {WAYS_ON}
    </Note>
  );
};

const Sending = ({ row, credential, onClose }: DeleteProps) => {
  const [, navigate] = useLocation();
  const remove = useDeleteJob(row.id, credential, () =>
    notify.done({
      title: `${row.job_number ?? "Job"} deleted`,
      detail: "1 event: repairer.jobs (deleted).",
    }),
  );
  const send = () => {
    if (!remove.isPending) remove.mutate(undefined, { onSuccess: () => navigate("/jobs") });
  };
  return (
    <SendKeyForm keys={["Delete job", "Delete job"]} className={`stack row-3 ${jobs.dialog}`} onSend={send}>
      <p className="t12 t2">
        {partnerCalls["repairer.jobs.delete"].summary} This operation is an extension. It lets you test how your system
        handles a deleted job. <Origin of="extension" />
      </p>
      <RequestPreview operation="repairer.jobs.delete" body={{ identity: { id: row.id } }} credential={credential} />
      <KeyValue
        rows={[
          ["Also deletes", `${plural(row.parts, "part")} and its cancelled orders`],
          [
            "Creates",
            <span key="makes">
              <span className="m11">repairer.jobs</span>, <span className="m11">change_action</span> deleted{" "}
              <Origin of="assumption" id="D75" />
            </span>,
          ],
        ]}
      />
      <Kept row={row} credential={credential} error={remove.error} />
      <DialogFoot>
        <span className="t12 t2 grow">You can’t undo this.</span>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" icon={IconTrash} type="submit" keys="mod+enter" busy={remove.isPending}>
          Delete job
        </Button>
      </DialogFoot>
    </SendKeyForm>
  );
};

/** Deleting a job by the extension, with the request in sight before it is sent. */
export const DeleteJob = ({ opened, ...rest }: DeleteProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={rest.onClose} title={`Delete ${rest.row.job_number ?? "job"}`} size={640}>
    <Sending {...rest} />
  </Dialog>
);
