/**
 * Every error code of the service with its HTTP status and its meaning for the caller. Source: contract, "Errors";
 * statuses it leaves open are D1, codes outside it are D3 to D6 and D12.
 */
export const errorCodes = {
  unauthorized: {
    status: 401,
    origin: "contract",
    meaning: "A credential header is missing or cannot be read, or the key and integration are not a known pair.",
  },
  forbidden: {
    status: 403,
    origin: "contract",
    meaning: "The credential is valid but has the wrong scope.",
  },
  integration_not_found: {
    status: 404,
    origin: "contract",
    meaning: "Install: no client has this client_id.",
  },
  o_auth_not_supported_by_integration: {
    status: 403,
    origin: "contract",
    meaning: "Install: the client is not enabled for OAuth install.",
  },
  invalid_client_secret: {
    status: 401,
    origin: "contract",
    meaning: "Install: the client_secret does not match.",
  },
  invalid_access_code: {
    status: 401,
    origin: "contract",
    meaning: "Install: the access code is unknown, expired or already used.",
  },
  not_found: {
    status: 404,
    origin: "D1",
    meaning: "The job, order or operation does not exist for this caller.",
  },
  bad_request: {
    status: 400,
    origin: "D1",
    meaning: "The request is malformed.",
  },
  unprocessable: {
    status: 422,
    origin: "D1",
    meaning: "The request is well formed but can’t be processed; the message says why.",
  },
  work_provider_not_found: {
    status: 404,
    origin: "D1",
    meaning: "The work provider of a job insert does not exist.",
  },
  unsupported_media_type: {
    status: 415,
    origin: "D4",
    meaning: "The body’s content type is not application/json.",
  },
  payload_too_large: {
    status: 413,
    origin: "D6",
    meaning: "The body is larger than the limit.",
  },
  method_not_allowed: {
    status: 405,
    origin: "D5",
    meaning: "The address exists, but not for this method.",
  },
  misdirected_request: {
    status: 421,
    origin: "D2",
    meaning: "The Host header names a host this service doesn’t serve.",
  },
  rate_limited: {
    status: 429,
    origin: "D11",
    meaning:
      "More calls within a minute than the operator of this sandbox allows; `Retry-After` has the seconds to wait. Or more live feeds of one token than may be open.",
  },
  unavailable: {
    status: 503,
    origin: "D93",
    meaning: "A fault of the world, or a test value of the job, asks for this response.",
    remedy:
      "Clear the fault, or change the job’s claim number. A client handles it as it would an overloaded service: it waits as long as `Retry-After` says, then sends the call again.",
  },
  internal_error: {
    status: 500,
    origin: "D12",
    meaning: "Unexpected error; check whether something was changed.",
  },
  storage_unavailable: {
    status: 503,
    origin: "D12",
    meaning: "The change couldn’t be saved; the message says what is known of it.",
  },
  no_such_world: {
    status: 404,
    origin: "D85",
    meaning: "A control operation read a world that doesn’t exist.",
    remedy:
      "Check the world’s name. A call with a key, or a control operation that changes something, creates a world.",
  },
  too_many_worlds: {
    status: 503,
    origin: "D85",
    meaning: "The world limit is reached, so no new world was created.",
  },
  world_unavailable: {
    status: 503,
    origin: "D87",
    meaning: "The world’s file is damaged or invalid; the message says why. Other worlds are not affected.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The reason for a refusal, for the record. The response contains only the code and the message. */
export interface RefusalReason {
  /** Name in the table of causes when the call was recorded. */
  readonly cause: string;
  /** The fields at fault, as JSON Pointers into the body. */
  readonly pointers: readonly string[];
  /** The precise reason as a sentence, which the response must not reveal. */
  readonly fact?: string;
  /** Position where a body stops being JSON, from 1. */
  readonly place?: Place;
  /** The ID of the earlier call that already did the same. */
  readonly earlier?: string;
  /** Values that the call likely meant, by their JSON Pointers. Without a value: leave the field out. */
  readonly meant?: readonly (readonly [pointer: string, value?: unknown])[];
  /** Remedy with what the service knows beyond the cause's, such as a value. */
  readonly remedy?: string;
  /** Where the cause is, if it isn't the caller: a fault of an earlier call, or a moved clock. */
  readonly side?: "sandbox" | "fault";
  /** A further mistake, for which the corrected call would be refused. */
  readonly next?: Pick<RefusalReason, "cause" | "pointers" | "elsewhere"> & {
    readonly fact: string;
    readonly remedy: string;
  };
  /** The reason when it lies in another world: shown only to readers who may see that world. */
  readonly elsewhere?: {
    readonly world: string;
    readonly fact: string;
    /** True if this world's own reason stays the cause, and the fact is only told beside it. */
    readonly beside?: true;
    /** Remedy for those readers, in place of the cause's. */
    readonly remedy?: string;
  };
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Adds a full stop and a capital letter, unless the message starts with a field's path. */
export const sentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(text) ? capital : `${capital}.`;
};

/** Returned by handlers instead of a value: a code of the operation and, for codes that carry one, a message. */
export class Refusal {
  readonly code: ErrorCode;
  readonly message: string | undefined;
  readonly why: RefusalReason | null;

  constructor(code: ErrorCode, message?: string, why: RefusalReason | null = null) {
    this.code = code;
    this.message = message === undefined ? undefined : sentence(message);
    this.why = why;
  }
}

/** Refuses a call with a code that its declaration lists. */
export const refuse = (code: ErrorCode, message?: string): Refusal => new Refusal(code, message);

/** Message of refusals in old records that have none. */
export const NO_MESSAGE = "nothing changed";
