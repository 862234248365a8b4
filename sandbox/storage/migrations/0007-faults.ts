/** What made an exchange what it is: the faults it met, as JSON, and the exchange it sent again. Null for nearly all. */
export const faults = `
ALTER TABLE requests ADD COLUMN faults TEXT;
ALTER TABLE requests ADD COLUMN replays_id TEXT;
`;
