/**
 * Every error code the service answers, with its HTTP status, and what it means to the caller.
 * Section "Errors" of the contract; statuses it leaves open are D1, codes outside it are D3 to D6 and D12.
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
  internal_error: {
    status: 500,
    origin: "D12",
    meaning: "Unexpected error; look whether something was changed.",
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

/** Why a call is refused, as data; what is answered has the code and the message alone. */
export interface RefusedFor {
  /** By its name in the table of causes, as it was when the call was kept. */
  readonly cause: string;
  /** The fields at fault, as JSON Pointers into the body. */
  readonly pointers: readonly string[];
  /** Which of several reasons it was, as a sentence for the record: the answer must not tell. */
  readonly fact?: string;
  /** Where a body stops being JSON, from 1. */
  readonly place?: Place;
  /** The call that did before what this one asks for. */
  readonly earlier?: string;
  /** The reason where it lies in another world: told only to whoever may see that one. */
  readonly elsewhere?: { readonly world: string; readonly fact: string };
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A message as callers read it: with a capital letter, unless it begins with the path of a field, and a full stop. */
const sentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(text) ? capital : `${capital}.`;
};

/** What a handler returns instead of a value: a code of its operation and, where the code carries one, a message. */
export class Refusal {
  readonly code: ErrorCode;
  readonly message: string | undefined;
  readonly why: RefusedFor | null;

  constructor(code: ErrorCode, message?: string, why: RefusedFor | null = null) {
    this.code = code;
    this.message = message === undefined ? undefined : sentence(message);
    this.why = why;
  }
}

/** Refuses a call with one of the codes its declaration lists. */
export const refuse = (code: ErrorCode, message?: string): Refusal => new Refusal(code, message);

/** What old records say of a refusal that has no message of its own. */
export const NO_MESSAGE = "nothing changed";
