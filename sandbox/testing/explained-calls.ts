import { requestsExplain } from "../contract/control/explain-operations.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, type TestService } from "./harness.ts";

/** How a call differs from a POST of JSON by the pre-loaded buyer. */
interface Sent {
  readonly world?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly text?: string;
}

/** Address of a partner's operation; an address stays as it is. */
export const pathTo = (id: string): string => {
  const found = partnerOperations.find((one) => one.id === id);
  return found ? operationPath(found) : id;
};

/** Sends calls and reads their explanations. */
export const explainedCalls = (service: () => TestService) => {
  const sendTo = (path: string, body: unknown, { world = "default", headers = {}, method = "POST", text }: Sent = {}) =>
    service().raw(path, {
      method,
      headers: {
        ...{ "content-type": "application/json", ...credentialHeaders(repairer), "x-sandbox-tenant": world },
        ...headers,
      },
      body: text ?? JSON.stringify(body),
    });
  const explainId = async (id: string, world = "default") => service().control(requestsExplain, { world, id });
  const explain = async (id: string, body: unknown, sent: Sent = {}) =>
    explainId((await sendTo(pathTo(id), body, sent)).headers.get("x-request-id") ?? "", sent.world);
  return { sendTo, explainId, explain };
};
