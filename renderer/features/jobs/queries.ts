import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import type { KeyedCredential } from "../../kernel/credentials/acting.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { callControl, observePartner, type PartnerRequest } from "../../lib/service-client.ts";

/** A partner operation's response with this key; disabled without one. */
const partnerQuery = <Id extends PartnerCall>(
  world: string,
  key: readonly unknown[],
  operation: Id,
  body: PartnerRequest<Id>,
  credential: KeyedCredential | null,
) =>
  queryOptions({
    queryKey: [...key, operation, body, credential?.integration_id],
    queryFn: ({ signal }) => observePartner(operation, body, { world, key: credential }, { signal }),
    enabled: credential !== null,
  });

const jobKey = (world: string, id: string) => worldKeys(world).ofJob(id);
/** Data of the seed that no call changes. */
const seeded = (world: string) => worldKeys(world).organizations("jobs");
const by = (id: string) => ({ job_identity: { id } });

export const jobQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  partnerQuery(world, jobKey(world, id), "repairer.jobs.get", { identity: { id } }, credential);
export const partsQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  partnerQuery(world, jobKey(world, id), "repairer.jobs.parts.list", by(id), credential);
export const basketQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  partnerQuery(world, jobKey(world, id), "repairer.jobs.baskets.latest.get", by(id), credential);
export const orderedQuery = (world: string, id: string, credential: KeyedCredential | null) =>
  partnerQuery(world, jobKey(world, id), "repairer.procurements.list", by(id), credential);
export const workProvidersQuery = (world: string, credential: KeyedCredential | null) =>
  partnerQuery(world, seeded(world), "repairer.work-providers.list", {}, credential);
const businessesQuery = (world: string, credential: KeyedCredential | null) =>
  partnerQuery(world, seeded(world), "businesses.list", {}, credential);

/** The newest calls about a job, including reads. */
export const jobTracesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("of job", id, "traces"),
    queryFn: ({ signal }) => callControl("requests.list", { world, job_id: id, limit: 200 }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Sites that a key's organization can use for jobs. */
export const useSites = (credential: KeyedCredential | null) => {
  const { data, ...rest } = useQuery(businessesQuery(useWorld(), credential));
  return { ...rest, sites: data?.items.filter(({ type }) => type === "repairer_site") ?? [] };
};
