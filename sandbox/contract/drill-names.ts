/**
 * What a receiver can be tested with: a notification sent again, or with one thing wrong. The order is that of a run. An
 * address that names one needs none of their descriptions.
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
