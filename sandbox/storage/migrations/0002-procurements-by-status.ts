/** Finds the last procurement that entered a status without a scan. */
export const procurementsByStatus = `
DROP INDEX procurements_by_status;
CREATE INDEX procurements_by_status ON procurements (status, updated_at);
`;
