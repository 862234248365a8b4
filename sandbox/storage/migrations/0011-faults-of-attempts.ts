/** Faults that affected an attempt, and an index of fired faults. */
export const faultsOfAttempts = `
ALTER TABLE attempts ADD COLUMN faults TEXT;
CREATE INDEX log_of_faults ON log (seq) WHERE kind = 'fault';
`;
