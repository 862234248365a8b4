import * as Type from "typebox";
import { OptionalNullable, Text, Uuid } from "../schema.ts";
import { orUnprocessable, writeOne } from "./declaring.ts";
import { RequestRow } from "./rows.ts";

/** So many exchanges of a world can be pinned. */
export const MOST_PINNED = 200;

export const requestsAnnotate = writeOne(
  "requests.annotate",
  `Pins an exchange, which then stays whatever retention says, with its trace, at most ${MOST_PINNED} in a world; and notes what a person has to say of it. A reset takes them along.`,
  {
    id: Uuid(),
    pinned: Type.Optional(Type.Boolean({ description: "Left out: it stays as it is" })),
    note: OptionalNullable(Text("null: it has none; left out: it stays as it is")),
  },
  RequestRow,
  orUnprocessable,
);

export const requestOperations = [requestsAnnotate] as const;
