/**
 * Why a try was lost through no fault of the receiver that could be told: kept as a try of its own, because nothing that
 * was sent is hidden, and no step of the schedule (D72). Each goes again at once.
 */
export const lostTries = {
  /** Behind one whose connection ended. */
  behind: "the connection ended before its turn; it goes again at once",
  /** On its way to a kept connection that the receiver closed meanwhile. */
  outrun: "the receiver had closed the kept connection; it goes again at once on a new one",
  /** Under way for so long that its timestamp would be refused. */
  overdue: "its turn did not come in time; it goes again at once with a new timestamp",
} as const;

/** So many tries of a delivery may be lost; one more is a failure of its receiver, and waits like any other. */
export const MOST_LOST = 24;
