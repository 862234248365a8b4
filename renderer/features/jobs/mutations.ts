import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
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

export const useInsertJob = (credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (body: JobInsert) => callPartner("repairer.jobs.insert", body, credential),
    onSuccess: ({ id }) => touched(id),
  });
};

/** A call that changes a job that is there. */
const useJobCall = <Sent, Answer>(jobId: string, mutationFn: (sent: Sent) => Promise<Answer>) => {
  const touched = useTouched();
  return useMutation({ mutationFn, onSuccess: () => touched(jobId) });
};

/** Inserts parts and hands back the exchange, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) =>
  useJobCall(jobId, (parts: PartInsert[]) =>
    exchangePartner("repairer.jobs.parts.insert", { job_identity: { id: jobId }, parts }, credential),
  );

export const usePlaceOrders = (jobId: string, credential: KeyedCredential | null) =>
  useJobCall(jobId, (ids: readonly string[]) =>
    callPartner("repairer.procurements.place", { job_identity: { id: jobId }, sellable_ids: [...ids] }, credential),
  );

/** Deletes a job, by the extension. */
export const useDeleteJob = (jobId: string, credential: KeyedCredential) =>
  useJobCall(jobId, () => callPartner("repairer.jobs.delete", { identity: { id: jobId } }, credential));
