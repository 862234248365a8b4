import * as Type from "typebox";
import { OptionalNullable, Text, Uuid } from "../schema.ts";
import { orUnprocessable, writeOne } from "./declaring.ts";
import { RequestRow } from "./rows.ts";

/** So many exchanges of a world can be pinned. */
export const MOST_PINNED = 200;

export const requestsAnnotate = writeOne(
  "requests.annotate",
  `Pins a call, which excludes its trace from retention (at most ${MOST_PINNED} per world), or adds a note. A reset deletes pinned calls too.`,
  {
    id: Uuid(),
    pinned: Type.Optional(Type.Boolean({ description: "Absent: unchanged" })),
    note: OptionalNullable(Text("null: none; absent: unchanged")),
  },
  RequestRow,
  orUnprocessable,
);

export const requestOperations = [requestsAnnotate] as const;
