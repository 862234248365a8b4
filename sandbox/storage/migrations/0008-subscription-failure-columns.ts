/** The last attempt that failed since a subscription's address last acknowledged, and what it came to. */
export const subscriptionFailureColumns = `
ALTER TABLE subscriptions ADD COLUMN failed_delivery_id TEXT;
ALTER TABLE subscriptions ADD COLUMN failed_status INTEGER;
ALTER TABLE subscriptions ADD COLUMN failed_error TEXT;
`;
