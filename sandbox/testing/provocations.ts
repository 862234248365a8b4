import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import type { ErrorCode } from "../contract/errors.ts";
import { requestExamples } from "../contract/openapi/examples.ts";
import { type Operation, pathOf } from "../contract/operation.ts";
import {
  type Answer,
  credentialHeaders,
  repairer,
  supplier,
  type TestCredential,
  type TestService,
} from "./harness.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** The pre-loaded credential an operation takes, if it takes one. */
export const credentialFor = (operation: Operation): TestCredential | null => {
  if (operation.scope === "none") return null;
  return operation.scope === "supplier" ? supplier : repairer;
};

/** The credential headers an operation takes. */
export const headersFor = (operation: Operation): Record<string, string> => {
  const credential = credentialFor(operation);
  return credential ? credentialHeaders(credential) : {};
};

/** A world of its own for each call, so that none meets what another left behind. */
const worldOf = (operation: Operation, what: string): string => `${operation.id}.${what}`.slice(0, 64);

/** An access code that a person has just been given in this world. */
export const freshAccessCode = async (service: TestService, world: string): Promise<string> => {
  const { items } = await service.control(organizationsList, { world });
  const organization_id = items.find((one) => one.scope === "repairer")?.id ?? "";
  const { access_code } = await service.control(accessCodesIssue, {
    world,
    client_id: "demo-client",
    organization_id,
    scope: "repairer",
  });
  return access_code;
};

/**
 * Sends the example of an operation to a world of its own; its access code is made good first.
 *
 * @param what tells the worlds of several calls of one operation apart
 */
export const sendExample = async (
  service: TestService,
  operation: Operation,
  example: unknown,
  what = "example",
): Promise<Answer> => {
  const world = worldOf(operation, what);
  const body =
    operation.id === "integrations.insert"
      ? { ...(example as object), access_code: await freshAccessCode(service, world) }
      : example;
  return service.post(pathOf(operation), body, { ...headersFor(operation), "x-sandbox-tenant": world });
};

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

/** The example, about something that does not exist. */
const aboutNothing = (operation: Operation): unknown => {
  const example: object = requestExamples[operation.id as keyof typeof requestExamples];
  const given = Object.keys(example).filter((key) => key === "identity" || key === "job_identity");
  return { ...example, ...Object.fromEntries(given.map((key) => [key, { id: UNKNOWN }])) };
};

const install = requestExamples["integrations.insert"];
const insert = requestExamples["repairer.jobs.insert"];
const CANCELLED = "0cffe442-29c7-5846-b3f4-7eeb34539c78";
const CANCELLED_AT_MERIDIAN = "c4e479fd-0df9-5ab3-bf5e-50969f1daa34";

/** What provokes a refusal that is an operation's own. */
const provocations: Readonly<Record<string, Partial<Record<ErrorCode, unknown>>>> = {
  "integrations.insert": {
    integration_not_found: { ...install, client_id: "nobody" },
    o_auth_not_supported_by_integration: { ...install, client_id: "demo-client-no-oauth" },
    invalid_client_secret: { ...install, client_secret: "guessed" },
    invalid_access_code: install,
  },
  "repairer.jobs.insert": {
    unprocessable: { identity: { external: "estimate:88213" }, repairer_site_id: insert.repairer_site_id },
    work_provider_not_found: { ...insert, work_provider_contract: "Nobody Mutual" },
  },
  "repairer.jobs.parts.insert": { unprocessable: {} },
  "uploads.prepare": { unprocessable: { ...requestExamples["uploads.prepare"], media_type: "video" } },
  "supplier.procurements.confirm": { unprocessable: { identity: { id: CANCELLED_AT_MERIDIAN } } },
  "repairer.procurements.place": {
    unprocessable: { ...requestExamples["repairer.procurements.place"], sellable_ids: [UNKNOWN] },
  },
  "procurements.cancel": { unprocessable: { identity: { id: CANCELLED } } },
  "repairer.jobs.delete": { unprocessable: { identity: { external: "estimate:88179" } } },
  "repairer.invoices.reconcile": {
    unprocessable: { ...requestExamples["repairer.invoices.reconcile"], identity: { id: CANCELLED } },
  },
};

/** Codes of an operation's row that no call can be answered with: it takes no credential, or one of either scope. */
export const unprovokable = ({ scope }: Operation): readonly ErrorCode[] => {
  if (scope === "none") return ["unauthorized", "forbidden"];
  return scope === "either" ? ["forbidden"] : [];
};

/** Provokes an operation to a code of its own row, or one that a decision adds to it. */
export const provoke = (service: TestService, operation: Operation, code: ErrorCode): Promise<Answer> => {
  const headers: Record<string, string> = { "x-sandbox-tenant": worldOf(operation, code) };
  const credential = credentialFor(operation);
  const wrong = operation.scope === "supplier" ? repairer : supplier;
  if (credential && code !== "unauthorized")
    Object.assign(headers, credentialHeaders(code === "forbidden" ? wrong : credential));
  const body = provocations[operation.id]?.[code] ?? (code === "bad_request" ? {} : aboutNothing(operation));
  return service.post(pathOf(operation), body, headers);
};

/** The codes that are an operation's own: the contract's row, and what decisions add. */
export const ownCodes = ({ errors, decidedErrors = {} }: Operation): readonly ErrorCode[] => [
  ...errors,
  ...(Object.keys(decidedErrors) as ErrorCode[]),
];

/** A call whose Host header names another service; `fetch` does not allow that. */
const callOtherHost = async (service: TestService, path: string): Promise<Answer> => {
  const request = http.request(service.baseUrl + path, { method: "POST", headers: { host: "example.com" } }).end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const body = await text(response);
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { status: response.statusCode ?? 0, headers, text: body, body: JSON.parse(body) };
};

/** Provokes the refusals that do not depend on the operation, each by its name in the document. */
export const provokeShared = async (
  service: TestService,
  operation: Operation,
): Promise<Readonly<Record<string, Readonly<Record<string, Answer>>>>> => {
  const path = pathOf(operation);
  const headers = { ...JSON_TYPE, ...headersFor(operation) };
  const send = (changes: Record<string, string>, body: string) =>
    service.raw(path, { headers: { ...headers, ...changes }, body });
  return {
    bad_request: {
      wrong_shape: await send({}, "[]"),
      not_json: await send({}, '{"identity":'),
      tenant_name: await send({ "x-sandbox-tenant": "no name" }, "{}"),
    },
    method_not_allowed: { get: await service.raw(path, { method: "GET", headers }) },
    payload_too_large: { too_large: await send({}, " ".repeat(1024 * 1024 + 1)) },
    unsupported_media_type: { text: await send({ "content-type": "text/plain" }, "{}") },
    misdirected_request: { other_host: await callOtherHost(service, path) },
  };
};
