/** Contract, "Signature": the header that carries the base64 HMAC-SHA256 of the raw body. */
export const SIGNATURE_HEADER = "service-hmac-sha256";

/** Contract, "Signature": reasons for a failed verification, in the order of the checks. */
export const rejectReasons = ["missing_signature", "bad_signature", "missing_timestamp", "stale_timestamp"] as const;
export type RejectReason = (typeof rejectReasons)[number];

/** Contract, "Delivery rules" 4: the replay window, either side of now. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

/** The four steps of a verification; `skipped` after a failed step. */
export const verificationSteps = ["header_present", "signature_matches", "timestamp_parses", "within_window"] as const;
export type VerificationStep = (typeof verificationSteps)[number];
