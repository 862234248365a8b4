/** Pins calls, which retention then keeps, and adds a person's note. */
export const pinnedRequests = `
ALTER TABLE requests ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
ALTER TABLE requests ADD COLUMN note TEXT;
CREATE INDEX requests_pinned ON requests (seq) WHERE pinned = 1;
`;
