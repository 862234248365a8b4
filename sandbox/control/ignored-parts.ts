import type { Cause } from "../contract/causes.ts";
import { linkCalls } from "../contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../contract/control/rows.ts";
import { similarity } from "../contract/nearest-names.ts";
import { integrationsInsert, partnerOperations } from "../contract/operations/partner.ts";
import { repeatedNames } from "../rules/json/raw-json.ts";
import type { World } from "../worlds/world.ts";

/** A call without its body. */
type Head = Pick<RequestDetail, "path" | "operation" | "request_headers">;

/** Headers that affect the result of a call. */
const RELEVANT_HEADERS = ["x-sandbox-tenant", "service-integration-id", "authorization"];
/** Similar headers of other services. */
const HEADER_ALIASES: Readonly<Record<string, string>> = {
  "x-api-key": "authorization",
  "api-key": "authorization",
  apikey: "authorization",
  "x-auth-token": "authorization",
  "x-tenant": "x-sandbox-tenant",
  "x-tenant-id": "x-sandbox-tenant",
  tenant: "x-sandbox-tenant",
  "x-world": "x-sandbox-tenant",
  "x-sandbox-world": "x-sandbox-tenant",
  "integration-id": "service-integration-id",
  "x-integration-id": "service-integration-id",
};
/** Similarity (0 to 1) from which a header counts as a misspelling. */
const MIN_HEADER_SIMILARITY = 0.75;

/** Notes on ignored headers that were likely meant as one of these. */
const noteIgnoredHeaders = ({ request_headers }: Head): string[] =>
  [...new Set(request_headers.map(([name]) => name))].flatMap((name) => {
    if (RELEVANT_HEADERS.includes(name)) return [];
    if (/^(?:x-)?idempotency-key$/.test(name))
      return `The header ${name} was ignored. The identity of a job or a part says whether a call is repeated.`;
    const dashedName = name.replaceAll("_", "-");
    const meant =
      HEADER_ALIASES[dashedName] ??
      // Gateways that use the header themselves pass the caller's on under such a name.
      (dashedName.endsWith("-authorization") ? "authorization" : undefined) ??
      RELEVANT_HEADERS.find((one) => similarity(dashedName, one) >= MIN_HEADER_SIMILARITY);
    if (meant === undefined) return [];
    return `The header ${name} was ignored. Did you mean ${meant === "authorization" ? "authorization: Bearer <api_key>" : meant}?`;
  });

/** Note on an `Authorization` header that isn't read: a second one, or OAuth credentials. */
const noteAuthorization = ({ operation, request_headers }: Head): string[] => {
  const sent = request_headers.filter(([name]) => name === "authorization").length;
  if (sent > 0 && operation === integrationsInsert.id)
    return ["The header authorization was ignored. Send client_id and client_secret in the body."];
  return sent > 1 ? ["The header authorization was sent twice. Only the first counts."] : [];
};

/** Note on credentials among the fields of a body, where HTTP clients put misplaced headers. */
const noteKeyInBody = ({ operation, request_body_base64 }: RequestDetail, cause: Cause | null): string[] =>
  cause === "no_credentials" &&
  // Its body names the integration to notify.
  operation !== "webhooks.subscribe" &&
  /"(?:authorization|api_?key|integration_?id)"\s*:/i.test(Buffer.from(request_body_base64, "base64").toString("utf8"))
    ? ["The body has credentials. They are read from the headers only."]
    : [];

/** Parameters of an address named in notes. */
const MAX_PARAMETERS_NAMED = 4;
const PAGING = /^(?:limit|offset|page|per_?page|page_?(?:size|number)|cursor|skip|take|size|after|before)$/i;
/** Says where the value of a parameter belongs. */
const describeParameter = (operation: string | null, name: string): string => {
  const request = partnerOperations.find(({ id }) => id === operation)?.request as { readonly properties?: object };
  const [field = ""] = name.split(/[[.]/, 1);
  if (!request?.properties || Object.hasOwn(request.properties, field)) return "Fields belong in the body.";
  return PAGING.test(name) ? "Lists are returned whole, without pages." : "The operation has no such field.";
};

/** Notes on parameters of the address, which operations don't read. */
const noteIgnoredQuery = ({ path, operation }: Head, world: string): string[] =>
  [...new Set(new URLSearchParams(path.split("?")[1] ?? "").keys())]
    .slice(0, MAX_PARAMETERS_NAMED)
    .map((name) =>
      /key|token|auth/i.test(name)
        ? `The parameter ${name} of the address was ignored. Send the key as authorization: Bearer <api_key>.`
        : /^(?:service[-_]?)?integration[-_]?id$/i.test(name)
          ? `The parameter ${name} of the address was ignored. Send it as the header service-integration-id.`
          : /tenant|world/i.test(name)
            ? `The parameter ${name} of the address was ignored, and the call went to world ${world}. Name the world in the header x-sandbox-tenant.`
            : `The parameter ${name} of the address was ignored. ${describeParameter(operation, name)}`,
    );

/** Notes on repeated names in a body, of which only the last counts. */
const noteRepeatedNames = ({ request_body_base64 }: RequestDetail): string[] =>
  repeatedNames(Buffer.from(request_body_base64, "base64").toString("utf8")).map(
    (name) => `The name ${name} is twice in one object of the body. Only the last value counts.`,
  );

/** Notes on headers and parameters of an address that were ignored. @param world name of the call's world */
export const noteIgnoredHead = (call: Head, world: string): string[] => {
  const isLink = call.operation === null || linkCalls.some((one) => one === call.operation);
  return [...noteIgnoredHeaders(call), ...noteAuthorization(call), ...(isLink ? [] : noteIgnoredQuery(call, world))];
};

/** Notes on parts of a call that were ignored. @param isParsed whether its body is a JSON object of limited size */
export const noteIgnored = (world: World, call: RequestDetail, cause: Cause | null, isParsed: boolean): string[] => [
  ...noteIgnoredHead(call, world.name),
  ...(isParsed ? noteKeyInBody(call, cause) : []),
  ...(call.test_values ?? []).flatMap(({ known, sentence }) => (known ? [] : sentence)),
  ...(isParsed ? noteRepeatedNames(call) : []),
];
