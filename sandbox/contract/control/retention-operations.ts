import type { Static } from "typebox";
import * as Type from "typebox";
import { manage, read, view, write } from "./declaring.ts";

/** Bounds of what can be set. */
export const retentionBounds = {
  max_age_hours: { minimum: 1, maximum: 87_600 },
  max_megabytes: { minimum: 1, maximum: 65_536 },
} as const;

/** What a world keeps while nobody says otherwise. */
export const defaultRetention: Retention = { max_age_hours: 168, max_megabytes: 256 };

const ages = { ...retentionBounds.max_age_hours, description: "Older records are deleted. Whole hours" };
const sizes = {
  ...retentionBounds.max_megabytes,
  description: "Above this size the oldest records are deleted. Whole mebibytes (1,048,576 bytes)",
};

/**
 * How much a world keeps of what happened in it: exchanges, the log with its state changes, events, deliveries and their
 * attempts. Whichever limit is met first counts. What waits to be delivered and
 * what is pinned is kept whatever they say, with its trace.
 */
export const Retention = Type.Object({ max_age_hours: Type.Integer(ages), max_megabytes: Type.Integer(sizes) });
export type Retention = Static<typeof Retention>;

export const retentionGet = read("retention.get", "A world’s retention limits.", {}, Retention, view);
export const retentionSet = write(
  "retention.set",
  "Sets a world’s retention limits; absent fields don’t change. Older records are deleted in the background, except pending deliveries and pinned calls.",
  {
    max_age_hours: Type.Optional(Type.Integer(ages)),
    max_megabytes: Type.Optional(Type.Integer(sizes)),
  },
  Retention,
  manage,
);

export const retentionOperations = [retentionGet, retentionSet] as const;
