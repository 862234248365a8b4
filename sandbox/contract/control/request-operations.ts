import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { OptionalNullable, Text, Uuid } from "../schema.ts";
import { byId, inWorld } from "./declaring.ts";
import { RequestRow } from "./rows.ts";

/** So many exchanges of a world can be pinned. */
export const MOST_PINNED = 200;

export const requestsAnnotate = controlOperation({
  ...byId,
  id: "requests.annotate",
  effect: "write",
  summary: `Pins an exchange, which then stays whatever retention says, with its trace, at most ${MOST_PINNED} in a world; and notes what a person has to say of it. A reset takes them along.`,
  errors: ["unauthorized", "bad_request", "not_found", "unprocessable"],
  request: inWorld({
    id: Uuid(),
    pinned: Type.Optional(Type.Boolean({ description: "Left out: it stays as it is" })),
    note: OptionalNullable(Text("null: it has none; left out: it stays as it is")),
  }),
  response: RequestRow,
});

export const requestOperations = [requestsAnnotate] as const;
