import { useMutation, useQueryClient } from "@tanstack/react-query";
import { requestsGet } from "../../../sandbox/contract/control/operations.ts";
import { jobsInsert, partsInsert, procurementsPlace } from "../../../sandbox/contract/operations/partner.ts";
import type { JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../app/acting.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { callControl, callPartner, exchangePartner } from "../../lib/service-client.ts";

/** Reads again what a change of a job touches, also while the live feed is away. */
const useTouched = () => {
  const client = useQueryClient();
  const keys = worldKeys(useWorld());
  return () => {
    for (const queryKey of [keys.jobs(), keys.partner(), keys.procurements()]) void client.invalidateQueries({ queryKey });
  };
};

export const useInsertJob = (credential: KeyedCredential | null) => {
  const touched = useTouched();
  return useMutation({ mutationFn: (body: JobInsert) => callPartner(jobsInsert, body, credential), onSuccess: touched });
};

/**
 * Inserts parts and hands back the exchange, refused or not. A refusal here is a bare string: the contract sends no
 * reason along, but the sandbox's own record of the exchange has it.
 */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null) => {
  const touched = useTouched();
  const world = useWorld();
  return useMutation({
    mutationFn: async (parts: PartInsert[]) => {
      const exchange = await exchangePartner(partsInsert, { job_identity: { id: jobId }, parts }, credential);
      if (exchange.ok || exchange.requestId === null) return { exchange, reason: null };
      const recorded = await callControl(requestsGet, { world, id: exchange.requestId }).catch(() => null);
      return { exchange, reason: recorded?.outcome ?? null };
    },
    onSuccess: ({ exchange }) => {
      if (exchange.ok) touched();
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
