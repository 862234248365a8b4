import type { Static, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { ErrorCode } from "./errors.ts";

export const INTERFACE_VERSION = "2026-01";

/** Origin of a behaviour: a badge in the explorer, `x-origin` in the OpenAPI document. */
export type Origin = "contract" | "assumption" | "extension";

/** The address space of an operation. */
type Surface = "contract" | "extension" | "control";

/** `none`: no credential headers (`integrations.insert`). */
type RequiredScope = "repairer" | "supplier" | "either" | "none";

/** The only description of an operation. */
export interface Operation<Req extends TSchema = TSchema, Res extends TSchema = TSchema> {
  readonly id: string;
  readonly surface: Surface;
  readonly summary: string;
  readonly scope: RequiredScope;
  /** Writes run in the world's writer and respond after their commit; reads respond immediately. */
  readonly effect: "read" | "write";
  readonly request: Req;
  readonly response: Res;
  /** The codes of the operation's row in the contract, in its order. */
  readonly errors: readonly ErrorCode[];
  /** Codes outside that row, each with the decisions that add it, for example `["D51"]`. */
  readonly decidedErrors?: Readonly<Partial<Record<ErrorCode, readonly string[]>>>;
  /** `bare`: the listed errors are bare JSON strings (`repairer.jobs.parts.insert`). */
  readonly errorForm?: "bare";
  /** The code for a body of the wrong shape (D3). */
  readonly shapeError: "unprocessable" | "bad_request";
  /** The decisions where the contract is silent, for example `["D30", "D32"]`. */
  readonly decisions: readonly string[];
  /** D89: a control operation that acts only on its own world and shows no secret, so scenarios may use it. */
  readonly inScenario?: true;
  /** Callers of a control operation besides the operator; absent: nobody. */
  readonly access?: Access;
}

export type RequestOf<O> = O extends Operation<infer Req, TSchema> ? Static<Req> : never;
export type ResponseOf<O> = O extends Operation<TSchema, infer Res> ? Static<Res> : never;

const bases: Record<Surface, string> = {
  contract: `/api/${INTERFACE_VERSION}/`,
  extension: `/__extensions/${INTERFACE_VERSION}/`,
  control: "/__sandbox/",
};

export const operationPath = (operation: Pick<Operation, "id" | "surface">): string =>
  bases[operation.surface] + operation.id;

/** Errors that a call to any world may return. */
export const WORLD_ERRORS = ["too_many_worlds", "world_unavailable"] as const;

/** Every code of an operation: the contract's row, then those of decisions and of the service's outer layers. */
export const operationCodes = ({
  errors,
  decidedErrors = {},
  shapeError,
  effect,
  surface,
}: Operation): readonly ErrorCode[] => [
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
    ...(surface === "control" ? (["no_such_world"] as const) : []),
    ...WORLD_ERRORS,
  ]),
];

/** Returns whether the operation returns this code of the contract as a bare string. */
export const isBare = (code: ErrorCode, { errorForm, errors }: Operation): boolean =>
  errorForm === "bare" && errors.includes(code);
