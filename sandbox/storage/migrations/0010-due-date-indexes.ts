/** Finds upcoming deadlines of codes, uploads and orders without a scan of past ones. */
export const dueDateIndexes = `
CREATE INDEX access_codes_by_expiry ON access_codes (expires_at) WHERE consumed_at IS NULL;
CREATE INDEX uploads_by_expiry ON uploads (expires_at, seq) WHERE uploaded_at IS NULL;
CREATE INDEX procurements_by_delivery ON procurements (deliver_before, seq) WHERE status = 'order_confirmed';
`;
