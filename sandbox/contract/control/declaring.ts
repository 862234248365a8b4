import type { TProperties } from "typebox";
import * as Type from "typebox";
import { Uuid } from "../schema.ts";

const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "How many items at most" });

/** Every control operation takes the world it looks at; left out, it is `default`. */
export const inWorld = <P extends TProperties>(properties: P) =>
  Type.Object({
    world: Type.Optional(Type.String({ description: "The world; left out: `default`" })),
    ...properties,
  });

/** What a list that goes on takes: where the last page ended, and how many at most. */
export const paged = {
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the page before" })),
  limit: Type.Optional(Limit),
};
/** The same of a list of what has an id. */
export const listed = {
  ...paged,
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 500, description: "Only those of these ids" })),
};
export const reveal = { reveal: Type.Optional(Type.Boolean({ description: "Include secrets" })) };
/** What every control operation answers beside its result. */
export const base = { scope: "none", errors: ["unauthorized", "bad_request"] } as const;
export const byId = { ...base, errors: ["unauthorized", "bad_request", "not_found"] } as const;
