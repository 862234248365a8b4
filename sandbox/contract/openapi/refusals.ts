import { type ErrorCode, errorCodes } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { badgeOf } from "./badge.ts";
import type { Json, Plain } from "./json-schema.ts";
import { examplesOf, type Recorded } from "./recorded.ts";
import {
  composedExample,
  decisionsOf,
  headersOf,
  type SharedName,
  sharedNameOf,
  sharedResponse,
  taggedSchema,
} from "./shared-refusals.ts";

/** Every code an operation may answer: the contract's row, then what decisions and the outer parts of the service add. */
const codesOf = ({ errors, decidedErrors = {}, shapeError, effect }: Operation): readonly ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...errors,
    ...(Object.keys(decidedErrors) as ErrorCode[]),
    shapeError,
    "bad_request",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "misdirected_request",
    "internal_error",
    ...(effect === "write" ? (["storage_unavailable"] as const) : []),
  ]),
];

/** One of the contract's own codes that the operation answers as a bare string. */
const isBare = (code: ErrorCode, { errorForm, errors }: Operation): boolean =>
  errorForm === "bare" && errors.includes(code);

/** The name of the response an operation shares with all others for a code. */
const sharedWithAll = (code: ErrorCode, operation: Operation): SharedName | null => {
  if (isBare(code, operation) || operation.decidedErrors?.[code]) return null;
  const takesShape = operation.shapeError === "bad_request" || operation.errors.includes("bad_request");
  return code === "bad_request" && !takesShape ? "BadTenantName" : sharedNameOf(code);
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
    const [code] = codes;
    const name = code && codes.length === 1 ? sharedWithAll(code, operation) : null;
    return name ? sharedResponse(name) : ownResponse(status, codes, operation, recorded);
  };
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), responseOf(status, codes)]),
  );
};
