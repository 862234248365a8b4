/** Counts the baskets of a day. Costs a job without parts nothing. */
export const basketsByCreation = "CREATE INDEX baskets_by_creation ON jobs (created_at) WHERE state <> 'no_parts'";
