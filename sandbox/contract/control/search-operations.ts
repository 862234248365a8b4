import type { Static } from "typebox";
import * as Type from "typebox";
import { Items, OneOf } from "../schema.ts";
import { read } from "./declaring.ts";

const SearchHit = Type.Object({
  kind: OneOf(["job", "procurement", "insurer", "organization", "integration", "request", "delivery", "subscription"]),
  id: Type.String({ description: "Of the thing; of an insurer its organization" }),
  label: Type.String({ description: "What a person knows it by" }),
  detail: Type.String({ description: "What tells it from others, in one short line; may be empty" }),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEverywhere = read(
  "search.everywhere",
  "What a text or an identifier may be of: of each kind the first six. Requests, deliveries and events are found by their identifiers, whole or by what they begin with, from eight characters on.",
  { query: Type.String({ format: "text", pattern: "\\S", maxLength: 256, description: "In either case" }) },
  Items(SearchHit),
);
