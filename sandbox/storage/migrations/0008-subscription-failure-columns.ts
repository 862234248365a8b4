/** Last failed attempt since the subscription's last success. */
export const subscriptionFailureColumns = `
ALTER TABLE subscriptions ADD COLUMN failed_delivery_id TEXT;
ALTER TABLE subscriptions ADD COLUMN failed_status INTEGER;
ALTER TABLE subscriptions ADD COLUMN failed_error TEXT;
`;
