/** Reason why an accepted certificate isn't trusted (D96); null if it is trusted or there was none. */
export const certificatesOfAttempts = "ALTER TABLE attempts ADD COLUMN certificate TEXT";
