import { pathOf } from "../../../../sandbox/contract/operation.ts";
import { type PartnerCall, partnerCalls, partnerPath } from "../../../../sandbox/contract/operations/partner-calls.ts";
import type { CallStep, Step } from "../../../../sandbox/contract/scenario.ts";
import type { KeptRequest } from "../../../lib/curl.ts";
import { worldHeaders } from "../../../lib/service-client.ts";

interface Within {
  /** In which it is called; null: the file does not say. */
  readonly world: string | null;
  /** The integration that has the pre-loaded key of a side there, where that is known. */
  readonly integrationOf: (side: "repairer" | "supplier") => string | undefined;
}

const MASK = "••••";
const isPartnerCall = (id: string): id is PartnerCall => Object.hasOwn(partnerCalls, id);

const keyHeaders = ({ as = "nobody", credentials }: CallStep["call"], integrationOf: Within["integrationOf"]) => {
  if (as === "nobody" && !credentials) return {};
  const integration = as === "nobody" ? credentials?.integration_id : (integrationOf(as) ?? `{{${as}.integration_id}}`);
  return { authorization: `Bearer ${MASK}`, "service-integration-id": integration ?? "" };
};

/** What a step sends, as far as its file says, with the key masked; null where it sends nothing of its own. */
export const requestOf = (step: Step, { world, integrationOf }: Within): KeptRequest | null => {
  if (step.control) {
    const { operation, body } = step.control;
    const asked = { ...(body as object | undefined), ...(world === null ? {} : { world }) };
    return {
      method: "POST",
      path: pathOf({ id: operation, surface: "control" }),
      request_headers: [
        ["content-type", "application/json"],
        ["authorization", `Bearer ${MASK}`],
      ],
      request_body: JSON.stringify(asked, null, 2),
    };
  }
  if (!step.call) return null;
  const { operation, route = "/", method = "POST", headers, body, text } = step.call;
  const sent = {
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...(world === null ? {} : worldHeaders(world)),
    ...keyHeaders(step.call, integrationOf),
    ...(headers as Record<string, string> | undefined),
  };
  return {
    method,
    path: operation !== undefined && isPartnerCall(operation) ? partnerPath(operation) : route,
    request_headers: Object.entries(sent),
    request_body: method === "GET" ? "" : (text ?? JSON.stringify(body ?? {}, null, 2)),
  };
};
