import * as Type from "typebox";
import { Items, OptionalNullable, Text, Uuid } from "../schema.ts";
import { act, orUnprocessable, read, view, writeOne } from "./declaring.ts";
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
  { ...orUnprocessable, ...act },
);

/** The user agents of so many of the newest calls are known. */
export const AGENTS_OF_NEWEST = 1_000;

export const requestsUserAgents = read(
  "requests.user-agents",
  `The User-Agent headers of the newest ${AGENTS_OF_NEWEST.toLocaleString("en")} calls, the most frequent first.`,
  {},
  Items(Type.Object({ user_agent: Text(), calls: Type.Integer({ minimum: 1 }) })),
  view,
);

export const requestOperations = [requestsAnnotate, requestsUserAgents] as const;
