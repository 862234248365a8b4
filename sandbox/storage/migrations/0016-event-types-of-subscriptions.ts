/** Which types of event a laptop asked for (a list in JSON); null: all. */
export const eventTypesOfSubscriptions = "ALTER TABLE subscriptions ADD COLUMN event_types TEXT";
