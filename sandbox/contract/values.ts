/** Where a procurement stands. */
export const procurementStatuses = ["order_requested", "order_confirmed", "cancelled"] as const;
export type ProcurementStatus = (typeof procurementStatuses)[number];

/** How far a job has come: by its parts and, once it has any, by its orders that were not cancelled. */
export const jobStates = ["no_parts", "estimated", "order_requested", "order_confirmed"] as const;
export type JobState = (typeof jobStates)[number];

/** What each panel grade means, in the contract's words. */
export const panelGrades = {
  grade0: "like new",
  grade_a: "existing damage smaller than a credit card",
  grade_b: "existing damage smaller than two credit cards",
  grade_c: "existing damage larger than two credit cards",
} as const;

export type PanelGrade = keyof typeof panelGrades;

/** What is answered where neither the fault nor the contract says with which status. */
export const FAULT_STATUS = 503;
/** The longest a fault leaves a call without an answer, in milliseconds. */
export const LONGEST_HANG_MS = 600_000;

/** A UUID that nothing of any world has. */
export const UNUSED_ID = "00000000-0000-4000-8000-000000000000";

/** The largest document that is written, and that is read; every other body is an ordinary one (D6). */
export const LARGEST_DOCUMENT_BYTES = 256 * 1024 * 1024;
