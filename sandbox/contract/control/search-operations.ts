import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Items, OneOf } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";

/** What a search over everything finds, in the order in which equal matches stand. */
export const searchKinds = [
  "job",
  "procurement",
  "insurer",
  "organization",
  "integration",
  "request",
  "delivery",
  "subscription",
] as const;

/** How well a value matches, the best first. */
export const searchMatches = ["exact", "prefix", "contains"] as const;

export const SearchHit = Type.Object({
  kind: OneOf(searchKinds),
  id: Type.String({
    description: "Of the job, procurement, organization (insurers too), integration, request, delivery or subscription",
  }),
  label: Type.String({ description: "What a person knows it by" }),
  detail: Type.String({ description: "What tells it from others, in one short line; may be empty" }),
  matched_field: Type.String({
    description:
      "The field that matched. `event_id`: of the request that made the event, or of the delivery of a test event",
  }),
  match: OneOf(searchMatches, "Letters of either case count as the same"),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEverywhere = controlOperation({
  ...base,
  id: "search.everywhere",
  effect: "read",
  summary:
    "What a text or an identifier may be of: jobs, procurements, organizations, integrations, requests, deliveries and subscriptions. Exact matches come before prefixes, prefixes before what contains it, and newer ones before older ones.",
  request: inWorld({
    query: Type.String({
      format: "text",
      pattern: "\\S",
      maxLength: 256,
      description:
        "Spaces around it are left out. Requests, deliveries and events are found by their identifiers, these whole or by what they begin with, from eight characters on",
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 6, description: "At most so many of each kind" }),
    ),
  }),
  response: Items(SearchHit),
});
