import type { TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors.ts";
import { controlOperation, type Operation } from "../operation.ts";
import { Uuid } from "../schema.ts";

const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "Maximum number of items" });

/** Every control operation takes the world it looks at; left out, it is `default`. */
export const inWorld = <P extends TProperties>(properties: P) =>
  Type.Object({
    world: Type.Optional(Type.String({ description: "The world (default: `default`)" })),
    ...properties,
  });

/** What a list that goes on takes: where the last page ended, and how many at most. */
export const paged = {
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the previous page" })),
  limit: Type.Optional(Limit),
};
/** The same of a list of what has an id. */
export const listed = {
  ...paged,
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 500, description: "Only items with these IDs" })),
};
export const reveal = { reveal: Type.Optional(Type.Boolean({ description: "Include secrets" })) };
/** What every control operation answers beside its result. */
export const base = { scope: "none", errors: ["unauthorized", "forbidden", "bad_request"] } as const;
export const byId = { ...base, errors: [...base.errors, "not_found"] } as const;

const declaring =
  (effect: Operation["effect"], errors: readonly ErrorCode[]) =>
  /** @param request what it takes beside the world */
  <const Id extends string, P extends TProperties, Res extends TSchema>(
    id: Id,
    summary: string,
    request: P,
    response: Res,
    more: Partial<Pick<Operation, "access" | "inScenario" | "errors">> = {},
  ) =>
    controlOperation({ id, scope: "none", effect, errors, summary, request: inWorld(request), response, ...more });

/** Declares an operation that reads. */
export const read = declaring("read", base.errors);
/** The same of one thing, which may not be there. */
export const readOne = declaring("read", byId.errors);
/** Declares an operation that changes something. */
export const write = declaring("write", base.errors);
/** The same of one thing, which may not be there. */
export const writeOne = declaring("write", byId.errors);
/** A scenario may use it (D89). */
export const inScenario = { inScenario: true } as const;
/** A token of the world may call it, with this scope at least. */
export const view = { access: { needs: "view" } } as const;
export const act = { access: { needs: "act" } } as const;
export const manage = { access: { needs: "manage" } } as const;
/** It may be impossible as things stand. */
export const orUnprocessable = { errors: [...byId.errors, "unprocessable"] } as const;
