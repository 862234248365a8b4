/** 1: this sandbox itself, or another one, answered at the address, so that nothing of it proves a partner's receiver. */
export const subscriptionsOfTheSandbox = "ALTER TABLE subscriptions ADD COLUMN by_sandbox INTEGER NOT NULL DEFAULT 0";
