/** Names the organization of a counterpart's call, which may have no key. */
export const counterpartsOfRequests = "ALTER TABLE requests ADD COLUMN counterpart TEXT";
