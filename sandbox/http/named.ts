import { aboutJob, aboutProcurement } from "../operations/views.ts";
import type { World } from "../worlds/world.ts";

interface Named {
  readonly job_id: string | null;
  readonly procurement_id: string | null;
  readonly label: string | null;
}

const NOTHING: Named = { job_id: null, procurement_id: null, label: null };

const identityIn = (body: Uint8Array): { readonly id?: unknown; readonly external?: unknown } | undefined => {
  try {
    const { identity, job_identity } = JSON.parse(Buffer.from(body).toString("utf8"));
    return identity ?? job_identity;
  } catch {
    return undefined;
  }
};

/**
 * The job or procurement that the body of a refused call names, whoever sent it and at whichever check it was refused:
 * its history lists the call.
 */
export const namedBy = ({ stores }: World, body: Uint8Array | null, integrationId: string | null): Named => {
  const { id, external } = (body && identityIn(body)) ?? {};
  if (typeof id === "string") {
    const procurement = stores.procurements.get(id.toLowerCase());
    const job = procurement ? undefined : stores.jobs.get(id.toLowerCase());
    if (procurement) return aboutProcurement(procurement);
    return job ? { ...NOTHING, ...aboutJob(job) } : NOTHING;
  }
  const organization = integrationId && stores.credentials.byIntegration(integrationId)?.organization_id;
  const job = typeof external === "string" && organization ? stores.jobs.find({ external }, organization) : undefined;
  return job ? { ...NOTHING, ...aboutJob(job) } : NOTHING;
};
