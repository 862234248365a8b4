/** Which faults made an attempt what it is, and when faults fired, newest first. */
export const faultsOfAttempts = `
ALTER TABLE attempts ADD COLUMN faults TEXT;
CREATE INDEX log_of_faults ON log (seq) WHERE kind = 'fault';
`;
