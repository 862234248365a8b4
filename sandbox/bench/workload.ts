import { type Operation, pathOf, type RequestOf, type ResponseOf } from "../contract/operation.ts";
import { businessesList, type jobsGet, type jobsInsert, workProvidersList } from "../contract/operations/partner.ts";
import { NUMBER, requestText } from "./load/request-text.ts";
import type { Service } from "./processes/service.ts";

type Headers = Readonly<Record<string, string>>;

/** The headers of a call: the repairer's credential, or the control token. */
export const headersOf = ({ ready }: Service, operation: Operation): Headers => {
  if (operation.surface === "control") return { authorization: `Bearer ${ready.control_token}` };
  if (!ready.credentials) throw new Error("The service has not said its credentials.");
  const { api_key, integration_id } = ready.credentials.repairer;
  return { authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
};

/** One call, which must succeed. */
export const call = async <O extends Operation>(
  service: Service,
  operation: O,
  body: RequestOf<O>,
  headers: Headers = {},
): Promise<ResponseOf<O>> => {
  const response = await fetch(service.ready.base_url + pathOf(operation), {
    method: "POST",
    headers: { "content-type": "application/json", ...headersOf(service, operation), ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${operation.id} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ResponseOf<O>;
};

/** The request of a load; the same bytes go to a bare server when its port is given. */
export const loadRequest = <O extends Operation>(
  service: Service,
  operation: O,
  body: RequestOf<O>,
  { headers = {}, port = service.port }: { readonly headers?: Headers; readonly port?: number } = {},
): string =>
  requestText({ port, path: pathOf(operation), headers: { ...headersOf(service, operation), ...headers }, body });

/** The external id of the job with this number; {@link NUMBER} when a load numbers it. */
export const externalId = (number: string): string => `repair-${number}`;

/** Fetches the job that was inserted with the number. */
export const getBody: RequestOf<typeof jobsGet> = { identity: { external: externalId(NUMBER) } };

/** A new job as a partner's program sends it: everything known, two pictures, an insurer. */
export const insertBody = async (service: Service): Promise<RequestOf<typeof jobsInsert>> => {
  const businesses = await call(service, businessesList, {});
  const providers = await call(service, workProvidersList, {});
  const site = businesses.items.find(({ type }) => type === "repairer_site");
  const provider = providers.items[0];
  if (!site || !provider) throw new Error("The seeded world has no site or no insurer.");
  return {
    identity: { external: externalId(NUMBER) },
    repairer_site_id: site.id,
    claim_number: `CLM-${NUMBER}`,
    job_number: `J-${NUMBER}`,
    vehicle: { chassis_number: `WDD${NUMBER}1234`, plate_number: `P${NUMBER}`, plate_state: null },
    images: [`https://media.example.com/${NUMBER}/front.jpg`, `https://media.example.com/${NUMBER}/rear.jpg`],
    work_provider_id: provider.organization_id,
  };
};
