import { type ErrorCode, errorCodes } from "../errors.ts";
import { badgeOf } from "./badge.ts";
import type { Json, Plain } from "./json-schema.ts";
import { examplesOf, type Recorded } from "./recorded.ts";

interface SharedRefusal {
  readonly code: ErrorCode;
  /** What decides it beyond the code's own status. */
  readonly decisions?: readonly string[];
  /** The recorded examples it has; left out: all of its code. */
  readonly examples?: readonly string[];
}

/** Refusals that mean the same wherever they occur, by the name of their response in the document. */
const sharedRefusals = {
  Unauthorized: { code: "unauthorized" },
  Forbidden: { code: "forbidden" },
  NotFound: { code: "not_found" },
  BadRequest: { code: "bad_request", decisions: ["D3", "D81"] },
  BadTenantName: { code: "bad_request", decisions: ["D81"], examples: ["tenant_name"] },
  MethodNotAllowed: { code: "method_not_allowed" },
  PayloadTooLarge: { code: "payload_too_large" },
  UnsupportedMediaType: { code: "unsupported_media_type" },
  MisdirectedRequest: { code: "misdirected_request" },
  InternalError: { code: "internal_error" },
  StorageUnavailable: { code: "storage_unavailable" },
} as const satisfies Record<string, SharedRefusal>;

export type SharedName = keyof typeof sharedRefusals;

/** Codes that come without a message when an operation answers them. */
const withoutMessage = (code: ErrorCode): boolean =>
  errorCodes[code].origin === "contract" || code === "not_found" || code === "work_provider_not_found";

/** The type-tagged form of these codes (contract, "Errors"). */
export const taggedSchema = (codes: readonly ErrorCode[]): Plain => ({
  type: "object",
  required: ["type", ...(codes.some(withoutMessage) ? [] : ["message"])],
  properties: {
    type: { type: "string", enum: [...codes] },
    message: { type: "string", description: "What is wrong, for a person to read." },
    ...(codes.includes("internal_error")
      ? { request_id: { type: "string", format: "uuid", description: "The x-request-id of this exchange." } }
      : {}),
  },
});

/** An example of a code in its type-tagged form, for where none was recorded. */
export const composedExample = (code: ErrorCode): Json => {
  if (withoutMessage(code)) return { type: code };
  const { meaning } = errorCodes[code];
  return code === "internal_error"
    ? { type: code, message: meaning, request_id: "0d1f8a54-7c3e-4b6a-9f21-5e8c4d7b9a60" }
    : { type: code, message: meaning };
};

/** The decisions a code rests on by itself: those that gave it its status, or that made it. */
export const decisionsOf = (code: ErrorCode): readonly string[] => {
  const { origin } = errorCodes[code];
  return origin === "contract" ? [] : [origin];
};

/** The headers of an answer with this status. */
export const headersOf = (status: number): Plain => ({
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  ...(status === 401 ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
  ...(status === 405 ? { Allow: { $ref: "#/components/headers/Allow" } } : {}),
});

/** A reference to a shared response. */
export const sharedResponse = (name: SharedName): Plain => ({ $ref: `#/components/responses/${name}` });

/** The status of a shared response. */
export const sharedStatusOf = (name: SharedName): number => errorCodes[sharedRefusals[name].code].status;

/** The name of the response that every operation shares for a code, if there is one. */
export const sharedNameOf = (code: ErrorCode): SharedName | null =>
  (Object.keys(sharedRefusals) as SharedName[]).find((name) => sharedRefusals[name].code === code) ?? null;

const examplesFor = ({ code, examples }: SharedRefusal, recorded: Recorded): Readonly<Record<string, Json>> => {
  const all = recorded.shared[code] ?? { [code]: composedExample(code) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => examples === undefined || examples.includes(name)));
};

const responseOf = (refusal: SharedRefusal, recorded: Recorded): Plain => {
  const { code, decisions = [] } = refusal;
  const { status, meaning } = errorCodes[code];
  return {
    description: meaning,
    ...badgeOf([...decisionsOf(code), ...decisions]),
    headers: headersOf(status),
    content: {
      "application/json": { schema: taggedSchema([code]), examples: examplesOf(examplesFor(refusal, recorded)) },
    },
  };
};

/** The shared responses, by name. */
export const sharedResponses = (recorded: Recorded): Plain =>
  Object.fromEntries(Object.entries(sharedRefusals).map(([name, refusal]) => [name, responseOf(refusal, recorded)]));
