/**
 * Names in the order of a run. They are separate from the descriptions, so that parsing an address doesn't load those.
 */
export const drillNames = [
  "duplicate",
  "same_moment",
  "reordered",
  "printed_differently",
  "timestamp_forms",
  "twenty_at_once",
  "missing_signature",
  "flipped_byte",
  "wrong_secret",
  "other_integration",
  "missing_timestamp",
  "malformed_timestamp",
  "stale",
  "future",
] as const;
export type DrillName = (typeof drillNames)[number];
