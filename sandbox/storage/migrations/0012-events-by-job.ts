/** What tells of a job is found by the job, whether or not the calls about it are kept. */
export const eventsByJob = "CREATE INDEX events_by_job ON events (job_id)";
