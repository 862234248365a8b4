import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import { type Operation, operationPath } from "../contract/operation.ts";
import {
  credentialHeaders,
  repairer,
  type ServiceResponse,
  supplier,
  type TestCredential,
  type TestService,
} from "./harness.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Returns the pre-loaded credential for an operation, if it takes one. */
const credentialFor = (operation: Operation): TestCredential | null => {
  if (operation.scope === "none") return null;
  return operation.scope === "supplier" ? supplier : repairer;
};

/** Returns the credential headers for an operation. */
export const headersFor = (operation: Operation): Record<string, string> => {
  const credential = credentialFor(operation);
  return credential ? credentialHeaders(credential) : {};
};

/** Each call has its own world, so that calls don't affect each other. */
const callWorld = (operation: Operation, what: string): string => `${operation.id}.${what}`.slice(0, 64);

/** Returns an unused access code of this world. */
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
 * Sends an operation's example to its own world, with a valid access code.
 * @param what separates the worlds of several calls of one operation
 */
export const sendExample = async (
  service: TestService,
  operation: Operation,
  example: unknown,
  what = "example",
): Promise<ServiceResponse> => {
  const world = callWorld(operation, what);
  const body =
    operation.id === "integrations.insert"
      ? { ...(example as object), access_code: await freshAccessCode(service, world) }
      : example;
  return service.post(operationPath(operation), body, { ...headersFor(operation), "x-sandbox-tenant": world });
};

/** Sends a Host header of another service, which `fetch` does not permit. */
const callOtherHost = async (service: TestService, path: string): Promise<ServiceResponse> => {
  const request = http.request(service.baseUrl + path, { method: "POST", headers: { host: "example.com" } }).end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const body = await text(response);
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { status: response.statusCode ?? 0, headers, text: body, body: JSON.parse(body) };
};

/** Causes the refusals that every operation shares, by their names in the document. */
export const provokeShared = async (
  service: TestService,
  operation: Operation,
): Promise<Readonly<Record<string, Readonly<Record<string, ServiceResponse>>>>> => {
  const path = operationPath(operation);
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
