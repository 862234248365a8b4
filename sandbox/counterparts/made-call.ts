import type { Side } from "../contract/control/rows.ts";
import { errorCodes, Refusal } from "../contract/errors.ts";
import { operationPath } from "../contract/operation.ts";
import type { TestValueNote } from "../contract/test-values.ts";
import { type Call, execute, Over, type Result } from "../operations/execute.ts";
import type { BoundHandler, Caller } from "../operations/handler.ts";
import { maskHeader } from "../secrets/masking.ts";
import { newId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";

/** A call that the sandbox makes by itself, for an organization. */
export interface MadeCall {
  readonly bound: BoundHandler;
  readonly organizationId: string;
  readonly scope: Side;
  readonly input: unknown;
  /** Asked when it is its turn: why it is not made any more; null: it is. */
  readonly isOver: () => string | null;
  /** What its record says of test values beside those it met. */
  readonly noted: readonly TestValueNote[];
  /** What came of it, in the transaction of what it changed; `traceId` is null where it was not made. */
  readonly ended: (result: Result, traceId: string | null) => void;
}

export type Around = Pick<Call, "baseUrl" | "signUpload">;

const textOf = ({ value }: Result): string =>
  value instanceof Refusal
    ? JSON.stringify({ type: value.code, ...(value.message === undefined ? {} : { message: value.message }) })
    : JSON.stringify(value);

/**
 * Makes a call through the pipeline of every partner's call, which puts it on record with its origin in the transaction of
 * what it changes. An organization needs no key for it.
 */
export const makeCall = async (world: World, made: MadeCall, around: Around): Promise<Result> => {
  const { bound, organizationId, scope, input } = made;
  const { stores } = world;
  const [id, at, began] = [newId(), realTime(), performance.now()];
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
    const { value, said } = result;
    if (value instanceof Over) {
      made.ended(result, null);
      return;
    }
    const answered = textOf(result);
    const test_values = [...made.noted, ...(said.test_values ?? [])];
    stores.requests.insert({
      ...said,
      ...(test_values.length > 0 ? { test_values } : {}),
      ...{ id, at, method: "POST", path: operationPath(bound.operation), origin: "counterpart" },
      integration_id: credential?.integration_id ?? null,
      status: value instanceof Refusal ? errorCodes[value.code].status : 200,
      duration_ms: performance.now() - began,
      ...{ request_headers, request_body: sent, body_masked: false },
      response_headers: [
        ["x-request-id", id],
        ["content-type", "application/json; charset=utf-8"],
        ["content-length", String(Buffer.byteLength(answered))],
      ],
      response_body: Buffer.from(answered),
    });
    made.ended(result, id);
  };
  const result = await execute(bound, {
    ...{ ...around, world, named: world.name, traceId: id, idsFrom: id, as: caller, isOver: made.isOver, record: keep },
    credentials: { authorization: undefined, integrationId: undefined },
    contentType: "application/json",
    body: sent,
  });
  // What is refused before its turn has changed nothing.
  if (!isKept) await world.write(() => keep(result));
  return result;
};
