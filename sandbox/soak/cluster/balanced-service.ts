import { setTimeout as sleep } from "node:timers/promises";
import { requestsList } from "../../contract/control/operations.ts";
import type { Operation, RequestOf, ResponseOf } from "../../contract/operation.ts";
import type { ReadyLine } from "../../host/ready-line.ts";
import { type RawCall, type ServiceResponse, type TestCredential, TestService } from "../../testing/harness.ts";
import { UnknownOutcomeError, ViolatedGuaranteeError } from "../ledger.ts";

/** Timeout of a call, in milliseconds. */
const CALL_MS = 15_000;
const TRY_EVERY_MS = 100;
/** A balancer's statuses when no node responds. */
const NO_ANSWER = [502, 504];
const UNAVAILABLE = 503;
const PAGE = 200;

/** Several nodes behind one address; a call without a response throws {@link UnknownOutcomeError}. */
export class BalancedService extends TestService {
  /** Number of calls refused with 503. */
  refused = 0;
  /** Calls without a response: the operation and the error. */
  readonly unanswered: string[] = [];

  constructor(url: string, token: string) {
    const ready = { base_url: url, control_token: token } as ReadyLine;
    super("", { ready, address: url, stop: () => Promise.resolve() });
  }

  override async raw<T>(address: string, call: RawCall = {}): Promise<ServiceResponse<T>> {
    const [signal, startedAt] = [AbortSignal.timeout(CALL_MS), performance.now()];
    let how = "";
    const response = await super.raw<T>(address, { ...call, signal }).catch((error: unknown) => {
      how = `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`;
      return null;
    });
    const lost = `${address} was answered with ${response?.status ?? "nothing"}: ${response?.text ?? how}`;
    if (response?.status === UNAVAILABLE) this.refused += 1;
    else if (response === null || NO_ANSWER.includes(response.status))
      this.unanswered.push(`${lost} after ${Math.round(performance.now() - startedAt)} ms`);
    else return response;
    throw new UnknownOutcomeError(lost);
  }

  /** @throws UnknownOutcomeError; ViolatedGuaranteeError for a response without a position */
  override async call<O extends Operation>(
    operation: O,
    body: RequestOf<O>,
    credential?: TestCredential,
    headers: Record<string, string> = {},
  ): Promise<ServiceResponse<ResponseOf<O>>> {
    const { world } = Object(body);
    const placed = typeof world === "string" ? { "x-sandbox-tenant": world, ...headers } : headers;
    const response = await super.call(operation, body, credential, placed);
    if (response.status === 200 && !response.headers.has("x-sandbox-position"))
      throw new ViolatedGuaranteeError(`${operation.id} was answered without a position.`);
    return response;
  }

  /** Returns the IDs of all recorded calls of a world. */
  async recorded(world: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const after: { cursor?: string } = cursor === "" ? {} : { cursor };
      const page = await retryUnknownOutcome(() => this.control(requestsList, { world, limit: PAGE, ...after }));
      for (const { id } of page.items) ids.add(id);
      cursor = page.next_cursor ?? null;
    }
    return ids;
  }
}

/**
 * Retries work with an unknown outcome until it's answered. @throws UnknownOutcomeError after the longest permitted
 * outage
 */
export const retryUnknownOutcome = async <T>(work: () => Promise<T>, patienceMs = 60_000): Promise<T> => {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnknownOutcomeError) || Date.now() > until) throw error;
    }
    await sleep(TRY_EVERY_MS);
  }
};
