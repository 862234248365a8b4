import type { TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import type { ErrorCode } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { Uuid } from "../schema.ts";

const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "Maximum number of items" });

/** Every control operation takes the world it looks at; left out, it is `default`. */
const inWorld = <P extends TProperties>(properties: P) =>
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

type More = Partial<Pick<Operation, "access" | "inScenario" | "errors">>;

const declaring =
  (effect: Operation["effect"], errors: readonly ErrorCode[], usual: More) =>
  /**
   * @param request what it takes beside the world
   * @param more what is other than usual
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

/** What every control operation answers beside its result. */
export const base = ["unauthorized", "forbidden", "bad_request"] as const;
const byId = [...base, "not_found"] as const;

/** Declarations of what reads and of what changes something: of the service or of a list, and of one thing, which may not be there. */
const allowing = (reading: More, writing: More) => ({
  read: declaring("read", base, reading),
  readOne: declaring("read", byId, reading),
  write: declaring("write", base, writing),
  writeOne: declaring("write", byId, writing),
});

/** A token of the world may call it, with this scope at least. */
export const view = { access: { needs: "view" } } as const;
export const act = { access: { needs: "act" } } as const;
export const manage = { access: { needs: "manage" } } as const;

/** Declares what takes the control token alone. */
export const { read, readOne, write, writeOne } = allowing({}, {});
/** Declares what a token of the world may call, too: to read with the scope `view`, to change something with `act`. */
export const ofWorld = allowing(view, act);
/** The same of what a scenario may use, too (D89). */
export const inScenario = allowing({ inScenario: true, ...view }, { inScenario: true, ...act });

/** It may be impossible as things stand. */
export const orUnprocessable = { errors: [...byId, "unprocessable"] } as const;
