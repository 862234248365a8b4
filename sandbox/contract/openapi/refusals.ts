import { type ErrorCode, errorCodes } from "../errors.ts";
import type { Operation, Origin } from "../operation.ts";
import { codesOf, isBare, ofItsWorld } from "../operation-errors.ts";
import { examplesOf, type Recorded } from "./examples.ts";
import type { Json, Plain } from "./schemas.ts";

/** Where a behaviour comes from, and the decisions it rests on, as they stand in the document. */
export const badge = (origin: Origin, decisions: readonly string[] = []): Plain => ({
  "x-origin": origin,
  ...(decisions.length > 0 ? { "x-decisions": [...decisions] } : {}),
});

/** The badge of what the contract says as far as it goes: an assumption where a decision completes it. */
export const badgeOf = (decisions: readonly string[]): Plain =>
  badge(decisions.length > 0 ? "assumption" : "contract", decisions);

interface SharedRefusal {
  readonly codes: readonly ErrorCode[];
  /** What decides it beyond the codes' own status. */
  readonly decisions?: readonly string[];
  /** The recorded examples it has; left out: all of its codes. */
  readonly examples?: readonly string[];
}

/** Refusals that mean the same wherever they occur, by the name of their response in the document. */
const sharedRefusals = {
  Unauthorized: { codes: ["unauthorized"] },
  Forbidden: { codes: ["forbidden"] },
  NotFound: { codes: ["not_found"] },
  BadRequest: { codes: ["bad_request"], decisions: ["D3", "D81"] },
  BadTenantName: { codes: ["bad_request"], decisions: ["D81"], examples: ["tenant_name"] },
  MethodNotAllowed: { codes: ["method_not_allowed"] },
  PayloadTooLarge: { codes: ["payload_too_large"] },
  UnsupportedMediaType: { codes: ["unsupported_media_type"] },
  MisdirectedRequest: { codes: ["misdirected_request"] },
  InternalError: { codes: ["internal_error"] },
  StorageUnavailable: { codes: ["storage_unavailable"] },
  WorldUnavailable: { codes: ofItsWorld },
  WorldOrStorageUnavailable: { codes: ["storage_unavailable", ...ofItsWorld] },
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
export const sharedStatusOf = (name: SharedName): number => errorCodes[sharedRefusals[name].codes[0]].status;

const examplesFor = ({ codes, examples }: SharedRefusal, recorded: Recorded): Readonly<Record<string, Json>> => {
  const all = codes.flatMap((code) => Object.entries(recorded.shared[code] ?? { [code]: composedExample(code) }));
  return Object.fromEntries(all.filter(([name]) => examples === undefined || examples.includes(name)));
};

const meaningOf = (codes: readonly ErrorCode[]): string => {
  const [code] = codes;
  return code && codes.length === 1
    ? errorCodes[code].meaning
    : codes.map((one) => `\`${one}\`: ${errorCodes[one].meaning}`).join("\n\n");
};

const sharedResponseOf = (refusal: SharedRefusal, recorded: Recorded): Plain => {
  const { codes, decisions = [] } = refusal;
  return {
    description: meaningOf(codes),
    ...badgeOf([...new Set([...codes.flatMap(decisionsOf), ...decisions])]),
    headers: headersOf(errorCodes[codes[0] ?? "internal_error"].status),
    content: {
      "application/json": { schema: taggedSchema(codes), examples: examplesOf(examplesFor(refusal, recorded)) },
    },
  };
};

/** The shared responses, by name. */
export const sharedResponses = (recorded: Recorded): Plain =>
  Object.fromEntries(
    Object.entries(sharedRefusals).map(([name, refusal]) => [name, sharedResponseOf(refusal, recorded)]),
  );

/** The name of the response an operation shares with others for all codes of a status. */
const sharedWithOthers = (codes: readonly ErrorCode[], operation: Operation): SharedName | null => {
  if (codes.some((code) => isBare(code, operation) || operation.decidedErrors?.[code])) return null;
  const shapeless = operation.shapeError !== "bad_request" && !operation.errors.includes("bad_request");
  if (shapeless && codes.includes("bad_request")) return codes.length === 1 ? "BadTenantName" : null;
  const names = Object.keys(sharedRefusals) as SharedName[];
  return names.find((name) => String(sharedRefusals[name].codes) === String(codes)) ?? null;
};

const decidedFor = (code: ErrorCode, operation: Operation): readonly string[] => [
  ...decisionsOf(code),
  ...(operation.decidedErrors?.[code] ?? []),
  ...(operation.shapeError === code ? ["D3"] : []),
];

const exampleOf = (code: ErrorCode, operation: Operation, recorded: Recorded): Json =>
  recorded.refusals[operation.id]?.[code] ?? (isBare(code, operation) ? code : composedExample(code));

const schemaOf = (codes: readonly ErrorCode[], operation: Operation): Plain => {
  const bare = codes.filter((code) => isBare(code, operation));
  const tagged = codes.filter((code) => !bare.includes(code));
  if (bare.length === 0) return taggedSchema(tagged);
  const strings: Plain = { type: "string", enum: bare };
  return tagged.length === 0 ? strings : { oneOf: [strings, taggedSchema(tagged)] };
};

const ownResponse = (status: number, codes: readonly ErrorCode[], operation: Operation, recorded: Recorded): Plain => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join("\n\n"),
  ...badgeOf([...new Set(codes.flatMap((code) => decidedFor(code, operation)))]),
  headers: headersOf(status),
  content: {
    "application/json": {
      schema: schemaOf(codes, operation),
      examples: Object.assign(
        {},
        ...codes.map((code) =>
          examplesOf({ [code]: exampleOf(code, operation, recorded) }, badgeOf(decidedFor(code, operation))),
        ),
      ),
    },
  },
});

/** The refusals of an operation by status: by reference where they mean the same for every operation. */
export const refusalResponses = (operation: Operation, recorded: Recorded): Plain => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(operation)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responseOf = (status: number, codes: readonly ErrorCode[]): Plain => {
    const name = sharedWithOthers(codes, operation);
    return name ? sharedResponse(name) : ownResponse(status, codes, operation, recorded);
  };
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), responseOf(status, codes)]),
  );
};
