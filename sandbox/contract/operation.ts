import type { Static, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { ErrorCode } from "./errors.ts";

export const INTERFACE_VERSION = "2026-01";

/** Where a behaviour comes from; the explorer shows it as a badge, the OpenAPI document as `x-origin`. */
export type Origin = "contract" | "assumption" | "extension";

/** Which address space an operation lives in. */
export type Surface = "contract" | "extension" | "control";

/** `none`: no credential headers at all (`integrations.insert`). */
export type RequiredScope = "repairer" | "supplier" | "either" | "none";

/** One declaration of an operation: the only description of it there is. */
export interface Operation<Req extends TSchema = TSchema, Res extends TSchema = TSchema> {
  readonly id: string;
  readonly surface: Surface;
  readonly summary: string;
  readonly scope: RequiredScope;
  /** Writes run in the world's writer and answer after their commit; reads answer at once. */
  readonly effect: "read" | "write";
  readonly request: Req;
  readonly response: Res;
  /** The codes of the operation's row in the contract, in its order. */
  readonly errors: readonly ErrorCode[];
  /** Codes of its own beyond that row, each with the decisions that add it, for example `["D51"]`. */
  readonly decidedErrors?: Readonly<Partial<Record<ErrorCode, readonly string[]>>>;
  /** `bare`: the listed errors are bare JSON strings (`repairer.jobs.parts.insert`). */
  readonly errorForm?: "bare";
  /** The code a body of the wrong shape is answered with (D3). */
  readonly shapeError: "unprocessable" | "bad_request";
  /** The decisions that fill in where the contract is silent, for example `["D30", "D32"]`. */
  readonly decisions: readonly string[];
  /** D89: of the control plane, it acts on the world it is asked about alone, and shows no secret: a scenario may use it. */
  readonly inScenario?: true;
  /** Of the control plane: who may call it beside the operator; left out: nobody. */
  readonly access?: Access;
}

export type RequestOf<O> = O extends Operation<infer Req, TSchema> ? Static<Req> : never;
export type ResponseOf<O> = O extends Operation<TSchema, infer Res> ? Static<Res> : never;

const bases: Record<Surface, string> = {
  contract: `/api/${INTERFACE_VERSION}/`,
  extension: `/__extensions/${INTERFACE_VERSION}/`,
  control: "/__sandbox/",
};

/** The path an operation is posted to. */
export const operationPath = (operation: Pick<Operation, "id" | "surface">): string =>
  bases[operation.surface] + operation.id;

/** Whatever world a call is for, it may be refused with these. */
export const WORLD_ERRORS = ["too_many_worlds", "world_unavailable"] as const;

/** Every code an operation may answer: the contract's row, then what decisions and the outer parts of the service add. */
export const operationCodes = ({ errors, decidedErrors = {}, shapeError, effect }: Operation): readonly ErrorCode[] => [
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
    ...WORLD_ERRORS,
  ]),
];

/** One of the contract's own codes that the operation answers as a bare string. */
export const isBare = (code: ErrorCode, { errorForm, errors }: Operation): boolean =>
  errorForm === "bare" && errors.includes(code);
