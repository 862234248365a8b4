/** Why a call was refused, as data: the cause by its name, and the fields at fault. */
export const requestRefusalCode = "ALTER TABLE requests ADD COLUMN refused_for TEXT";
