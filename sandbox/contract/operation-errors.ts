import type { ErrorCode } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** Whatever world a call is for, it may be refused with these. */
export const ofItsWorld = ["too_many_worlds", "world_unavailable"] as const;

/** Every code an operation may answer: the contract's row, then what decisions and the outer parts of the service add. */
export const codesOf = ({ errors, decidedErrors = {}, shapeError, effect }: Operation): readonly ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...errors,
    ...(Object.keys(decidedErrors) as ErrorCode[]),
    shapeError,
    "bad_request",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "misdirected_request",
    "rate_limited",
    "internal_error",
    ...(effect === "write" ? (["storage_unavailable"] as const) : []),
    ...ofItsWorld,
  ]),
];

/** One of the contract's own codes that the operation answers as a bare string. */
export const isBare = (code: ErrorCode, { errorForm, errors }: Operation): boolean =>
  errorForm === "bare" && errors.includes(code);
