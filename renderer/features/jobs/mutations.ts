import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Job, JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
import type { BuyerProcurement } from "../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { callPartner, exchangePartner } from "../../lib/service-client.ts";

/** Reads again what a change of a job touches, also while the live feed is away. */
export const useTouched = () => {
  const client = useQueryClient();
  const world = useWorld();
  return (jobId: string) => {
    const keys = worldKeys(world);
    for (const queryKey of [keys.ofJob(jobId), keys.jobs(), keys.partner(), keys.procurements(), keys.summary()])
      void client.invalidateQueries({ queryKey });
  };
};

/** What is done with an answer, also when what asked for it is closed by then: that of `mutate` itself is not. */
interface Answered<Answer> {
  readonly onSuccess?: (answer: Answer) => void;
  readonly onError?: (error: Error) => void;
}

export const useInsertJob = (credential: KeyedCredential | null, { onSuccess, onError }: Answered<Job>) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (body: JobInsert) => callPartner("repairer.jobs.insert", body, credential),
    onSuccess: (job) => {
      onSuccess?.(job);
      touched(job.id);
    },
    onError: (error) => onError?.(error),
  });
};

/** A call that changes a job that is there. */
const useJobCall = <Sent, Answer>(
  jobId: string,
  mutationFn: (sent: Sent) => Promise<Answer>,
  { onSuccess, onError }: Answered<Answer> = {},
) => {
  const touched = useTouched();
  return useMutation({
    mutationFn,
    onSuccess: (answer) => {
      onSuccess?.(answer);
      touched(jobId);
    },
    onError: (error) => onError?.(error),
  });
};

/** Inserts parts and hands back the exchange, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) =>
  useJobCall(jobId, (parts: PartInsert[]) =>
    exchangePartner("repairer.jobs.parts.insert", { job_identity: { id: jobId }, parts }, credential),
  );

export const usePlaceOrders = (
  jobId: string,
  credential: KeyedCredential | null,
  answered: Answered<{ readonly items: readonly BuyerProcurement[] }>,
) =>
  useJobCall(
    jobId,
    (ids: readonly string[]) =>
      callPartner("repairer.procurements.place", { job_identity: { id: jobId }, sellable_ids: [...ids] }, credential),
    answered,
  );

/** Deletes a job, by the extension. */
export const useDeleteJob = (jobId: string, credential: KeyedCredential, onSuccess: () => void) =>
  useJobCall(jobId, () => callPartner("repairer.jobs.delete", { identity: { id: jobId } }, credential), { onSuccess });
