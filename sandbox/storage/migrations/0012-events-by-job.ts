/** Finds a job's events even after its calls were deleted. */
export const eventsByJob = "CREATE INDEX events_by_job ON events (job_id)";
