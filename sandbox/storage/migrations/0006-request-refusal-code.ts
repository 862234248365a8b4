/** Refusal as data: the name of the cause, and the invalid fields. */
export const requestRefusalCode = "ALTER TABLE requests ADD COLUMN refused_for TEXT";
