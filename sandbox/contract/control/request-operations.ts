import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { counted } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";

const Counted = Type.Object(counted);
const CountedText = Type.Object({ value: Type.String(), ...counted });

/** What the exchanges of a world can be narrowed to, and how many that leaves of all of them. */
export const RequestFacets = Type.Object({
  refused: Counted,
  changes: Counted,
  faulted: Counted,
  unrouted: Counted,
  anonymous: Counted,
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

export const requestOperations = [requestsFacets] as const;
