import type { Cause } from "./causes.ts";

/**
 * Every error code the service answers, with its HTTP status, what it means to the caller and what to do.
 * Section "Errors" of the contract; statuses it leaves open are D1, codes outside it are D3 to D6 and D12.
 */
export const errorCodes = {
  unauthorized: {
    status: 401,
    origin: "contract",
    meaning: "A credential header is missing or cannot be read, or the key and integration are not a known pair.",
    remedy: "Send `Authorization: Bearer <api_key>` with the `Service-Integration-ID` of the same installation.",
  },
  forbidden: {
    status: 403,
    origin: "contract",
    meaning: "The credential is valid but has the wrong scope.",
    remedy: "Send a key of the scope that the operation takes.",
  },
  integration_not_found: {
    status: 404,
    origin: "contract",
    meaning: "Install: no client has this client_id.",
    remedy: "Send a client_id that this sandbox knows. Install lists them.",
  },
  o_auth_not_supported_by_integration: {
    status: 403,
    origin: "contract",
    meaning: "Install: the client is not enabled for OAuth install.",
    remedy: "Use a client that is enabled for OAuth install.",
  },
  invalid_client_secret: {
    status: 401,
    origin: "contract",
    meaning: "Install: the client_secret does not match.",
    remedy: "Send the client_secret of the same client.",
  },
  invalid_access_code: {
    status: 401,
    origin: "contract",
    meaning: "Install: the access code is unknown, expired or already used.",
    remedy: "Get a new access code. Each one works once and soon expires.",
  },
  not_found: {
    status: 404,
    origin: "D1",
    meaning: "The job, procurement or operation does not exist for this caller.",
    remedy: "Check the identifier and whose key you send. What belongs to others is answered not_found too.",
  },
  bad_request: {
    status: 400,
    origin: "D1",
    meaning: "The request is malformed.",
    remedy: "Correct the field the message names and send the call again.",
  },
  unprocessable: {
    status: 422,
    origin: "D1",
    meaning: "The request is well formed but cannot be carried out; the message says why.",
    remedy: "Correct what the message names. If it names a state, read the record again before you send.",
  },
  work_provider_not_found: {
    status: 404,
    origin: "D1",
    meaning: "The work provider of a job insert does not exist.",
    remedy: "Send an identifier that repairer.work-providers.list answers.",
  },
  unsupported_media_type: {
    status: 415,
    origin: "D4",
    meaning: "The body was sent under a content type other than application/json.",
    remedy: "Send the body as application/json.",
  },
  payload_too_large: {
    status: 413,
    origin: "D6",
    meaning: "The body is larger than the limit.",
    remedy: "Send less in one call.",
  },
  method_not_allowed: {
    status: 405,
    origin: "D5",
    meaning: "The address exists, but takes another method.",
    remedy: "Use the method that the Allow header of the answer names.",
  },
  misdirected_request: {
    status: 421,
    origin: "D2",
    meaning: "The Host header names a host this service does not answer for.",
    remedy: "Call the service at the address that it printed.",
  },
  internal_error: {
    status: 500,
    origin: "D12",
    meaning: "Something unexpected happened; nothing was changed.",
    remedy: "Send the call again. If it fails again, report it with the request id.",
  },
  storage_unavailable: {
    status: 503,
    origin: "D12",
    meaning: "The change could not be made durable; nothing was changed.",
    remedy: "Free some space or check the data folder, then send the call again.",
  },
  too_many_worlds: {
    status: 503,
    origin: "D85",
    meaning: "The call would make another world, and there are as many as there may be.",
    remedy: "Delete worlds that you do not need, or raise --max-worlds.",
  },
  world_unavailable: {
    status: 503,
    origin: "D87",
    meaning: "The world's file is damaged or makes no sense; the message says why. Other worlds go on.",
    remedy: "Reset, restore or delete the world. The other worlds go on.",
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Why a call is refused, as data; what is answered has the code and the message alone. */
export interface RefusedFor {
  readonly cause: Cause;
  /** The fields at fault, as JSON Pointers into the body. */
  readonly pointers: readonly string[];
  /** Which of several reasons it was, as a sentence for the record: the answer must not tell. */
  readonly fact?: string;
}

/** What a handler returns instead of a value: a code of its operation and, where the code carries one, a message. */
export class Refusal {
  readonly code: ErrorCode;
  readonly message: string | undefined;
  readonly why: RefusedFor | null;

  constructor(code: ErrorCode, message?: string, why: RefusedFor | null = null) {
    this.code = code;
    this.message = message;
    this.why = why;
  }
}

/** Refuses a call with one of the codes its declaration lists. */
export const refuse = (code: ErrorCode, message?: string): Refusal => new Refusal(code, message);

/** The same for one of the causes that a call of a partner can be explained by. */
export const refuseFor = (
  cause: Cause,
  code: ErrorCode,
  message?: string,
  pointers: readonly string[] = [],
  fact: string | null = null,
): Refusal => new Refusal(code, message, { cause, pointers, ...(fact === null ? {} : { fact }) });

/** What old records say of a refusal that has no message of its own. */
export const NO_MESSAGE = "nothing changed";
