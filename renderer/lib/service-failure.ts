import { type ErrorCode, errorCodes } from "../../sandbox/contract/errors.ts";

/** A refusal or failure in the service's own words. */
export class ServiceFailure extends Error {
  override readonly name: string = "ServiceFailure";
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The contract's error code, for example `unprocessable`; `no_answer` when the service was not reached. */
  readonly code: string;
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Returns whether an ID doesn't exist or is malformed: the address is old or mistyped. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceFailure && (error.status === 404 || error.status === 400);

/** The service didn't respond: stopped, restarting, or the connection broke. */
export class ServiceUnreachable extends ServiceFailure {
  override readonly name = "ServiceUnreachable";
  readonly at: number;

  /** @param at milliseconds of real time */
  constructor(at = Date.now()) {
    super(0, "no_answer", "The service doesn’t respond.");
    this.at = at;
  }
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Returns a code's meaning in the contract's words; null for codes it doesn't list. */
export const errorMeaning = (code: string): string | null => (isErrorCode(code) ? errorCodes[code].meaning : null);

const asRecord = (body: unknown): Record<string, unknown> | null =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : null;

const textIn = (record: Record<string, unknown> | null, key: string): string | null => {
  const value = record?.[key];
  return typeof value === "string" && value !== "" ? value : null;
};

/**
 * Reads a failed response: `{type, message?}`, a bare JSON string (`repairer.jobs.parts.insert`), or the sandbox
 * routes' `{ok: false, reason}`. Anything else keeps its status.
 */
export const failureFrom = (status: number, body: unknown, requestId: string | null): ServiceFailure => {
  const record = asRecord(body);
  const code =
    typeof body === "string" ? body : (textIn(record, "type") ?? textIn(record, "reason") ?? `http_${status}`);
  const message = textIn(record, "message") ?? errorMeaning(code) ?? `The service returned ${status}.`;
  return new ServiceFailure(status, code, message, requestId ?? textIn(record, "request_id"));
};
