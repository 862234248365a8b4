/** Event types a developer machine asked for, as a JSON list; null for all. */
export const eventTypesOfSubscriptions = "ALTER TABLE subscriptions ADD COLUMN event_types TEXT";
