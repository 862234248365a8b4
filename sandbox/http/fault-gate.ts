import type { FastifyReply, FastifyRequest } from "fastify";
import type { FaultError } from "../contract/control/fault-operations.ts";
import type { Side } from "../contract/control/rows.ts";
import { type ErrorCode, errorCodes, Refusal, sentence } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { MAX_WAITING_CALLS, type TestAnswer } from "../contract/test-values.ts";
import { FAULT_STATUS, MAX_HANG_MS } from "../contract/values.ts";
import type { ServiceLog } from "../telemetry/service-log.ts";
import { type Firing, faultMark, type MatchedFaults } from "../worlds/faults.ts";
import type { World } from "../worlds/world.ts";
import { endUnanswered, errorBody, sendJson } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import type { ExchangeLog } from "./plugins/exchange-log.ts";

/** A call that meets a fault or a test value of its job. */
interface GatedCall<R> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly exchange: Exchange;
  /** Determines the form of errors. */
  readonly operation: Operation;
  /** Runs the call in its world and records it. The response may be replaced. Null if the caller disconnected. */
  carryOut(): Promise<R | null>;
  answer(result: R): void;
}

type WaitingCall = Pick<GatedCall<unknown>, "request" | "reply" | "exchange">;

/** The caller; null if unknown. */
export type KnownCaller = { readonly integration_id: string; readonly side: Side | null } | null;

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Contract codes with a message. */
const WITH_MESSAGE: readonly string[] = ["unprocessable", "bad_request"];

/** Response requested by a test value (D93), in the operation's form. */
export const testAnswerText = ({ status, code }: TestAnswer, operation: Operation, requestId: string): string => {
  const message = "The claim number of the job asks for this response, with a test value.";
  const sentMessage = status >= 429 || WITH_MESSAGE.includes(code) ? message : undefined;
  const form = errorBody(new Refusal(code, sentMessage), operation);
  return JSON.stringify(code === "internal_error" ? { ...(form as object), request_id: requestId } : form);
};

/** Adds Retry-After, in seconds, to requested responses whose status implies one. */
export const setRetryAfter = (reply: FastifyReply, status: number): void => {
  if (status === 429 || status === 503) reply.header("retry-after", "1");
};

/** Code of a fault that names none; like every code of the service, it has a page in the help. */
const usualCode = (status: number | undefined): ErrorCode => (status === 429 ? "rate_limited" : "unavailable");

const createFaultResponse = (
  { status, code = usualCode(status) }: FaultError,
  operation: Operation,
  requestId: string,
): { readonly status: number; readonly code: string; readonly text: string } => {
  const known = isKnown(code) ? code : null;
  const form = known ? errorBody(new Refusal(known), operation) : { type: code };
  const whole = known === "internal_error" && typeof form === "object" ? { ...form, request_id: requestId } : form;
  return { status: status ?? (known ? errorCodes[known].status : FAULT_STATUS), code, text: JSON.stringify(whole) };
};

/** Applies the faults of a world to its calls. */
export class FaultGate {
  readonly #log: ServiceLog;
  readonly #exchanges: ExchangeLog;
  /** Releases each delayed call. */
  readonly #held = new Set<() => void>();
  /** Calls that test values delay, by world. */
  readonly #waiting = new Map<string, number>();

  constructor(log: ServiceLog, exchanges: ExchangeLog) {
    this.#log = log;
    this.#exchanges = exchanges;
  }

  /** Faults that apply to a call; null if there are none. */
  matchFaults(
    { faults }: World,
    { id }: FastifyRequest,
    exchange: Exchange,
    caller: KnownCaller,
  ): MatchedFaults | null {
    const { integration_id, side } = caller ?? { integration_id: null, side: null };
    const met = faults.match({ operation: exchange.details.operation ?? "", integration_id }, id);
    if (met) Object.assign(exchange.details, { integration_id, side });
    return met;
  }

  /** Applies faults to a call. The call is recorded in a separate commit, because its response isn't known earlier. */
  async applyFaults<R>(met: MatchedFaults, call: GatedCall<R>): Promise<void> {
    const { exchange } = call;
    await this.#recorded(met);
    if (!(await this.#meetAll(met.before, call, exchange))) return;
    const result = await call.carryOut();
    if (result === null) return;
    if (!(await this.#meetAll(met.after, call, exchange))) return;
    call.answer(result);
  }

  /** A failed record must not replace the fault. */
  async #recorded(met: MatchedFaults): Promise<void> {
    await met.recorded.catch((error: unknown) => this.#log.error("a fired fault could not be stored", error));
  }

  /** @returns whether the call continues */
  async #meetAll<R>(firings: readonly Firing[], call: GatedCall<R>, exchange: Exchange): Promise<boolean> {
    for (const firing of firings) {
      exchange.details.faults = [...(exchange.details.faults ?? []), faultMark(firing)];
      if (!(await this.#meet(firing, call, exchange))) return false;
    }
    return true;
  }

  async #meet<R>(firing: Firing, { request, reply, operation }: GatedCall<R>, exchange: Exchange): Promise<boolean> {
    const { effect } = firing.fault;
    const { details } = exchange;
    const outcome =
      details.outcome === "" ? firing.row.sentence : `${sentence(details.outcome)} ${firing.row.sentence}`;
    const respond = (status: number, code: string | null, text: string): false => {
      Object.assign(details, { error_code: code, outcome });
      sendJson(reply, status, text);
      return false;
    };
    const leave = async (last: string): Promise<false> => {
      details.outcome = last;
      await this.#leave(request, reply);
      return false;
    };
    if (effect.delay) {
      const end = firing.row.when === "before" ? "so it never ran" : "but it has run";
      return (await this.#hold(effect.delay.ms, reply)) || leave(`${outcome} The caller did not wait for it, ${end}.`);
    }
    if (effect.hang) {
      const waited = await this.#hold(MAX_HANG_MS, reply);
      return leave(`${outcome} ${waited ? "The connection was closed." : "The caller gave up."}`);
    }
    if (effect.drop) return leave(outcome);
    if (effect.error) {
      const { status, code, text } = createFaultResponse(effect.error, operation, request.id);
      setRetryAfter(reply, status);
      return respond(status, code, text);
    }
    const { limit, window_seconds } = effect.rate_limit ?? { limit: 0, window_seconds: 0 };
    const seconds = firing.retryAfterSeconds ?? 1;
    reply.header("retry-after", String(seconds));
    const message = `Rate limit: at most ${limit} calls in ${window_seconds} s. Try again in ${seconds} s.`;
    return respond(429, "rate_limited", JSON.stringify({ type: "rate_limited", message }));
  }

  /**
   * Delays a call for a test value (D93), unless too many calls of its world wait.
   *
   * @returns whether it waited; null if the caller disconnected, which is then recorded
   */
  async wait(ms: number, { request, reply, exchange }: WaitingCall): Promise<boolean | null> {
    const { world } = exchange;
    const waiting = this.#waiting.get(world) ?? 0;
    if (waiting >= MAX_WAITING_CALLS) return false;
    this.#waiting.set(world, waiting + 1);
    try {
      if (await this.#hold(ms, reply)) return true;
    } finally {
      const left = (this.#waiting.get(world) ?? 0) - 1;
      if (left > 0) this.#waiting.set(world, left);
      else this.#waiting.delete(world);
    }
    exchange.details.outcome = "A test value delayed it, and the caller did not wait for it.";
    await this.#leave(request, reply);
    return null;
  }

  /** Records a call without a response and closes its connection. */
  async #leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#exchanges.write(request, reply, null);
    endUnanswered(reply);
  }

  /** Delays a call, at most until the service stops. @returns whether the caller is still connected */
  #hold(ms: number, { raw }: FastifyReply): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        raw.off("close", end);
        this.#held.delete(end);
        resolve(!raw.destroyed);
      };
      const timer = setTimeout(end, raw.destroyed ? 0 : ms);
      raw.once("close", end);
      this.#held.add(end);
    });
  }

  /** Ends all waits when the service stops: delayed calls continue, hanging ones end. */
  releaseAll(): void {
    for (const release of [...this.#held]) release();
  }
}
