import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, OneOf, Timestamp } from "../schema.ts";
import { read, view } from "./declaring.ts";

const SearchHit = Type.Object({
  kind: OneOf(["job", "procurement", "insurer", "organization", "integration", "request", "delivery", "subscription"]),
  id: Type.String({ description: "The item’s ID; for an insurer its organization" }),
  label: Type.String({ description: "A readable name" }),
  detail: Type.String({ description: "A short line that identifies it; may be empty" }),
  at: Type.Optional(Timestamp("When a call was made")),
  reason: Type.Optional(Type.String({ description: "Why a call was refused" })),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEverywhere = read(
  "search.everywhere",
  "Searches everything: the first six hits of each kind. Calls, deliveries and events are found by ID or by its first eight or more characters. Refused calls are also found by path, label, error code and job; the newest 1,000 also by headers and bodies.",
  { query: Type.String({ format: "text", pattern: "\\S", maxLength: 256, description: "Ignores case" }) },
  Items(SearchHit),
  view,
);
