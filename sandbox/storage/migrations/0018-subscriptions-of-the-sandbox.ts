/** 1 if a sandbox responded at the address, so its results prove nothing about a partner's receiver. */
export const subscriptionsOfTheSandbox = "ALTER TABLE subscriptions ADD COLUMN by_sandbox INTEGER NOT NULL DEFAULT 0";
