import { useMutation, useQueryClient } from "@tanstack/react-query";
import { jobsInsert, partsInsert, procurementsPlace } from "../../../sandbox/contract/operations/partner.ts";
import type { JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { callPartner, exchangePartner } from "../../lib/service-client.ts";

/** Reads again what a change of a job touches, also while the live feed is away. */
const useTouched = () => {
  const client = useQueryClient();
  const keys = worldKeys(useWorld());
  return () => {
    for (const queryKey of [keys.jobs(), keys.partner(), keys.procurements()])
      void client.invalidateQueries({ queryKey });
  };
};

export const useInsertJob = (credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (body: JobInsert) => callPartner(jobsInsert, body, credential),
    onSuccess: touched,
  });
};

/** Inserts parts and hands back the exchange, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (parts: PartInsert[]) =>
      exchangePartner(partsInsert, { job_identity: { id: jobId }, parts }, credential),
    onSuccess: ({ ok }) => {
      if (ok) touched();
    },
  });
};

export const usePlaceOrders = (jobId: string, credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({
    mutationFn: (sellableIds: readonly string[]) =>
      callPartner(procurementsPlace, { job_identity: { id: jobId }, sellable_ids: [...sellableIds] }, credential),
    onSuccess: touched,
  });
};
