import type { Side } from "../contract/control/rows.ts";
import { errorCodes, Refusal } from "../contract/errors.ts";
import { operationPath } from "../contract/operation.ts";
import type { TestValueNote } from "../contract/test-values.ts";
import { type Call, execute, ObsoleteCall, type Result } from "../operations/execute.ts";
import type { BoundHandler, Caller } from "../operations/handler.ts";
import { maskHeader } from "../secrets/masking.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";

/** A call the sandbox makes for an organization. */
export interface MadeCall {
  readonly bound: BoundHandler;
  readonly organizationId: string;
  readonly scope: Side;
  readonly input: unknown;
  /** Called when the call's turn comes. @returns the reason why it is obsolete, or null */
  readonly isOver: () => string | null;
  /** Additional test values for its record. */
  readonly noted: readonly TestValueNote[];
  /** Receives the result in the transaction of its changes; `traceId` is null if no call was made. */
  readonly ended: (result: Result, traceId: string | null) => void;
}

export type CallServices = Pick<Call, "baseUrl" | "signUpload">;

const serializeResult = ({ value }: Result): string =>
  value instanceof Refusal
    ? JSON.stringify({ type: value.code, ...(value.message === undefined ? {} : { message: value.message }) })
    : JSON.stringify(value);

/**
 * Runs a call through the pipeline of partner calls, which records it with its origin in the same transaction. Needs no
 * key.
 */
export const makeCall = async (world: World, call: MadeCall, services: CallServices): Promise<Result> => {
  const { bound, organizationId, scope, input } = call;
  const { stores } = world;
  const [id, at, startedAt] = [newId(), realTime(), performance.now()];
  const credential = stores.credentials.findByOrganization(organizationId, scope);
  const caller: Caller = {
    integration_id: credential?.integration_id ?? "",
    organization_id: organizationId,
    scope,
  };
  const sent = Buffer.from(JSON.stringify(input));
  const request_headers: [string, string][] = [["content-type", "application/json"]];
  if (credential)
    request_headers.push(
      ["authorization", maskHeader("authorization", `Bearer ${credential.api_key}`)],
      ["service-integration-id", credential.integration_id],
    );
  let isKept = false;
  const keep = (result: Result): void => {
    isKept = true;
    const { value, details } = result;
    if (value instanceof ObsoleteCall) {
      call.ended(result, null);
      return;
    }
    const responseText = serializeResult(result);
    const test_values = [...call.noted, ...(details.test_values ?? [])];
    stores.requests.insert({
      ...details,
      ...(test_values.length > 0 ? { test_values } : {}),
      ...{ id, at, method: "POST", path: operationPath(bound.operation), origin: "counterpart" },
      counterpart: stores.directory.organization(organizationId)?.name ?? organizationId,
      integration_id: credential?.integration_id ?? null,
      status: value instanceof Refusal ? errorCodes[value.code].status : 200,
      duration_ms: performance.now() - startedAt,
      ...{ request_headers, request_body: sent, body_masked: false },
      response_headers: [
        ["x-request-id", id],
        ["content-type", "application/json; charset=utf-8"],
        ["content-length", String(Buffer.byteLength(responseText))],
      ],
      response_body: Buffer.from(responseText),
    });
    call.ended(result, id);
  };
  const result = await execute(bound, {
    ...{
      ...services,
      world,
      named: world.name,
      traceId: id,
      idsFrom: id,
      as: caller,
      isOver: call.isOver,
      record: keep,
    },
    credentials: { authorization: undefined, integrationId: undefined },
    contentType: "application/json",
    body: sent,
  });
  // A call refused early has changed nothing, so its record needs a separate write.
  if (!isKept) await world.write(() => keep(result));
  return result;
};
