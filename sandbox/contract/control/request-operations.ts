import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { counted, OptionalNullable, Text, Uuid } from "../schema.ts";
import { base, byId, inWorld } from "./declaring.ts";
import { RequestRow } from "./rows.ts";

const Counted = Type.Object(counted);
const CountedText = Type.Object({ value: Type.String(), ...counted });

/** What the exchanges of a world can be narrowed to, and how many that leaves of all of them. */
export const RequestFacets = Type.Object({
  refused: Counted,
  changes: Counted,
  faulted: Counted,
  unrouted: Counted,
  anonymous: Counted,
  pinned: Counted,
  operations: Type.Array(CountedText),
  statuses: Type.Array(Type.Object({ value: Type.Integer(), ...counted })),
  error_codes: Type.Array(CountedText, { description: "At most 100" }),
});
export type RequestFacets = Static<typeof RequestFacets>;

export const requestsFacets = controlOperation({
  ...base,
  id: "requests.facets",
  effect: "read",
  summary: "What the exchanges of a world can be narrowed to by requests.list, each counted up to 500.",
  request: inWorld({}),
  response: RequestFacets,
});

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

export const requestOperations = [requestsFacets, requestsAnnotate] as const;
