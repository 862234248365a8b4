import type { TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { Uuid } from "../schema.ts";

const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "Maximum number of items" });

/** Every control operation takes a world, by default `default`. */
const inWorld = <P extends TProperties>(properties: P) =>
  Type.Object({
    world: Type.Optional(Type.String({ description: "The world (default: `default`)" })),
    ...properties,
  });

/** Request fields of a paged list. */
export const paged = {
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the previous page" })),
  limit: Type.Optional(Limit),
};
/** Request fields of a paged list whose items have IDs. */
export const pagedByIdFields = {
  ...paged,
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 500, description: "Only items with these IDs" })),
};
export const reveal = { reveal: Type.Optional(Type.Boolean({ description: "Include secrets" })) };

type More = Partial<Pick<Operation, "access" | "inScenario" | "errors">>;

const declaring =
  (effect: Operation["effect"], errors: readonly ErrorCode[], usual: More) =>
  /**
   * @param request the fields besides the world
   * @param more differences from the defaults
   */
  <const Id extends string, P extends TProperties, Res extends TSchema>(
    id: Id,
    summary: string,
    request: P,
    response: Res,
    more: More = {},
  ): Operation<ReturnType<typeof inWorld<P>>, Res> & { readonly id: Id } => ({
    ...{ id, summary, surface: "control", scope: "none", effect, shapeError: "bad_request", decisions: [] },
    ...{ errors, ...usual, ...more, request: inWorld(request), response },
  });

/** Errors that every control operation may return. */
export const commonErrors = ["unauthorized", "forbidden", "bad_request"] as const;
const byId = [...commonErrors, "not_found"] as const;

/** Declaration helpers by effect. The `One` variants concern a single thing, which may be missing. */
const allowing = (reading: More, writing: More) => ({
  read: declaring("read", commonErrors, reading),
  readOne: declaring("read", byId, reading),
  write: declaring("write", commonErrors, writing),
  writeOne: declaring("write", byId, writing),
});

/** Callable with a token of the world that has at least this scope. */
const view = { access: { needs: "view" } } as const;
export const act = { access: { needs: "act" } } as const;
export const manage = { access: { needs: "manage" } } as const;

/** Declares operations for the control token only. */
export const { read, readOne, write, writeOne } = allowing({}, {});
/** Declares operations that world tokens may call: reads with scope `view`, writes with scope `act`. */
export const worldScoped = allowing(view, act);
/** Declares operations that scenarios may use, too (D89). */
export const scenarioUsable = allowing({ inScenario: true, ...view }, { inScenario: true, ...act });

/** Adds the error for requests that conflict with the current state. */
export const withUnprocessable = { errors: [...byId, "unprocessable"] } as const;
