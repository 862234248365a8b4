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

/** Inserts parts and hands back the exchange, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (parts: PartInsert[]) =>
      exchangePartner("repairer.jobs.parts.insert", { job_identity: { id: jobId }, parts }, credential),
    onSuccess: ({ ok }) => {
      if (ok) touched(jobId);
    },
  });
};

export const usePlaceOrders = (jobId: string, credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (sellableIds: readonly string[]) =>
      callPartner(
        "repairer.procurements.place",
        { job_identity: { id: jobId }, sellable_ids: [...sellableIds] },
        credential,
      ),
    onSuccess: () => touched(jobId),
  });
};

/** Deletes a job, by the extension, and hands back the exchange: a refusal is an answer. */
export const useDeleteJob = (jobId: string, credential: KeyedCredential) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: () => exchangePartner("repairer.jobs.delete", { identity: { id: jobId } }, credential),
    onSuccess: ({ ok }) => {
      if (ok) touched(jobId);
    },
  });
};
