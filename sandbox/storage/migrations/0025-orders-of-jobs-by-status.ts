/** Finds the state of a job without reading each of its orders. */
export const ordersOfJobsByStatus = "CREATE INDEX procurements_of_jobs ON procurements (job_id, status)";
