import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { ReadyLine } from "../../sandbox/contract/ready-line.ts";
import type { operations, paths } from "../openapi-client/generated/integrations-service.ts";
import { resultsFolder, saveFailure } from "./failure.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

/** The ready line of a sandbox that prints its credentials. */
export type LocalReadyLine = ReadyLine & Required<Pick<ReadyLine, "credentials" | "clients">>;

/** The pre-loaded credential of a call: the buyer's or the supplier's. */
export type Side = "repairer" | "supplier";

type IdBelow<Base extends string> = {
  [Path in keyof paths]: Path extends `/${Base}/2026-01/${infer Id extends keyof operations & string}` ? Id : never;
}[keyof paths];

/** The ID of an operation of the API or of its extensions, for example `repairer.jobs.insert`. */
export type OperationId = IdBelow<"api"> | IdBelow<"__extensions">;

const extensions: Record<IdBelow<"__extensions">, true> = {
  "procurements.cancel": true,
  "repairer.invoices.reconcile": true,
  "repairer.jobs.delete": true,
  "repairer.procurements.place": true,
};

/** The request body of an operation. */
export type CallBody<Id extends OperationId> = NonNullable<
  operations[Id]["requestBody"]
>["content"]["application/json"];

/** The response body of an operation. */
export type CallResult<Id extends OperationId> = operations[Id]["responses"][200]["content"]["application/json"];

/** A refused call. */
export class CallError extends Error {
  readonly status: number;
  /** The JSON of the response, or its text. */
  readonly body: unknown;

  constructor(operation: string, status: number, body: string) {
    super(`${operation} was refused with ${status}: ${body}`);
    this.name = "CallError";
    this.status = status;
    this.body = parsed(body);
  }
}

/** A private copy of the sandbox's data. Worlds don't see each other, so each test can have its own. */
export interface World {
  readonly name: string;
  /** The explorer's address for this world. */
  readonly explorer_url: string;
  /** The headers of a JSON call by one side in this world. */
  headers(side: Side): Record<string, string>;
  /**
   * Calls an operation as one side, for example `businesses.list` with `{}`.
   *
   * @throws CallError with the status and the body of the response if the call is refused
   */
  call<Id extends OperationId>(side: Side, operation: Id, body: CallBody<Id>): Promise<CallResult<Id>>;
  /** Starts a webhook receiver in this process and subscribes it to the events of one side. It stops with the world. */
  receiver(side: Side): Promise<Receiver>;
  /**
   * Calls a control operation in this world, for example `clock.advance` with `{ seconds: 60 }`.
   *
   * @throws CallError with the status and the body of the response if the call is refused
   */
  control(operation: string, body?: object): Promise<unknown>;
  /**
   * Saves its calls as a page for the browser and as a reproduction, as `inWorld` does for a failed test, and prints a
   * line with the command to open them. Never throws: the line says why nothing was saved.
   *
   * @param test the name of the test
   * @param folder destination. Default: SANDBOX_TEST_RESULTS, else `sandbox-failures`
   * @returns the written files
   */
  save(test: string, folder?: string): Promise<readonly string[]>;
  /** Deletes the world with all its data. */
  delete(): Promise<void>;
}

/** Creates a fresh world in a running sandbox: a new one, or the named one after a reset. */
export async function freshWorld(
  { base_url, control_token, credentials }: Pick<LocalReadyLine, "base_url" | "control_token" | "credentials">,
  name = `test-${randomUUID()}`,
): Promise<World> {
  const credentialOf = (side: Side) => {
    if (Object.hasOwn(credentials, side)) return credentials[side];
    throw new Error(`There is no side "${side}". Use "repairer" for the buyer or "supplier".`);
  };
  const headers = (side: Side) => ({ ...callHeaders(credentialOf(side)), "x-sandbox-tenant": name });
  const control = (operation: string, body: object = {}): Promise<unknown> =>
    post(
      operation,
      `${base_url}/__sandbox/${operation}`,
      { authorization: `Bearer ${control_token}`, "content-type": "application/json" },
      { ...body, world: name },
    );
  await control("worlds.reset");
  const receivers: Receiver[] = [];
  return {
    name,
    explorer_url: `${base_url}/?world=${name}#token=${control_token}`,
    headers,
    call: async (side, operation, body) => {
      const base = Object.hasOwn(extensions, operation) ? "__extensions" : "api";
      return post(operation, `${base_url}/${base}/2026-01/${operation}`, headers(side), body);
    },
    receiver: async (side) => {
      const { integration_id } = credentialOf(side);
      const receiver = await startReceiver(integration_id, await webhookSecret(base_url, headers(side)));
      receivers.push(receiver);
      const subscription = { integration_id, url: receiver.url };
      await post("webhooks.subscribe", `${base_url}/__webhooks/subscribe`, headers(side), subscription);
      return receiver;
    },
    control,
    save: (test, folder = resultsFolder()) => saveFailure({ name, control, control_token }, test, folder),
    delete: async () => {
      await control("worlds.delete");
      for (const receiver of receivers) receiver.stop();
    },
  };
}

/** The headers of a JSON call with a credential. */
export function callHeaders({ api_key, integration_id }: LocalReadyLine["credentials"][Side]): Record<string, string> {
  return {
    authorization: `Bearer ${api_key}`,
    "service-integration-id": integration_id,
    "content-type": "application/json",
  };
}

/** Requests a credential's webhook secret. @throws CallError */
export async function webhookSecret(base_url: string, headers: Record<string, string>): Promise<string> {
  const url = `${base_url}/__webhooks/secret`;
  const { secret } = await post<{ readonly secret: string }>("webhooks.secret", url, headers, {});
  return secret;
}

/** Avoids `fetch`: it waits for a test's fake timers, and Jest's jsdom has none. */
async function post<Result>(
  operation: string,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Result> {
  const sent = request(url, { method: "POST", headers }).end(JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode = 0 } = response;
  const result = await text(response);
  if (statusCode >= 200 && statusCode < 300) return JSON.parse(result);
  throw new CallError(operation, statusCode, result);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
