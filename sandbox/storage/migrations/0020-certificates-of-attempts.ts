/** Why a receiver's certificate isn't trusted that was accepted all the same (D96); null: it is, or there was none. */
export const certificatesOfAttempts = "ALTER TABLE attempts ADD COLUMN certificate TEXT";
