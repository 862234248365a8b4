/** The last that came into a status is found without looking at the others. */
export const procurementsByStatus = `
DROP INDEX procurements_by_status;
CREATE INDEX procurements_by_status ON procurements (status, updated_at);
`;
