export const procurementStatuses = ["order_requested", "order_confirmed", "cancelled"] as const;
export type ProcurementStatus = (typeof procurementStatuses)[number];

/** Progress of a job: by its parts and, once it has any, by its orders that are not cancelled. */
export const jobStates = ["no_parts", "estimated", "order_requested", "order_confirmed"] as const;
export type JobState = (typeof jobStates)[number];

/** The panel grades in the contract's words. */
export const panelGrades = {
  grade0: "like new",
  grade_a: "existing damage smaller than a credit card",
  grade_b: "existing damage smaller than two credit cards",
  grade_c: "existing damage larger than two credit cards",
} as const;

export type PanelGrade = keyof typeof panelGrades;

/** Default status of a fault whose error has none in the contract. */
export const FAULT_STATUS = 503;
/** The longest time a fault leaves a call without a response, in milliseconds. */
export const MAX_HANG_MS = 600_000;

/** A valid UUID that no record has. */
export const UNUSED_ID = "00000000-0000-4000-8000-000000000000";

/** Size limit of documents that are exported or imported; other bodies have the ordinary limit (D6). */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
