/** Adds the reason why a call reached no operation, its proven sender, and the columns of the filters. */
export const requestSearchColumns = `
ALTER TABLE requests ADD COLUMN unrouted TEXT;
ALTER TABLE requests ADD COLUMN origin TEXT;
DROP INDEX requests_refused;
CREATE INDEX requests_by_status ON requests (status);
CREATE INDEX requests_by_error ON requests (error_code) WHERE error_code IS NOT NULL;
CREATE INDEX requests_by_integration ON requests (integration_id);
CREATE INDEX requests_by_time ON requests (at);
CREATE INDEX requests_faulted ON requests (seq) WHERE faults IS NOT NULL;
CREATE INDEX requests_unrouted ON requests (seq) WHERE unrouted IS NOT NULL;
CREATE INDEX requests_by_origin ON requests (origin) WHERE origin IS NOT NULL;
CREATE INDEX requests_replayed ON requests (seq) WHERE replays_id IS NOT NULL;
`;
