import { useMutation } from "@tanstack/react-query";
import type { Job, JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
import type { BuyerProcurement } from "../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { useChanged } from "../../app/changes.ts";
import { useWorld } from "../../app/world.ts";
import { callPartner, exchangePartner } from "../../lib/service-client.ts";

/** Says that a call changed a job, or what is in it. */
export const useJobChanged = () => {
  const changed = useChanged();
  return (jobId: string) => void changed(["call", "job", "delivery"], jobId);
};

/** What is done with an answer, also when what asked for it is closed by then: that of `mutate` itself is not. */
interface Answered<Answer> {
  readonly onSuccess?: (answer: Answer) => void;
  readonly onError?: (error: Error) => void;
}

export const useInsertJob = (credential: KeyedCredential | null, { onSuccess, onError }: Answered<Job>) => {
  const world = useWorld();
  const changed = useJobChanged();
  return useMutation({
    mutationFn: (body: JobInsert) => callPartner("repairer.jobs.insert", body, { world, key: credential }),
    onSuccess: (job) => {
      onSuccess?.(job);
      changed(job.id);
    },
    onError: (error) => onError?.(error),
  });
};

/** A call that changes a job that is there. */
const useJobCall = <Sent, Answer>(
  jobId: string,
  call: (sent: Sent, world: string) => Promise<Answer>,
  { onSuccess, onError }: Answered<Answer> = {},
) => {
  const world = useWorld();
  const changed = useJobChanged();
  return useMutation({
    mutationFn: (sent: Sent) => call(sent, world),
    onSuccess: (answer) => {
      onSuccess?.(answer);
      changed(jobId);
    },
    onError: (error) => onError?.(error),
  });
};

/** Inserts parts and hands back the exchange, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) =>
  useJobCall(jobId, (parts: PartInsert[], world) =>
    exchangePartner("repairer.jobs.parts.insert", { job_identity: { id: jobId }, parts }, { world, key: credential }),
  );

export const usePlaceOrders = (
  jobId: string,
  credential: KeyedCredential | null,
  answered: Answered<{ readonly items: readonly BuyerProcurement[] }>,
) =>
  useJobCall(
    jobId,
    (ids: readonly string[], world) => {
      const body = { job_identity: { id: jobId }, sellable_ids: [...ids] };
      return callPartner("repairer.procurements.place", body, { world, key: credential });
    },
    answered,
  );

/** Deletes a job, by the extension. */
export const useDeleteJob = (jobId: string, credential: KeyedCredential, onSuccess: () => void) =>
  useJobCall(
    jobId,
    (_sent: undefined, world) =>
      callPartner("repairer.jobs.delete", { identity: { id: jobId } }, { world, key: credential }),
    { onSuccess },
  );
