/** Exchanges that stay whatever retention says, and what a person has to say of one. */
export const pinnedRequests = `
ALTER TABLE requests ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
ALTER TABLE requests ADD COLUMN note TEXT;
CREATE INDEX requests_pinned ON requests (seq) WHERE pinned = 1;
`;
